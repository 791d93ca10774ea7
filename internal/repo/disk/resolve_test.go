package disk

import (
	"os"
	"strings"
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
	quickest := func(do func() error) time.Duration {
		least := time.Hour
		for range 5 {
			began := time.Now()
			if err := do(); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(began))
		}
		return least
	}
	look := quickest(func() error { _, err := tree.dir.Lstat(deep); return err })
	found := quickest(func() error { _, err := tree.Resolve(deep); return err })
	if found > 50*look {
		t.Errorf("takes %v, one look %v", found, look)
	}
	for _, p := range []string{deep + "/b", strings.TrimSuffix(deep, "a.go") + "none"} {
		if _, err := tree.Resolve(p); err == nil {
			t.Errorf("%.20s… leads somewhere", p)
		}
	}
}
