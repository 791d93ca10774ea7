package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestFormatThatIsAskedFor(t *testing.T) {
	for _, tt := range []struct {
		name, query string
		files       []*candidate // last comes first
	}{
		{
			"values of a chart before code, and before those it is tested with", "helm value for replicas of the sentry",
			[]*candidate{
				written(file("charts/sentry/ci/sentry-values.yaml", 8), "YAML"), file("pkg/sentry/server.go", 8),
				written(file("charts/sentry/values.yaml", 6), "YAML"),
			},
		},
		{
			"a workflow, where it is asked how something is built", "how are charts released",
			[]*candidate{file("hack/cmd.go", 8), written(file(".github/workflows/release.yaml", 8), "YAML")},
		},
		{
			"code, where it is not", "how are charts rendered",
			[]*candidate{written(file(".github/workflows/release.yaml", 8), "YAML"), file("hack/cmd.go", 8)},
		},
		{
			"a resource before its variable and output", "lifecycle of the bucket",
			[]*candidate{
				written(file("outputs.tf", 8), "HCL"), written(file("variables.tf", 8), "HCL"), written(file("main.tf", 7), "HCL"),
			},
		},
		{
			"an output that is asked for", "output of the bucket's ARN",
			[]*candidate{written(file("main.tf", 7), "HCL"), written(file("outputs.tf", 8), "HCL")},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := rank(models.LevelFile, asks(tt.query), found{own: poolOf(tt.files...)}, len(tt.files))
			var got, want []string
			for i, h := range r.hits {
				got, want = append(got, h.FilePath), append(want, tt.files[len(tt.files)-1-i].FilePath)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
		})
	}
}

// Parts of configuration stand before code where a noun asks for them; in languages of
// another meaning the noun is of no account.
func TestPartsThatAreAskedFor(t *testing.T) {
	of := func(file, name, kind string) *candidate {
		return sym(file, name, func(c *candidate) { scores(8, 0.8)(c); c.Kind = kind })
	}
	step := written(of("ci.yml", "Sign the archives", "step"), "YAML")
	service := written(of("compose.yaml", "postgres", "service"), "YAML")
	stage := written(of("Dockerfile", "Sign the archives", "stage"), "Dockerfile")
	code := sym("sign.go", "signArchives", scores(9, 0.9))
	for query, want := range map[string]string{
		"step that signs the archives": "Sign the archives",
		"how are the archives signed":  "signArchives",
		"sign archives":                "signArchives",
	} {
		r := rank(models.LevelSymbol, asks(query), found{own: poolOf(code, step)}, 2)
		if got := r.hits[0].SymbolName; got != want {
			t.Errorf("%q: %s first, want %s", query, got, want)
		}
	}
	for query, want := range map[string]string{"the postgres service": "postgres", "the redis service": "signArchives"} {
		r := rank(models.LevelSymbol, asks(query), found{own: poolOf(code, service)}, 2)
		if got := r.hits[0].SymbolName; got != want {
			t.Errorf("%q: %s first, want %s", query, got, want)
		}
	}
	r := rank(models.LevelSymbol, asks("stage that signs the archives"), found{own: poolOf(code, stage)}, 2)
	if got := r.hits[0].SymbolName; got != "signArchives" {
		t.Errorf("a stage of a Dockerfile: %s first", got)
	}
}

func TestTestsThatAreAskedFor(t *testing.T) {
	test := sym("mux_test.go", "TestMuxRouter", func(c *candidate) { scores(8, 0.8)(c); c.Test = true })
	of := sym("mux.go", "MuxRouter", scores(9, 0.9))
	for query, want := range map[string]string{
		"tests for MuxRouter": "TestMuxRouter", "MuxRouter tests": "TestMuxRouter", "routes of MuxRouter": "MuxRouter",
	} {
		r := rank(models.LevelSymbol, asks(query), found{own: poolOf(of, test)}, 2)
		if got := r.hits[0].SymbolName; got != want {
			t.Errorf("%q: %s first, want %s", query, got, want)
		}
	}
}

// Where several symbols are around a line, the innermost that has a name is meant.
func TestInnermostAtALine(t *testing.T) {
	lines := func(from, to int, kind string) func(*candidate) {
		return func(c *candidate) { c.StartLine, c.EndLine, c.Kind = from, to, kind }
	}
	p := poolOf(sym("a.go", "T", lines(1, 99, "struct")), sym("a.go", "f", lines(10, 90, "func")),
		sym("a.go", "", lines(20, 40, models.KindChunk)), sym("b/a.go", "g", lines(30, 31, "func")))
	r := rank(models.LevelSymbol, asks("/src/b/a.go:30"), found{own: p}, 4)
	if got := r.hits[0].SymbolName; got != "g" {
		t.Errorf("%q is first, want the one in the file that has all of the path", got)
	}
	if r = rank(models.LevelSymbol, asks("a.go:50"), found{own: p}, 4); r.hits[0].SymbolName != "f" {
		t.Errorf("%q is first, want the innermost around the line", r.hits[0].SymbolName)
	}
	if r = rank(models.LevelSymbol, asks("a.go:30"), found{own: p}, 4); r.hits[0].SymbolName == "" {
		t.Error("a part of a symbol is first, want one with a name")
	}
}

// A reply says which repositories its hits are from where they are scattered and none is named.
func TestHitsOfManyRepositories(t *testing.T) {
	of := func(ids ...models.RepoID) (items []models.SearchResult) {
		for _, id := range ids {
			items = append(items, models.SearchResult{RepoID: id})
		}
		return items
	}
	all := scope{repos: make([]models.Repository, 25), words: "how are routes structured"}
	name := all
	name.words = "ServeMux"
	about := all
	about.about = "o/a"
	for _, tt := range []struct {
		scope scope
		req   Request
		items []models.SearchResult
		want  string
	}{
		{all, Request{}, of("o/b", "o/a", "o/b", "o/c"), "these are of 3 of 25 repositories, o/b, o/a, o/c; " +
			"repo_filter searches one of them alone"},
		{all, Request{}, of("o/a", "o/a", "o/b"), ""},
		{all, Request{RepoFilter: "o/*"}, of("o/a", "o/b", "o/c"), ""},
		{all, Request{Level: models.LevelRepo}, of("o/a", "o/b", "o/c"), ""},
		{name, Request{}, of("o/a", "o/b", "o/c"), ""},
		{about, Request{}, of("o/a"), "only o/a was searched, which the query names; repo_filter * searches all"},
	} {
		if got := tt.scope.searched(tt.req, tt.items); got != tt.want {
			t.Errorf("%v of %q: %q, want %q", tt.req, tt.scope.words, got, tt.want)
		}
	}
}
