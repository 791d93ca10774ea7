package reader_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
)

// A statement that a grammar does not know hides what follows it. Long runs of lines
// without a function are looked at by the table of patterns.
func TestParserLooksAgain(t *testing.T) {
	lost := "def lost():\n  return 1\n\nclass Hidden(Base):\n  def run(self):\n    pass\n\n"
	text := "def first():\n  pass\n\n" + lost + strings.Repeat("x = 1\n", 40) + "def last():\n  first()\n"
	end := parse.Lines(text)
	known := []parse.Symbol{
		{Name: "first", Kind: "func", StartLine: 1, EndLine: 2},
		{Name: "last", Kind: "func", StartLine: end - 1, EndLine: end},
	}
	read := func(text string, symbols []parse.Symbol) (names []string, refers int) {
		out := reader.Parser{Outliner: grammars{out: parse.Outline{
			Symbols: slices.Clone(symbols), References: []parse.Reference{{Name: "first", Line: end, Symbol: 1}},
		}}}.Parse(t.Context(), parse.File{Path: "a.py", Language: "Python", Text: text}, parse.WantReferences)
		for _, s := range out.Symbols {
			names = append(names, s.Name)
		}
		return names, out.References[0].Symbol
	}
	names, refers := read(text, known)
	if diff := cmp.Diff([]string{"first", "lost", "Hidden", "run", "last"}, names); diff != "" {
		t.Errorf("symbols (-want +got)\n%s", diff)
	}
	if refers != len(names)-1 {
		t.Errorf("the reference in last is one of symbol %d, want %d", refers, len(names)-1)
	}
	for name, symbols := range map[string][]parse.Symbol{
		"in a function": {{Name: "all", Kind: "func", StartLine: 1, EndLine: end}, known[1]},
		"short":         {known[0], {Name: "long", Kind: "func", StartLine: 12, EndLine: end}},
	} {
		if got, _ := read(text, symbols); len(got) != len(symbols) {
			t.Errorf("%s: symbols %v, want none besides those of the grammar", name, got)
		}
	}
}

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
