package golang

import (
	"go/ast"
	"go/token"

	"github.com/ragnav/ragnav/internal/gosyntax"
	"github.com/ragnav/ragnav/internal/nav/facts"
)

func (w *walker) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		w.function(d)
	case *ast.GenDecl:
		switch d.Tok {
		case token.TYPE:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					w.typeSpec(s)
				}
			}
		case token.VAR, token.CONST:
			w.values(d)
		}
	}
}

func (w *walker) function(d *ast.FuncDecl) {
	before := w.open()
	defer func() { w.scope = before }()
	s := facts.Symbol{Qualified: d.Name.Name, Kind: "func", Parent: -1}
	recv := w.receiver(d, &s)
	if recv == nil {
		s.Params = w.declareParams(d.Type.TypeParams)
	}
	s.Results = w.results(d.Type.Results)
	if len(s.Params) > 0 && recv == nil {
		s.ParameterTypes = w.results(d.Type.Params)
	}
	s.Shape = w.shape(d.Type, s.Params)
	index := -1
	if d.Name.Name != "_" {
		index = w.symbol(s, d.Name, d.Pos(), d.End())
	}
	w.inside(index, func() {
		bounds := w.typeParams(d.Type.TypeParams)
		if index >= 0 {
			w.out.Symbols[index].Bounds = bounds
		}
		if t := gosyntax.ReceiverType(d); t != nil {
			w.ref(t, facts.Type, facts.Nothing) // without type parameters
		}
		w.signature(d.Type)
		if recv != nil { // after the signature: it may be called like its type
			for _, id := range recv.Names {
				w.bind(id, "parameter", recv.Type)
				w.declare(id, value{expr: s.Owner.Value()})
			}
		}
		if d.Body != nil {
			w.inFunction(func() { w.statements(d.Body.List) })
		}
	})
}

// receiver reads a method's receiver into its symbol, and makes its type
// parameters local.
func (w *walker) receiver(d *ast.FuncDecl, s *facts.Symbol) *ast.Field {
	if d.Recv == nil {
		return nil
	}
	s.Kind = "method"
	if len(d.Recv.List) == 0 {
		s.Owner = facts.Unknown
		return nil
	}
	f := d.Recv.List[0]
	name, args := receiverType(f.Type)
	var params []facts.Expr
	for _, a := range args {
		s.Params = append(s.Params, a.Name)
		w.bind(a, "type parameter", nil)
		w.declare(a, value{expr: facts.Name(a.Name), isType: true})
		params = append(params, facts.Name(a.Name))
	}
	if name == "" {
		s.Owner = facts.Unknown
		return f
	}
	s.Qualified = name + "." + d.Name.Name
	s.Owner = facts.Name(name)
	if len(params) > 0 {
		s.Owner = s.Owner.Generic(params...)
	}
	return f
}

// receiverType takes a receiver's type apart into its name and the names of its
// type parameters.
func receiverType(x ast.Expr) (string, []*ast.Ident) {
	switch t := x.(type) {
	case *ast.Ident:
		return t.Name, nil
	case *ast.StarExpr:
		return receiverType(t.X)
	case *ast.ParenExpr:
		return receiverType(t.X)
	case *ast.IndexExpr:
		name, _ := receiverType(t.X)
		return name, identifiers([]ast.Expr{t.Index})
	case *ast.IndexListExpr:
		name, _ := receiverType(t.X)
		return name, identifiers(t.Indices)
	}
	return "", nil
}

func identifiers(list []ast.Expr) []*ast.Ident {
	var out []*ast.Ident
	for _, x := range list {
		id, ok := x.(*ast.Ident)
		if !ok {
			id = ast.NewIdent("_")
		}
		out = append(out, id)
	}
	return out
}

// values reads var and const declarations. A constant without a type and
// value repeats those before it.
func (w *walker) values(d *ast.GenDecl) {
	var repeated facts.Expr
	for _, spec := range d.Specs {
		s, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		first := len(w.out.Symbols)
		for _, id := range s.Names {
			if id.Name != "_" {
				w.symbol(facts.Symbol{Qualified: id.Name, Kind: d.Tok.String(), Parent: -1}, id, s.Pos(), s.End())
			}
		}
		types := w.specTypes(s, first)
		if d.Tok == token.CONST {
			if s.Type == nil && len(s.Values) == 0 {
				for i := range types {
					types[i] = repeated
				}
			} else if len(types) > 0 {
				repeated = types[0]
			}
		}
		index := first
		for i, id := range s.Names {
			if id.Name != "_" {
				w.out.Symbols[index].Type = types[i]
				index++
			}
		}
	}
}

// specTypes walks a specification and returns what is known of its names. The
// first of its symbols has the index first.
func (w *walker) specTypes(s *ast.ValueSpec, first int) []facts.Expr {
	types := make([]facts.Expr, len(s.Names))
	symbols := make([]int, len(s.Names))
	next := first
	for i, id := range s.Names {
		symbols[i] = -1
		if id.Name != "_" {
			symbols[i] = next
			next++
		}
	}
	in := -1
	if next > first {
		in = first
	}
	if s.Type != nil {
		w.inside(in, func() {
			t := w.typeOf(s.Type, in).Value()
			for i := range types {
				types[i] = t
			}
		})
	}
	var values []value
	for i, x := range s.Values {
		at := in
		if i < len(symbols) && symbols[i] >= 0 {
			at = symbols[i]
		}
		w.inside(at, func() {
			if lit := anonymousLiteral(x); lit != nil && at >= 0 && s.Type == nil {
				values = append(values, w.packageLiteral(lit, at))
				return
			}
			values = append(values, w.expr(x, facts.Read))
		})
	}
	if s.Type == nil {
		for i := range types {
			types[i] = w.assigned(values, i, len(types)).expr
		}
	}
	for i := range types {
		if types[i] == facts.Unknown {
			types[i] = facts.Nothing
		}
	}
	return types
}

// anonymousLiteral is the composite literal of a value if its type has a
// struct without a name.
func anonymousLiteral(x ast.Expr) *ast.CompositeLit {
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = u.X
	}
	if lit, ok := x.(*ast.CompositeLit); ok && lit.Type != nil && hasStruct(lit.Type) {
		return lit
	}
	return nil
}

// packageLiteral reads a literal whose fields belong to a package variable.
func (w *walker) packageLiteral(lit *ast.CompositeLit, symbol int) value {
	t := w.typeOf(lit.Type, symbol)
	v := value{expr: t.Value()}
	w.elements(lit, v)
	return v
}
