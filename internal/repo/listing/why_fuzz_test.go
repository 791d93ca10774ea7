package listing

import (
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// Any path has an answer, and none that is the program's own fault.
func FuzzWhyIgnored(f *testing.F) {
	dir := f.TempDir()
	repotest.Write(f, dir, map[string]string{
		".gitignore": "*.log\nout/\n[a-\n", "sub/.ragnavignore": "!x\n**/y\n",
		"a.log": "", "out/x": "", "sub/x/y": "", "id_rsa": "",
	})
	for _, seed := range []string{
		"", ".", "a.log", "out/x", "out/nope", "sub/x/y", "../x", "/etc", "a\x00", "\xff",
		":(top)a.log", "-z", "id_rsa/", ".git", "sub//x/./y", "C:\\x",
	} {
		f.Add(seed)
	}
	tree, err := disk.Open(f.Context(), dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = tree.Close() })
	f.Fuzz(func(t *testing.T, name string) {
		reason, detail, err := WhyIgnored(t.Context(), tree, name, Limits{})
		if err != nil && fault.CodeOf(err).Row().HTTP >= 500 {
			t.Fatalf("%q: %v", name, err)
		}
		if reason != "" && detail == "" {
			t.Fatalf("%q is left out as %s without a detail", name, reason)
		}
	})
}
