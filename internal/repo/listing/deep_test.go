package listing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// Folders beyond the limit are named once each, walked and as git lists them, and
// what is in them is left out for the same reason.
func TestDeep(t *testing.T) {
	repotest.NeedGit(t)
	root := t.TempDir()
	within := strings.Repeat("d/", maxDepth) + "last.go"
	beyond := strings.Repeat("d/", maxDepth) + "e"
	for _, file := range []string{"top.go", within, beyond + "/a.go", beyond + "/f/b.go", beyond + "/f/g/c.go"} {
		repotest.Write(t, root, map[string]string{file: "package d\n"})
	}
	for _, kind := range []string{"walked", "of git"} {
		if kind == "of git" {
			repotest.Run(t, root, "init", "-q")
			repotest.Run(t, root, "add", "top.go", beyond+"/f/b.go")
		}
		tree, err := disk.Open(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		l, err := List(t.Context(), tree, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, f := range l.Files {
			paths = append(paths, f.Path)
		}
		skipped := []models.FileRecord{{Path: beyond, Skipped: models.SkipUnreadable, Detail: DeepFolder}}
		if diff := cmp.Diff([]any{[]string{within, "top.go"}, skipped}, []any{paths, l.Skipped}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
		for _, p := range []string{beyond + "/a.go", beyond + "/f", beyond} {
			if reason, detail, err := WhyIgnored(t.Context(), tree, p, Limits{}); reason != models.SkipUnreadable ||
				detail != DeepFolder || err != nil {
				t.Errorf("%s: why %s: %s, %s, %v", kind, p[len(p)-8:], reason, detail, err)
			}
		}
		if err := tree.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
