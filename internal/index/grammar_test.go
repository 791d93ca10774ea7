package index_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/parse"
)

// grammars is an Outliner for Python that finds one symbol a file and fails on
// files that say so, or on all of them when it is away.
type grammars struct {
	revision int
	away     bool
}

func (grammars) Speaks(language string) bool { return language == "Python" }
func (g grammars) Revision() int             { return g.revision }

func (g grammars) Outline(_ context.Context, f parse.File, _ parse.Want) (parse.Outline, error) {
	if g.away {
		return parse.Outline{}, fmt.Errorf("nobody answers: %w", parse.ErrAway)
	}
	if strings.Contains(f.Text, "hangs") {
		return parse.Outline{}, errors.New("it takes too long to parse")
	}
	s := parse.Symbol{Name: "tree", Qualified: "tree", Kind: "func", StartLine: 1, EndLine: 1}
	return parse.Outline{Method: parse.MethodTree, Lines: parse.Lines(f.Text), Symbols: []parse.Symbol{s}}, nil
}

// TestGrammars shows by which method files are parsed as builds with and
// without grammars index the same folder one after another.
func TestGrammars(t *testing.T) {
	b := setUp(t, map[string]string{
		"a.py": "def a():\n    pass\n", "b.py": "def hangs():\n    pass\n",
		"c.go": "package c\n\nfunc C() {}\n",
	})
	methods := func(unparsed int) (got []string) {
		t.Helper()
		if j := b.run(); j.Unparsed != unparsed || (j.UnparsedReason != "") != (unparsed > 0) {
			t.Errorf("%d files whose parser could not be asked (%s), want %d", j.Unparsed, j.UnparsedReason, unparsed)
		}
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
	away := func(file string) string {
		return file + " outline no tree-sitter: nobody answers: " + parse.ErrAway.Error()
	}
	for _, step := range []struct {
		name     string
		outliner parse.Outliner
		want     []string
		unparsed int
	}{
		{"without grammars", nil, patterns, 0},
		{"with grammars, nothing changed on disk", grammars{revision: 1}, trees, 0},
		{"again", grammars{revision: 1}, trees, 0},
		{"without them again, nothing gets worse", nil, trees, 0},
		{
			"newer ones that are away",
			grammars{revision: 2, away: true},
			[]string{away("a.py"), away("b.py"), "c.go go/parser"},
			2,
		},
		{"newer grammars", grammars{revision: 2}, trees, 0},
	} {
		b.open(index.Config{Outliner: step.outliner})
		if diff := cmp.Diff(step.want, methods(step.unparsed)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}
