package nav_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Graphs are in memory before somebody asks, unless they are of many files or the process ends: then
// a graph whose list of files was taken away does not answer.
func TestWarm(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		ctx   context.Context //nolint:containedctx // a case
		files int
		want  models.Source
	}{
		"few files":  {t.Context(), 10, models.SourceGraph},
		"many files": {t.Context(), 1 << 20, models.SourceFallback},
		"ended":      {ended, 10, models.SourceFallback},
	} {
		_, all := unionOf(t, modules, true)
		svc := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}, Locals: goLocals})
		repos, err := all.Match(t.Context(), "*")
		if err != nil {
			t.Fatal(err)
		}
		for i := range repos {
			repos[i].FileCount = c.files
		}
		svc.Warm(c.ctx, repos, func(ctx context.Context) bool { return ctx.Err() == nil })
		for id, dir := range all {
			lists, err := filepath.Glob(filepath.Join(dir, ".llmc", "rag_manifest-*"))
			if err != nil || len(lists) != 1 {
				t.Fatalf("lists of files: %v, %v", lists, err)
			}
			if err := os.Remove(lists[0]); err != nil {
				t.Fatal(err)
			}
			if id == "p/app" || id == "o/mid" {
				continue // they declare no New
			}
			r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: id, Symbol: "New"})
			if err != nil || r.Meta.Source != c.want {
				t.Errorf("%s: %s is answered by %q, %v; want %q", name, id, r.Meta.Source, err, c.want)
			}
		}
	}
}
