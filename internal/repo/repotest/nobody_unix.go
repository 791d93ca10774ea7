//go:build unix

package repotest

import (
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
	dir, err := os.MkdirTemp("", "nobody") //nolint:usetesting // others can't enter t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Skip("SKIPPED: root can read everything")
	}
	binary := filepath.Join(dir, "self.test")
	if err := os.WriteFile(binary, self, 0o755); err != nil { //nolint:gosec // for another user to call
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil { //nolint:gosec // for another user to write to
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "-test.run=^"+t.Name()+"$")
	// t.TempDir prefers GOTMPDIR, and git reads settings at home.
	for _, name := range []string{"TMPDIR", "GOTMPDIR", "HOME"} {
		t.Setenv(name, dir)
	}
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
	return true
}
