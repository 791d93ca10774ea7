package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ragnav/ragnav/internal/nav/precise"
)

// A place is where a name stands.
type place struct {
	path         string // relative to the module, with slashes
	line, column int
}

func (p place) String() string { return fmt.Sprintf("%s:%d:%d", p.path, p.line, p.column) }

// gold is what the type checker says.
type gold struct {
	uses  map[place]place // use to declaration; the zero place if that is not of the module
	decls map[place]decl
	files map[string]bool // that were checked without errors
	bad   int             // packages with errors

	types      map[place]bool // declared types without parameters
	implements map[pair]bool
}

// A decl is a declaration that may be asked for.
type decl struct {
	name, kind string
	at         place
}

// check type-checks a module with its tests.
func check(dir string, patterns []string) (*gold, error) {
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps,
		Dir: dir, Tests: true, Env: append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off"),
	}
	list, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	g := &gold{
		uses: map[place]place{}, decls: map[place]decl{}, files: map[string]bool{}, types: map[place]bool{},
		implements: map[pair]bool{},
	}
	for _, p := range list {
		if len(p.Errors) > 0 || p.IllTyped {
			g.bad++
			continue
		}
		g.add(dir, p)
	}
	g.pairs(list, func(p *packages.Package, pos token.Pos) (place, bool) { return within(dir, p.Fset, pos) })
	return g, nil
}

func (g *gold) add(dir string, p *packages.Package) {
	at := func(pos token.Pos) (place, bool) { return within(dir, p.Fset, pos) }
	for _, f := range p.Syntax {
		if where, ok := at(f.Package); ok {
			g.files[where.path] = true
		}
	}
	bodies := bodiesOf(p.Syntax)
	for id, obj := range p.TypesInfo.Defs {
		if kind := kindOf(obj, bodies); kind != "" && id.Name != "_" {
			if where, ok := at(id.Pos()); ok {
				g.decls[where] = decl{id.Name, kind, where}
			}
		}
	}
	for id, obj := range p.TypesInfo.Uses {
		use, ok := at(id.Pos())
		if !ok {
			continue
		}
		g.uses[use] = place{}
		if def, ok := at(precise.Origin(obj).Pos()); ok && obj.Pkg() != nil {
			g.uses[use] = def
		}
	}
}

// within is a place in the module, false if it is elsewhere.
func within(dir string, fset *token.FileSet, pos token.Pos) (place, bool) {
	w := fset.PositionFor(pos, false)
	rel, err := filepath.Rel(dir, w.Filename)
	if err != nil || !pos.IsValid() || strings.HasPrefix(rel, "..") {
		return place{}, false
	}
	return place{filepath.ToSlash(rel), w.Line, w.Column}, true
}

// bodiesOf are the bodies of functions, whose declarations are local.
func bodiesOf(files []*ast.File) (out []ast.Node) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					out = append(out, n.Body)
				}
				return false
			case *ast.FuncLit:
				out = append(out, n.Body)
				return false
			}
			return true
		})
	}
	return out
}

// kindOf is the kind of a declaration that is not local, else "".
func kindOf(obj types.Object, bodies []ast.Node) string {
	if obj == nil || obj.Pkg() == nil {
		return ""
	}
	global := obj.Parent() == obj.Pkg().Scope()
	switch o := obj.(type) {
	case *types.Func:
		recv := o.Signature().Recv()
		switch {
		case recv == nil:
			return "func"
		case types.IsInterface(recv.Type()):
			if local(obj, bodies) {
				return ""
			}
			return "interface method"
		}
		return "method"
	case *types.Var:
		if o.IsField() {
			if local(obj, bodies) {
				return ""
			}
			return "field"
		}
		if global {
			return "var"
		}
	case *types.Const:
		if global {
			return "const"
		}
	case *types.TypeName:
		if global {
			return "type"
		}
	}
	return ""
}

func local(obj types.Object, bodies []ast.Node) bool {
	return slices.ContainsFunc(bodies, func(n ast.Node) bool { return n.Pos() <= obj.Pos() && obj.Pos() < n.End() })
}
