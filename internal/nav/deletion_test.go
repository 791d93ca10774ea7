package nav_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
)

// A file that a diff takes away is of the repositories that have it, or had it when their
// graphs were built.
func TestImpactOfDeletionAcross(t *testing.T) {
	svc, all := unionOf(t, modules, true)
	text := modules["o/mid"]["mid.go"]
	n := strings.Count(text, "\n")
	diff := fmt.Sprintf("diff --git a/mid.go b/mid.go\ndeleted file mode 100644\n--- a/mid.go\n+++ /dev/null\n"+
		"@@ -1,%d +0,0 @@\n-%s\n", n, strings.Join(strings.Split(strings.TrimSuffix(text, "\n"), "\n"), "\n-"))
	ask := func() (got []string) {
		r, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "*", Diff: diff})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range r.Items {
			got = append(got, fmt.Sprint(item.RepoID, " ", item.Change, " ", item.Symbol, " ", item.Total))
		}
		return got
	}
	want := []string{"o/mid removed Mid.Log 1", "o/mid removed Default 1", "o/mid removed Mid 0"}
	if diff := cmp.Diff(want, ask()); diff != "" {
		t.Errorf("to come (-want +got):\n%s", diff)
	}
	if err := os.Remove(filepath.Join(all["o/mid"], "mid.go")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, ask()); diff != "" {
		t.Errorf("done (-want +got):\n%s", diff)
	}
}

// What else came, code or not, has nothing to do with who used what is gone.
func TestImpactOfDeletionBesideOthers(t *testing.T) {
	root, svc := editedRepository(t)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	git(t, root, "rm", "-q", "lib/lib.go")
	ask := func() string {
		r, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a"})
		if err != nil {
			t.Fatal(err)
		}
		return told(r)
	}
	want := ask()
	if !strings.Contains(want, "removed Old lib/lib.go:7: keeps 1 calls test, Stays 1 calls, ") {
		t.Fatal(want)
	}
	for _, name := range []string{"new.txt", "new.bin", "data/new.json", "new/package.json"} {
		put(t, root, name, "{}\n")
		if diff := cmp.Diff(want, ask()); diff != "" {
			t.Errorf("with %s (-alone +with):\n%s", name, diff)
		}
	}
}
