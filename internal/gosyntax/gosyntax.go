// Package gosyntax holds what every reader of Go source needs around go/parser.
package gosyntax

import (
	"go/ast"
	"strings"
)

// MaxNesting is the depth of brackets above which a text is not to be given to
// go/parser, which would need hundreds of megabytes of stack to refuse it.
const MaxNesting = 2000

// TooDeep reports whether a text may nest brackets more than MaxNesting deep.
// Brackets in strings and comments count too: the guard need not be exact.
func TooDeep(text string) bool {
	if strings.Count(text, "(")+strings.Count(text, "[")+strings.Count(text, "{") <= MaxNesting {
		return false
	}
	step := [256]int{'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}
	depth := 0
	for i := range len(text) {
		if depth = max(depth+step[text[i]], 0); depth > MaxNesting {
			return true
		}
	}
	return false
}

// ReceiverType is the name of a method's type, without pointer and type
// parameters; nil of a function, and where the syntax names none.
func ReceiverType(d *ast.FuncDecl) *ast.Ident {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return nil
	}
	for x := d.Recv.List[0].Type; ; {
		switch t := x.(type) {
		case *ast.Ident:
			return t
		case *ast.StarExpr:
			x = t.X
		case *ast.ParenExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		default:
			return nil
		}
	}
}
