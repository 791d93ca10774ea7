package disk

import (
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A file is found by going down to it once: that takes some times as long as one
// look from the root. Looking at each folder on the way from the root took as many
// times as it is deep, and made reading a deep tree cubic.
func TestDeepFileIsFoundInOneDescent(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	deep := strings.Repeat("d/", 400) + "a.go"
	if err := root.MkdirAll(strings.TrimSuffix(deep, "/a.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := root.WriteFile(deep, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tree := open(t, dir)
	mean := func(do func() error) time.Duration {
		const times = 20
		began := worked(t)
		for range times {
			if err := do(); err != nil {
				t.Fatal(err)
			}
		}
		return (worked(t) - began) / times
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	look := mean(func() error { _, err := tree.dir.Lstat(deep); return err })
	found := mean(func() error { _, err := tree.Resolve(deep); return err })
	if found > 50*look {
		t.Errorf("takes %v of a processor, one look %v", found, look)
	}
	for _, p := range []string{deep + "/b", strings.TrimSuffix(deep, "a.go") + "none"} {
		if _, err := tree.Resolve(p); err == nil {
			t.Errorf("%.20s… leads somewhere", p)
		}
	}
}

// worked is how long processors worked for this thread, which does not depend on
// what else the machine does.
func worked(t *testing.T) time.Duration {
	t.Helper()
	const ofThread = 1 // RUSAGE_THREAD
	var used syscall.Rusage
	if err := syscall.Getrusage(ofThread, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
