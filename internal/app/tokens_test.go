package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

// Replies of at most max_tokens, each asked for as the one before names it, are
// what one reply without has.
func TestMaxTokens(t *testing.T) {
	a, id := many(t)
	diff := "diff --git a/f00.go b/f00.go\n--- a/f00.go\n+++ b/f00.go\n@@ -3,2 +3,2 @@\n" +
		" // Brew00 \"makes\"\tcoffee <of> the kind 0.\n-func Brew00() {}\n+func Brew00(n int) {}\n"
	for _, step := range []struct {
		row  op.Row
		req  any
		most int
	}{
		{op.Repos, repos.Request{}, 300},
		{op.Structure, structure.Request{RepoID: id}, 400},
		{op.Search, search.Request{Query: "makes coffee", Level: models.LevelSymbol, Limit: new(30)}, 1500},
		{op.File, filefetch.Request{RepoID: id, FilePath: "f01.go"}, 300},
		{op.File, filefetch.Request{RepoID: id, FilePath: "long.txt"}, 300},
		{op.File, filefetch.Request{RepoID: id, Spans: places(20)}, 1200},
		{op.Outline, outline.Request{RepoID: id, FilePath: "all.go", Private: true}, 500},
		{op.NavSearch, nav.SearchRequest{RepoID: id, Query: "Brew", Limit: new(100)}, 800},
		{op.WhereUsed, nav.WhereUsedRequest{RepoID: id, Symbol: "Brew00", Limit: new(100)}, 800},
		{op.Lineage, nav.LineageRequest{RepoID: id, Symbol: "Brew00", Direction: "upstream", MaxResults: new(100)}, 800},
		{op.Implementations, nav.ImplementationsRequest{RepoID: id, Symbol: "Maker", Limit: new(100)}, 900},
		{op.Impact, nav.ImpactRequest{RepoID: id, Diff: diff}, 20000},
		{op.Coverage, index.CoverageRequest{RepoID: id}, 500},
	} {
		t.Run(step.row.About().Name, func(t *testing.T) {
			req := reflect.New(reflect.TypeOf(step.req))
			req.Elem().Set(reflect.ValueOf(step.req))
			whole, _ := pages(t, a, step.row, req.Interface(), 1<<20)
			op.Field(req.Interface(), "max_tokens").Set(reflect.ValueOf(&step.most))
			parts, calls := pages(t, a, step.row, req.Interface(), step.most)
			if diff := cmp.Diff(whole, parts[:min(len(whole), len(parts))]); diff != "" {
				t.Errorf("in %d calls (-whole +parts):\n%s", calls, diff)
			}
			if calls < 2 && !slices.Contains([]string{"repos", "nav impact"}, step.row.About().Name) {
				t.Errorf("nothing was cut")
			}
		})
	}
}

// pages is what all replies have, from the first on as each names the next, none
// of more than so many tokens.
func pages(t *testing.T, a *app.App, row op.Row, req any, most int) (parts []string, calls int) {
	t.Helper()
	for calls < 200 {
		env, err := row.Do(t.Context(), a, req)
		if err != nil {
			t.Fatal(err)
		}
		if n := models.Tokens(models.Size(env)); n > most {
			t.Fatalf("%d tokens, more than %d", n, most)
		}
		calls++
		parts = append(parts, unitsOf(env)...)
		next := env.Head().Next
		if next == nil {
			return parts, calls
		}
		if next.Operation != row.About().Name || !env.Head().Truncated {
			t.Fatalf("next %+v of a reply of %s that is cut: %v", next, row.About().Name, env.Head().Truncated)
		}
		body, err := json.Marshal(next.Request)
		if err != nil {
			t.Fatal(err)
		}
		req = row.NewRequest()
		if err := json.Unmarshal(body, req); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("it never ends")
	return nil, 0
}

// unitsOf are the least things that a reply is cut between.
func unitsOf(env models.Envelope) (units []string) {
	switch r := env.(type) {
	case *filefetch.Response:
		for _, item := range r.Items {
			for line := range strings.Lines(item.Code) {
				units = append(units, item.FilePath+": "+line)
			}
		}
	case *structure.Response:
		for _, item := range r.Items {
			units = append(units, item.Directories...)
			for _, f := range item.Files {
				units = append(units, f.Path)
			}
		}
	default:
		items := reflect.ValueOf(env).Elem().FieldByName("Items")
		for i := range items.Len() {
			text, _ := json.Marshal(items.Index(i).Interface())
			units = append(units, string(text))
		}
	}
	return units
}

// many indexes a folder whose every list is long.
func many(t *testing.T) (*app.App, models.RepoID) {
	t.Helper()
	a := open(t, filepath.Join(t.TempDir(), "data"))
	root := filepath.Join(t.TempDir(), "many")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all := "package a\n\ntype Maker interface{ Make() }\n"
	for i := range 30 {
		write(fmt.Sprintf("f%02d.go", i),
			fmt.Sprintf("package a\n\n// Brew%02d \"makes\"\tcoffee <of> the kind %d.\nfunc Brew%02d() {}\n\n"+
				"func use%02d() {\n\tBrew00()\n}\n", i, i, i, i)+
				strings.Repeat("\n//\t\"a line\" that is <long> enough to count\n", 20))
		all += fmt.Sprintf("\ntype kind%02d struct{}\n\nfunc (kind%02d) Make() {}\n", i, i)
	}
	write("all.go", all)
	write("long.txt", strings.Repeat("line \"of\"\ttext\n", 400))
	resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, a, resp.Items[0])
	return a, resp.Items[0].RepoID
}

func places(n int) (spans []filefetch.Span) {
	for i := range n {
		spans = append(spans, filefetch.Span{FilePath: fmt.Sprintf("f%02d.go", i), StartLine: new(2), EndLine: new(6 + i)})
	}
	return spans
}
