package nav_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// slowly reads the facts of users slowly.
type slowly struct{ goOnly }

func (s slowly) Facts(ctx context.Context, p, language, text string) (*facts.File, error) {
	if strings.HasSuffix(p, "/use.go") {
		time.Sleep(50 * time.Millisecond)
	}
	return s.goOnly.Facts(ctx, p, language, text)
}

// tooMany are more users than a live answer reads all files of.
const tooMany = 2050

// A large repository without a graph.
func TestWithoutAGraph(t *testing.T) {
	root, _ := many(t, tooMany)
	t.Run("live answer in time", func(t *testing.T) { liveAnswerInTime(t, root) })
	t.Run("graph in background", func(t *testing.T) { graphInBackground(t, root) })
}

// Without a graph a large repository is answered within the time that there is,
// with what was read until then, the declaration first; and the reply says what
// was not looked at.
func liveAnswerInTime(t *testing.T, root string) {
	synctest.Test(t, func(t *testing.T) {
		s := nav.New(gateway.Config{Repos: folder(root), Extract: slowly{}})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		res, err := s.WhereUsed(ctx, nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Shared", Limit: new(1000)})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Definitions) != 1 || len(res.Items) == 0 || !res.Meta.Truncated || !res.Meta.TotalAtLeast ||
			res.Meta.Total == nil {
			t.Errorf("%d definitions, %d items, head %+v", len(res.Definitions), len(res.Items), res.Meta)
		}
		if text := fmt.Sprint(res.Meta.Warnings); !strings.Contains(text, "were not read") ||
			!strings.Contains(text, "build-graph") {
			t.Errorf("warnings %s", text)
		}
		ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err = s.WhereUsed(ctx, nav.WhereUsedRequest{RepoID: "o/a", Symbol: "many"})
		if fault.CodeOf(err) != fault.IndexNotReady || !strings.Contains(err.Error(), "time was short") {
			t.Errorf("a name that may be declared where nobody looked: %v", err)
		}
	})
}

// A service that stays builds the graph that a question missed.
func graphInBackground(t *testing.T, root string) {
	s := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	s.InBackground(nil)
	defer func() { _ = s.Close() }()
	ask := func() nav.WhereUsedResponse {
		res, err := s.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Shared"})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if first := ask(); first.Meta.Source != models.SourceFallback ||
		!strings.Contains(fmt.Sprint(first.Meta.Warnings), "is being built") {
		t.Fatalf("the first answer: %+v", first.Meta)
	}
	for start := time.Now(); ; {
		status, err := s.Status(t.Context(), nav.StatusRequest{RepoID: "o/a"})
		if err == nil && status.Items[0].Answers == models.SourceGraph {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatalf("no graph was built: %v", err)
		}
	}
	if res := ask(); res.Meta.Source != models.SourceGraph || *res.Meta.Total != tooMany {
		t.Errorf("from the graph: %+v", res.Meta)
	}
}

// stuck never comes to the end of one file.
type stuck struct{ goOnly }

func (s stuck) Facts(ctx context.Context, p, language, text string) (*facts.File, error) {
	if strings.HasSuffix(p, "1/use.go") {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.goOnly.Facts(ctx, p, language, text)
}

// A file whose parser does not answer, or starts slowly, costs its share of the
// time and no answer about the others.
func TestLiveAnswerWithoutOneFile(t *testing.T) {
	root, _ := many(t, 3)
	synctest.Test(t, func(t *testing.T) {
		s := nav.New(gateway.Config{Repos: folder(root), Extract: stuck{}})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		res, err := s.WhereUsed(ctx, nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Shared"})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Items) != 2 || !res.Meta.Truncated || !strings.Contains(fmt.Sprint(res.Meta.Warnings), "not read") {
			t.Errorf("%d items, head %+v", len(res.Items), res.Meta)
		}
	})
}

// A graph that can't be built is said, and not tried again and again.
func TestGraphInBackgroundFails(t *testing.T) {
	_, s := many(t, 1)
	tried := 0
	s.InBackground(func(context.Context) (func(), error) { tried++; return nil, errors.New("no") })
	for start := time.Now(); !strings.Contains(s.BuildLater("o/a"), "could not be built: no"); {
		if time.Since(start) > time.Minute {
			t.Fatal("nothing is said")
		}
	}
	if err := s.Close(); err != nil || tried != 1 {
		t.Errorf("%v, tried %d times", err, tried)
	}
}

// A graph that is up to date is not built again, one of another commit or with
// other files is.
func TestBuildOnlyWhatChanged(t *testing.T) {
	root, s := many(t, 3)
	build := func() models.GraphInfo {
		res, err := s.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"})
		if err != nil {
			t.Fatal(err)
		}
		return res.Items[0]
	}
	build()
	file := filepath.Join(root, ".llmc", "rag_index_status.json")
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	info := build()
	if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) || info.Files != 5 || info.Reused != 5 {
		t.Errorf("%v: written again, %+v", err, info)
	}
	if err := os.WriteFile(filepath.Join(root, "more.go"), []byte("package many\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if info := build(); info.Files != 6 {
		t.Errorf("with one file more: %+v", info)
	}
}

// TestNoGrammars: a program that was made without them says so, where a name has
// no definition and where a graph is built, and says nothing of it otherwise.
func TestNoGrammars(t *testing.T) {
	root := t.TempDir()
	put(t, root, "go.mod", "module example.com/mixed\n")
	put(t, root, "a.go", "package a\n\nfunc Known() {}\n")
	put(t, root, "b.php", "<?php\nfunction hidden() {}\n")
	put(t, root, "c.rb", "def hidden; end\n")
	put(t, root, "notes.md", "# hidden\n")
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	const want = "definitions and uses in 2 files of PHP, Ruby are not known: this program was built without cgo"
	for _, built := range []bool{false, true} {
		_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "hidden"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with a graph %v: %v", built, err)
		}
		r, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"})
		if err != nil || len(r.Meta.Warnings) != 1 || !strings.HasPrefix(r.Meta.Warnings[0].Message, want) {
			t.Errorf("a build: %+v, %v", r.Meta.Warnings, err)
		}
	}
	for _, p := range []string{"b.php", "c.rb"} {
		if err := os.Remove(filepath.Join(root, p)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "hidden"})
	if err == nil || strings.Contains(err.Error(), "cgo") {
		t.Errorf("of Go alone: %v", err)
	}
}
