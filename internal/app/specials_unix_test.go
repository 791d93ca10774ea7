//go:build unix

package app_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// specials puts what is no file into a folder, as far as this system lets it.
func specials(t *testing.T, root string) {
	t.Helper()
	at := func(name string) string { return filepath.Join(root, name) }
	if err := syscall.Mkfifo(at("fifo"), 0o600); err != nil {
		t.Logf("no FIFO: %v", err)
	}
	t.Chdir(root) // names of sockets are short
	if l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", "socket"); err != nil {
		t.Logf("no socket: %v", err)
	} else {
		t.Cleanup(func() { _ = l.Close() })
	}
	if err := mknod(at("device")); err != nil {
		t.Logf("no device: %v", err)
	}
	for name, target := range map[string]string{
		"loop": "loop", "out": "/etc/passwd", "outdir": "/proc", "self": ".",
		"dangling": "none",
	} {
		if err := os.Symlink(target, at(name)); err != nil {
			t.Logf("no symlink: %v", err)
		}
	}
}
