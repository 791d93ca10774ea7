package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/retrieve"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/test/cbtest"
)

// mixed is a folder of code and notes.
var mixed = map[string]string{
	"pool/pool.go": "// Package pool keeps walruses.\npackage pool\n\n// Pool is where walruses swim.\n" +
		"type Pool struct{}\n\n" +
		"// Feed feeds the walrus of the pool.\nfunc (p *Pool) Feed(kilos int) error { return nil }\n\n" +
		"func newPool() *Pool { return &Pool{} }\n",
	"pool/pool_test.go": "package pool\n\nimport \"testing\"\n\nfunc TestFeed(t *testing.T) { _ = newPool().Feed(2) }\n",
	"feed.py": "def feed_walrus(kilos):\n    \"\"\"Feed the walrus.\"\"\"\n    return kilos\n\nclass Pool:\n" +
		"    pass\n",
	"notes/Zoo.md": "---\naliases: Park\ntags: [zoo/sea, draft]\ncreated: 2024-03-01\n---\n# Zoo\nThe walrus pool.\n" +
		"\n## Plan\nFeed the walrus twice. #todo\n",
	"notes/Keeper.md": "---\ntags: zoo\ncreated: 2025-03-01\n---\n# Keeper\nSwims in the pool, see [[park]].\n",
}

// Operators and filters select the same on a cluster as on the embedded store,
// although the server scores by its own formula.
func TestOperatorsOnBothStores(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	dir := t.TempDir()
	for name, text := range mixed {
		file := filepath.Join(dir, "mixed", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	local := open(t, t.TempDir())
	cluster, _ := openCluster(t, cbtest.Options{})
	for _, a := range []*app.App{local, cluster} {
		resp, err := op.StartIndex.By(t.Context(), a,
			index.StartRequest{Targets: []string{filepath.Join(dir, "mixed")}, NoGraph: true})
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, a, resp.Items[0])
	}
	for _, query := range []string{
		"lang:go", "-lang:go", "-file:*_test.go walrus", "walrus -file:*_test.go", "lang:python or file:*_test.go",
		"-(lang:python or file:*_test.go) pool",
		"sym:pool", "sym:Pool.Feed case:yes", "-sym:pool", "kind:func walrus", "-kind:func", "tag:zoo", "-tag:draft pool",
		"tag:zoo -tag:zoo/sea",
		`"walrus of"`, `-"walrus of"`, "/walrus(es)? swim/", "-/walrus/", "walrus or tag:zoo", "sym:*feed* or lang:md",
		"case:yes /Feed/",
	} {
		for _, level := range append(models.Levels(), models.LevelAuto) {
			req := search.Request{Query: query, Level: level, Limit: new(50)}
			want := foundBy(t, local, req)
			if diff := cmp.Diff(want, foundBy(t, cluster, req)); diff != "" {
				t.Errorf("%s %s (-embedded +cluster):\n%s", level, query, diff)
			}
		}
	}
	for query, items := range map[string]int{
		"notes tagged zoo": 2, "notes not tagged draft": 1, "notes linking to [[Zoo]]": 1, "notes in 2024": 1,
		"walrus -lang:go": 3, "#todo": 1, "notes since 2026": 0,
	} {
		for name, a := range map[string]*app.App{"embedded": local, "cluster": cluster} {
			resp, err := op.Context.By(t.Context(), a, retrieve.Request{Query: query})
			if err != nil || len(resp.Items) != items {
				t.Errorf("%s: %s: %d items, %v; want %d", name, query, len(resp.Items), err, items)
			}
		}
	}
}

// foundBy is what a search finds, sorted.
func foundBy(t *testing.T, a *app.App, req search.Request) []models.DocumentID {
	t.Helper()
	resp, err := op.Search.By(t.Context(), a, req)
	if err != nil {
		t.Fatalf("%s: %v", req.Query, err)
	}
	var ids []models.DocumentID
	for _, item := range resp.Items {
		ids = append(ids, item.DocumentID)
	}
	slices.Sort(ids)
	return ids
}
