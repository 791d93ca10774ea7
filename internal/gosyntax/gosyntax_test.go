package gosyntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestTooDeep(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"at the limit":       {strings.Repeat("(", MaxNesting), false},
		"above it":           {strings.Repeat("[", MaxNesting+1), true},
		"many side by side":  {strings.Repeat("{}", 10*MaxNesting), false},
		"closed before open": {strings.Repeat(")", MaxNesting) + strings.Repeat("(", MaxNesting+1), true},
		"mixed":              {strings.Repeat("([{", MaxNesting/3+1), true},
	} {
		if got := TooDeep(test.text); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestReceiverType(t *testing.T) {
	for source, want := range map[string]string{
		"func F()":                  "",
		"func (T) F()":              "T",
		"func (t *T) F()":           "T",
		"func (t *(T)) F()":         "T",
		"func (t Pair[K, V]) F()":   "Pair",
		"func (t *List[E]) F()":     "List",
		"func () F()":               "",
		"func (t struct{}) F()":     "",
		"func (t pkg.Other) F() {}": "",
	} {
		tree, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+source, parser.SkipObjectResolution)
		got := ""
		if id := ReceiverType(tree.Decls[0].(*ast.FuncDecl)); id != nil {
			got = id.Name
		}
		if got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}
