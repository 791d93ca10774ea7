package golang

import (
	"go/ast"
	"go/token"

	"github.com/ragnav/ragnav/internal/gosyntax"
	"github.com/ragnav/ragnav/internal/nav/facts"
)

func declaration(w *walker, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		function(w, d)
	case *ast.GenDecl:
		switch d.Tok {
		case token.TYPE:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					typeSpec(w, s)
				}
			}
		case token.VAR, token.CONST:
			values(w, d)
		}
	}
}

func function(w *walker, d *ast.FuncDecl) {
	before := open(w)
	defer func() { w.scope = before }()
	s := facts.Symbol{Qualified: d.Name.Name, Kind: "func", Parent: -1}
	recv := receiver(w, d, &s)
	if recv == nil {
		s.Params = declareParams(w, d.Type.TypeParams)
	}
	s.Results = results(w, d.Type.Results)
	if len(s.Params) > 0 && recv == nil {
		s.ParameterTypes = results(w, d.Type.Params)
	}
	s.Shape = shape(w, d.Type, s.Params)
	index := -1
	if d.Name.Name != "_" {
		index = w.symbol(s, d.Name, d.Pos(), d.End())
	}
	w.inside(index, func() {
		bounds := typeParams(w, d.Type.TypeParams)
		if index >= 0 {
			w.out.Symbols[index].Bounds = bounds
		}
		if t := gosyntax.ReceiverType(d); t != nil {
			w.ref(t, facts.Type, facts.Nothing) // without type parameters
		}
		signature(w, d.Type)
		if recv != nil { // after the signature: it may be called like its type
			for _, id := range recv.Names {
				bind(w, id, "parameter", recv.Type)
				declare(w.scope, id, value{expr: s.Owner.Value()})
			}
		}
		if d.Body != nil {
			inFunction(w, func() { w.statements(d.Body.List) })
		}
	})
}

// receiver reads a method's receiver into its symbol, and makes its type
// parameters local.
func receiver(w *walker, d *ast.FuncDecl, s *facts.Symbol) *ast.Field {
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
		bind(w, a, "type parameter", nil)
		declare(w.scope, a, value{expr: facts.Name(a.Name), isType: true})
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
func values(w *walker, d *ast.GenDecl) {
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
		types := specTypes(w, s, first)
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
func specTypes(w *walker, s *ast.ValueSpec, first int) []facts.Expr {
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
			t := typeOf(w, s.Type, in).Value()
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
				values = append(values, packageLiteral(w, lit, at))
				return
			}
			values = append(values, expr(w, x, facts.Read))
		})
	}
	if s.Type == nil {
		for i := range types {
			types[i] = assigned(w, values, i, len(types)).expr
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
func packageLiteral(w *walker, lit *ast.CompositeLit, symbol int) value {
	t := typeOf(w, lit.Type, symbol)
	v := value{expr: t.Value()}
	elements(w, lit, v)
	return v
}
