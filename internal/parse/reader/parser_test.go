package reader_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
)

// grammars is an Outliner that knows Python and Go.
type grammars struct {
	out parse.Outline
	err error
}

func (grammars) Speaks(language string) bool { return language == "Python" || language == "Go" }

func (grammars) Revision() int { return 1 }

func (g grammars) Outline(context.Context, parse.File, parse.Want) (parse.Outline, error) {
	return g.out, g.err
}

func TestParser(t *testing.T) {
	const text = "def f():\n  pass\n"
	tree := parse.Outline{Method: parse.MethodTree, Symbols: []parse.Symbol{{Name: "f"}}}
	for _, tt := range []struct {
		name     string
		outliner parse.Outliner
		file     parse.File
		method   string
		detail   string
	}{
		{"no outliner", nil, parse.File{Path: "a.py", Language: "Python", Text: text}, parse.MethodOutline, ""},
		{"by grammar", grammars{out: tree}, parse.File{Path: "a.py", Language: "Python", Text: text}, parse.MethodTree, ""},
		{
			"language without grammar",
			grammars{out: tree},
			parse.File{Path: "a.rb", Language: "Ruby", Text: "def f\nend\n"},
			parse.MethodOutline, "",
		},
		{"Go stays", grammars{out: tree}, parse.File{Path: "a.go", Language: "Go", Text: "package a\n"}, parse.MethodGo, ""},
		{
			"documents stay",
			grammars{out: tree},
			parse.File{Path: "a.md", Language: "Python", Text: "# A\n"},
			parse.MethodSections, "",
		},
		{"blank", grammars{out: tree}, parse.File{Path: "a.py", Language: "Python", Text: "\n"}, parse.MethodChunks, ""},
		{
			"no symbols",
			grammars{out: parse.Outline{Method: parse.MethodTree}},
			parse.File{Path: "a.py", Language: "Python", Text: "x\n"},
			parse.MethodChunks, "",
		},
		{
			"failed",
			grammars{err: errors.New("it takes too long")},
			parse.File{Path: "a.py", Language: "Python", Text: text},
			parse.MethodOutline, "no tree-sitter: it takes too long",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := reader.Parser{Outliner: tt.outliner}.Parse(t.Context(), tt.file, parse.WantSymbols)
			if diff := cmp.Diff([]string{tt.method, tt.detail}, []string{out.Method, out.Detail}); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
