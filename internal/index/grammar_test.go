package index_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/parse"
)

// grammars is an Outliner for Python that finds one symbol a file and fails on
// files that say so.
type grammars struct{ revision int }

func (grammars) Speaks(language string) bool { return language == "Python" }
func (g grammars) Revision() int             { return g.revision }

func (grammars) Outline(_ context.Context, f parse.File, _ parse.Want) (parse.Outline, error) {
	if strings.Contains(f.Text, "hangs") {
		return parse.Outline{}, errors.New("it takes too long to parse")
	}
	s := parse.Symbol{Name: "tree", Qualified: "tree", Kind: "func", StartLine: 1, EndLine: 1}
	return parse.Outline{Method: parse.MethodTree, Lines: parse.Lines(f.Text), Symbols: []parse.Symbol{s}}, nil
}

// TestGrammars shows by which method files are parsed as builds with and
// without grammars index the same folder one after another.
func TestGrammars(t *testing.T) {
	b := setUp(t, map[string]string{"a.py": "def a():\n    pass\n", "b.py": "def hangs():\n    pass\n", "c.go": "package c\n\nfunc C() {}\n"})
	methods := func() (got []string) {
		t.Helper()
		b.run()
		res, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range res.Items {
			got = append(got, strings.TrimSpace(item.FilePath+" "+item.Method+" "+item.Detail))
		}
		return got
	}
	patterns := []string{"a.py outline", "b.py outline", "c.go go/parser"}
	trees := []string{"a.py tree-sitter", "b.py outline no tree-sitter: it takes too long to parse", "c.go go/parser"}
	for _, step := range []struct {
		name     string
		outliner parse.Outliner
		want     []string
	}{
		{"without grammars", nil, patterns},
		{"with grammars, nothing changed on disk", grammars{1}, trees},
		{"again", grammars{1}, trees},
		{"without them again, nothing gets worse", nil, trees},
		{"newer grammars", grammars{2}, trees},
	} {
		b.open(index.Config{Outliner: step.outliner})
		if diff := cmp.Diff(step.want, methods()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}
