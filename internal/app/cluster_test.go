package app_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/store/couchbase/setup"
	"github.com/ragnav/ragnav/test/cbtest"
)

// clusterSettings are those of a store on that node, which is set up.
func clusterSettings(t *testing.T, node *cbtest.Node) config.Config {
	t.Helper()
	env := map[string]string{
		"RAGNAV_STORE": node.ConnStr() + "/ragnav.code", "RAGNAV_COUCHBASE_USERNAME": "Administrator",
		"RAGNAV_COUCHBASE_PASSWORD": "password",
		"HOME":                      t.TempDir(),
	}
	c, err := config.Resolve(nil, func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	if err := app.SetupCouchbase(t.Context(), c, setup.Options{}, func(line string) { t.Log(line) }); err != nil {
		t.Fatal(err)
	}
	return c
}

func openCluster(t *testing.T, o cbtest.Options) (*app.App, *cbtest.Node) {
	t.Helper()
	node := cbtest.Start(t, o)
	a, err := app.Open(t.Context(), clusterSettings(t, node), app.Tool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a, node
}

// modules are repositories that nobody here wrote, the same on every machine:
// go.sum pins them.
var modules = map[models.RepoID]string{
	"go-chi/chi": "github.com/go-chi/chi/v5", "spf13/cobra": "github.com/spf13/cobra",
}

func moduleDir(t *testing.T, path string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		t.Fatalf("go list -m %s: %v", path, err)
	}
	return strings.TrimSpace(string(out))
}

func indexModules(t *testing.T, a *app.App) {
	t.Helper()
	for id, path := range modules {
		resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{moduleDir(t, path)}, RepoID: id})
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, a, resp.Items[0])
	}
}

// queries are asked at every level, so that there are 50 requests.
var queries = []string{
	"route pattern matching with wildcards", "recover from panics in handlers", "generate shell completion for bash",
	"suggest a similar command for a typo",
	"parse flags before running", "compress responses with gzip", "real IP of a client behind a proxy",
	"persistent pre run hooks of parent commands",
	"NewRouter", "how are url parameters read",
}

// The same corpus and the same 50 requests by meaning give the same documents in
// the same order on the embedded store and on a cluster. How words weigh is the
// server's affair: of the same requests by words and meaning both find something,
// and tell the same of what both find.
func TestSameAnswersOnBothStores(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	local := open(t, t.TempDir())
	cluster, _ := openCluster(t, cbtest.Options{})
	indexModules(t, local)
	indexModules(t, cluster)
	asked := 0
	for _, q := range queries {
		for _, level := range models.Levels() {
			req := search.Request{Query: q, Level: level, Limit: new(10), Mode: search.ModeSemantic}
			want, got := onBoth(t, local, cluster, req)
			if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-3)); diff != "" {
				t.Errorf("%s %q (-embedded +cluster):\n%s", level, q, diff)
			}
			req.Mode = search.ModeHybrid
			want, got = onBoth(t, local, cluster, req)
			want, got = shared(want, got), shared(got, want)
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(models.SearchResult{}, "Score", "Weak", "Lines")); diff != "" {
				t.Errorf("%s %q by words, too (-embedded +cluster):\n%s", level, q, diff)
			}
			asked++
		}
	}
	if asked != 50 {
		t.Errorf("%d requests were compared, want 50", asked)
	}
}

func onBoth(t *testing.T, local, cluster *app.App, req search.Request) (want, got []models.SearchResult) {
	t.Helper()
	embedded, wantErr := op.Search.By(t.Context(), local, req)
	server, err := op.Search.By(t.Context(), cluster, req)
	if err != nil || wantErr != nil {
		t.Fatalf("%s %q: %v, %v", req.Level, req.Query, err, wantErr)
	}
	if len(embedded.Items) == 0 || len(server.Items) == 0 {
		t.Errorf("%s %q: %d and %d hits", req.Level, req.Query, len(embedded.Items), len(server.Items))
	}
	return embedded.Items, server.Items
}

// shared are those items that are among others, too, by id.
func shared(items, others []models.SearchResult) (both []models.SearchResult) {
	for _, item := range items {
		if slices.ContainsFunc(others, func(o models.SearchResult) bool { return o.DocumentID == item.DocumentID }) {
			both = append(both, item)
		}
	}
	slices.SortFunc(both, func(a, b models.SearchResult) int {
		return strings.Compare(string(a.DocumentID), string(b.DocumentID))
	})
	return both
}
