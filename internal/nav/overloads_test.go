package nav_test

import (
	"slices"
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
)

// Of many variants of one function each is used where the name is, and asked by
// its name the place is listed once.
func TestVariants(t *testing.T) {
	root, _ := many(t, 1)
	systems := []string{"darwin", "freebsd", "linux", "netbsd", "windows"}
	for _, s := range systems {
		put(t, root, "plat/plat_"+s+".go", "package plat\n\n// Name is for "+s+".\nfunc Name() string { return \""+s+"\" }\n")
	}
	put(t, root, "plat/use.go", "package plat\n\nvar Current = Name()\n")
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	for _, graph := range []bool{false, true} {
		if graph {
			if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range systems {
			r, err := svc.WhereUsed(t.Context(),
				nav.WhereUsedRequest{RepoID: "o/a", Symbol: "plat.Name", File: "plat/plat_" + s + ".go"})
			if err != nil || len(r.Items) != 1 || *r.Meta.Total != 1 {
				t.Errorf("graph %t, %s: %+v %v, want one use", graph, s, r.Items, err)
				continue
			}
			if c := r.Items[0].Candidates; len(c) != 3 || !slices.Contains(c, r.Items[0].Definition) {
				t.Errorf("graph %t, %s: candidates %q of %s", graph, s, c, r.Items[0].Definition)
			}
		}
		r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "plat.Name"})
		if err != nil || len(r.Definitions) != len(systems) || len(r.Items) != 1 || *r.Meta.Total != 1 {
			t.Errorf("graph %t: %d definitions, %d uses, %v; want %d and 1", graph, len(r.Definitions), len(r.Items), err,
				len(systems))
		}
	}
}
