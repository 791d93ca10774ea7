package nav_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
)

// TestWhyNoGraph: why the graph does not answer is said once and in words for
// people, with what to do about it.
func TestWhyNoGraph(t *testing.T) {
	root, svc := many(t, 2)
	use := nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Shared"}
	for _, c := range []struct {
		damage func(artifacts string) error
		want   string
	}{
		{
			func(dir string) error { return os.Truncate(filepath.Join(dir, "rag_graph.json"), 40) },
			"a live scan: the graph of this repository is damaged; build it again with: ragnav nav build-graph",
		},
		{
			func(dir string) error { return os.Remove(filepath.Join(dir, "rag_graph.json")) },
			"a live scan: no graph of this repository was built; build it with: ragnav nav build-graph",
		},
		{
			func(dir string) error {
				return os.WriteFile(filepath.Join(dir, "rag_index_status.json"), []byte("?"), 0o600)
			},
			"a live scan: the status file is damaged; make the graph again with `ragnav nav build-graph`",
		},
		{os.RemoveAll, "a live scan: there is no graph; `ragnav nav build-graph` makes answers faster"},
	} {
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
			t.Fatal(err)
		}
		if err := c.damage(filepath.Join(root, ".llmc")); err != nil {
			t.Fatal(err)
		}
		r, err := svc.WhereUsed(t.Context(), use)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, message(r)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}
