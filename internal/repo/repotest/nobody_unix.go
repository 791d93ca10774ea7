//go:build unix

package repotest

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// AsNobody runs a test of root in a process that permissions hold for, and reports
// whether it did: then there is nothing left to do.
func AsNobody(t *testing.T) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return false
	}
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Skip("SKIPPED: root can read everything")
	}
	for _, parent := range []string{"", "/tmp", "/var/tmp"} { // "": the usual one, which may be root's alone
		out, err := asNobody(t, parent, self)
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Errorf("as nobody: %v\n%s", err, out)
		}
		return true
	}
	t.Skip("SKIPPED: no folder for temporary files is open to others")
	return true
}

// asNobody runs the test in a new folder below parent. An error of permission means that
// nobody can't get there, or that no program may run there.
func asNobody(t *testing.T, parent string, self []byte) (out []byte, err error) {
	t.Helper()
	dir, err := os.MkdirTemp(parent, "nobody") //nolint:usetesting // others can't enter t.TempDir
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	binary := filepath.Join(dir, "self.test")
	if err := os.WriteFile(binary, self, 0o755); err != nil { //nolint:gosec // for another user to call
		return nil, err
	}
	if err := os.Chmod(dir, 0o777); err != nil { //nolint:gosec // for another user to write to
		return nil, err
	}
	// t.TempDir prefers GOTMPDIR, and git reads settings at home.
	for _, name := range []string{"TMPDIR", "GOTMPDIR", "HOME"} {
		t.Setenv(name, dir)
	}
	for {
		cmd := exec.CommandContext(t.Context(), binary, "-test.run=^"+t.Name()+"$")
		cmd.Dir = dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		// What was forked meanwhile has the file open for writing, until it is another program.
		if out, err = cmd.CombinedOutput(); !errors.Is(err, syscall.ETXTBSY) {
			return out, err
		}
	}
}
