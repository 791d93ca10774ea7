package golang

import (
	"go/ast"
	"go/token"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A scope is a block of local names. The outermost holds none: the names of
// the file and package are not local.
type scope struct {
	parent *scope
	names  map[string]*local
}

// A local is what is known of a local name.
type local struct {
	value value
	spec  *ast.TypeSpec // of a local type
	at    token.Pos
}

// A value is what is known of an expression.
type value struct {
	expr   facts.Expr // of a type the type itself
	isType bool
	// typ is its type as written when that has parts that only this file
	// knows: local types, structs without a name. scope is where it is read.
	typ   ast.Expr
	scope *scope
	// callee is what was called, to get further results, and args what with,
	// or nil if that is of no interest.
	callee *value
	args   []facts.Expr
}

var (
	someValue = value{expr: facts.External}
	noValue   = value{expr: facts.Unknown}
)

func open(w *walker) *scope {
	before := w.scope
	parent := before
	if parent != nil && len(parent.names) == 0 && parent.parent != nil {
		parent = parent.parent // names come to it only when this one is closed
	}
	w.scope = &scope{parent: parent}
	return before
}

// block runs do in a new scope.
func block(w *walker, do func()) {
	before := open(w)
	do()
	w.scope = before
}

// declare makes a name local.
func declare(scope *scope, id *ast.Ident, v value) {
	if id == nil || id.Name == "_" || id.Name == "" {
		return
	}
	if scope.names == nil {
		scope.names = map[string]*local{}
	}
	scope.names[id.Name] = &local{value: v, at: id.Pos()}
}

// maxScopes is how far names are looked for outwards. A chain of else ifs can
// be longer than any code that someone wrote.
const maxScopes = 1000

// lookup finds a local name that is declared before its use. A type may be
// read long after it was written, when its scope has more names.
func (s *scope) lookup(id *ast.Ident) (*local, *scope) {
	for n := 0; s != nil && n < maxScopes; s, n = s.parent, n+1 {
		if l, ok := s.names[id.Name]; ok && l.at <= id.Pos() {
			return l, s
		}
	}
	return nil, nil
}

// Types that are made of one that is not known are not known either.

func listOf(elem facts.Expr) facts.Expr {
	if !elem.Known() {
		return elem
	}
	return facts.List(elem)
}

func mapOf(key, elem facts.Expr) facts.Expr {
	for _, e := range []facts.Expr{key, elem} {
		if !e.Known() {
			return e
		}
	}
	return facts.Map(key, elem)
}

func unionOf(a, b facts.Expr) facts.Expr {
	for _, e := range []facts.Expr{a, b} {
		if !e.Known() {
			return e
		}
	}
	return facts.Union(a, b)
}

// funcOf is a function; of several results those that are not known are left
// open.
func funcOf(results []facts.Expr) facts.Expr {
	if len(results) == 1 && !results[0].Known() {
		return results[0]
	}
	return facts.Func(results...)
}

// genericOf is a type or function with type arguments, of which those that are
// not known are left open if there are several.
func genericOf(e facts.Expr, args []facts.Expr) facts.Expr {
	if len(args) == 1 && !args[0].Known() {
		return args[0]
	}
	return e.Generic(args...)
}

// predeclared are names that mean nothing of the repository and are not kept
// as references, unless the file itself declares them. Other predeclared names
// are often declared in packages, so they are kept.
var predeclared = map[string]bool{
	"nil": true, "true": true, "false": true, "iota": true, "string": true, "bool": true, "error": true, "any": true,
	"byte": true, "rune": true, "int": true, "int8": true, "int16": true, "int32": true, "int64": true, "uint": true,
	"uint8":  true,
	"uint16": true, "uint32": true, "uint64": true, "uintptr": true, "float32": true, "float64": true, "complex64": true,
	"complex128": true, "len": true, "append": true, "make": true, "panic": true, "new": true,
}

// isPredeclared reports whether a name that is not local is predeclared.
func isPredeclared(top map[string]*ast.TypeSpec, name string) bool {
	if !predeclared[name] {
		return false
	}
	_, own := top[name]
	return !own
}
