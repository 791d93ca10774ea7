package nav_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
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
			"a live scan: the graph of this repository is damaged; build it again with: ragnav nav build-graph -r o/a",
		},
		{
			func(dir string) error { return os.Remove(filepath.Join(dir, "rag_graph.json")) },
			"a live scan: no graph of this repository was built; build it with: ragnav nav build-graph -r o/a",
		},
		{
			func(dir string) error {
				return os.WriteFile(filepath.Join(dir, "rag_index_status.json"), []byte("?"), 0o600)
			},
			"a live scan: the status file is damaged; make the graph again with `ragnav nav build-graph -r o/a`",
		},
		{os.RemoveAll, "a live scan: there is no graph; `ragnav nav build-graph -r o/a` makes answers faster"},
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

// TestGraphDamagedWhileServed: a graph whose file is cut short or overwritten
// after it was opened is given up at the first row that is wrong, and the files
// answer as they would have.
func TestGraphDamagedWhileServed(t *testing.T) {
	root, built := many(t, 20)
	if _, err := built.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	sidecar := filepath.Join(root, ".llmc", "rag_graph.bin")
	content, err := os.ReadFile(sidecar)
	if err != nil {
		t.Fatal(err)
	}
	overwritten := bytes.Repeat([]byte{0xff}, len(content))
	rows := bytes.Clone(content)
	copy(rows[len(rows)-len(rows)/3:], overwritten) // rows are behind the columns
	for name, damage := range map[string]func() error{
		"cut":         func() error { return os.Truncate(sidecar, int64(len(content)/2)) },
		"emptied":     func() error { return os.Truncate(sidecar, 0) },
		"a row":       func() error { return os.WriteFile(sidecar, rows, 0o600) },
		"overwritten": func() error { return os.WriteFile(sidecar, overwritten, 0o600) },
	} {
		if err := os.WriteFile(sidecar, content, 0o600); err != nil {
			t.Fatal(err)
		}
		svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
		ask := func(symbol string) nav.WhereUsedResponse {
			t.Helper()
			r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: symbol})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if r := ask("Use3"); r.Meta.Source != models.SourceGraph {
			t.Fatalf("%s: not answered from the graph: %s", name, message(r))
		}
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		r := ask("Shared")
		if r.Meta.Source != models.SourceFallback || len(r.Items) != 20 ||
			!strings.Contains(message(r), "is damaged; build it again") {
			t.Errorf("%s: %d uses from %s: %s", name, len(r.Items), r.Meta.Source, message(r))
		}
	}
}
