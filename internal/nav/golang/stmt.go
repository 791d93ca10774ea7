package golang

import (
	"go/ast"
	"go/token"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

func (w *walker) statements(list []ast.Stmt) {
	for _, s := range list {
		w.statement(s)
	}
}

// statement walks a statement in the scope that is open.
func (w *walker) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		expr(w, s.X, facts.Read)
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			w.localDeclaration(d)
		}
	case *ast.IncDecStmt:
		expr(w, s.X, facts.Write)
	case *ast.SendStmt:
		expr(w, s.Chan, facts.Read)
		expr(w, s.Value, facts.Read)
	case *ast.GoStmt:
		expr(w, s.Call, facts.Read)
	case *ast.DeferStmt:
		expr(w, s.Call, facts.Read)
	case *ast.ReturnStmt:
		each(w, s.Results)
	case *ast.LabeledStmt:
		label(w, s.Label)
		w.statement(s.Stmt)
	case *ast.BranchStmt:
		useLabel(w.locals, s.Label)
	case *ast.BlockStmt:
		w.blockStatement(s)
	case *ast.IfStmt:
		w.ifStatement(s)
	case *ast.ForStmt:
		block(w, func() {
			w.optional(s.Init)
			w.condition(s.Cond)
			w.optional(s.Post)
			w.blockStatement(s.Body)
		})
	case *ast.RangeStmt:
		w.rangeStatement(s)
	case *ast.SwitchStmt:
		block(w, func() {
			w.optional(s.Init)
			w.condition(s.Tag)
			w.clauses(s.Body)
		})
	case *ast.TypeSwitchStmt:
		w.typeSwitch(s)
	case *ast.SelectStmt:
		w.clauses(s.Body)
	}
}

func (w *walker) optional(s ast.Stmt) {
	if s != nil {
		w.statement(s)
	}
}

func (w *walker) condition(x ast.Expr) {
	if x != nil {
		expr(w, x, facts.Read)
	}
}

func (w *walker) blockStatement(b *ast.BlockStmt) {
	if b != nil {
		block(w, func() { w.statements(b.List) })
	}
}

// ifStatement walks a chain of else ifs without recursion.
func (w *walker) ifStatement(s *ast.IfStmt) {
	before := w.scope
	for {
		open(w)
		w.optional(s.Init)
		w.condition(s.Cond)
		w.blockStatement(s.Body)
		next, ok := s.Else.(*ast.IfStmt)
		if !ok {
			w.optional(s.Else)
			break
		}
		s = next
	}
	w.scope = before
}

func (w *walker) clauses(b *ast.BlockStmt) {
	if b == nil {
		return
	}
	for _, c := range b.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			each(w, c.List)
			block(w, func() { w.statements(c.Body) })
		case *ast.CommClause:
			block(w, func() {
				w.optional(c.Comm)
				w.statements(c.Body)
			})
		}
	}
}

func (w *walker) assign(s *ast.AssignStmt) {
	values := make([]value, len(s.Rhs))
	for i, x := range s.Rhs {
		values[i] = expr(w, x, facts.Read)
	}
	if s.Tok != token.DEFINE {
		for _, x := range s.Lhs {
			expr(w, x, facts.Write)
		}
		return
	}
	for i, x := range s.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok {
			expr(w, x, facts.Write) // only in broken code
			continue
		}
		if l, again := w.scope.names[id.Name]; again {
			useOf(w, id, l.at, facts.Write)
			continue
		}
		bind(w, id, "variable", nil)
		declare(w.scope, id, variable(assigned(w, values, i, len(s.Lhs))))
	}
}

// variable is what a variable holds that was given a value.
func variable(v value) value {
	v.callee = nil
	v.isType = false
	return v
}

// localDeclaration is a declaration inside of a function.
func (w *walker) localDeclaration(d *ast.GenDecl) {
	var repeated value
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			w.localType(s)
		case *ast.ValueSpec:
			var values []value
			for _, x := range s.Values {
				values = append(values, expr(w, x, facts.Read))
			}
			var typ *value
			if s.Type != nil {
				typeOf(w, s.Type, -1)
				v := valueOf(w, s.Type, w.scope)
				typ = &v
			}
			for i, id := range s.Names {
				switch {
				case typ != nil:
					repeated = *typ
				case len(values) > 0:
					repeated = variable(assigned(w, values, i, len(s.Names)))
				}
				bind(w, id, localKinds[d.Tok], s.Type)
				declare(w.scope, id, repeated)
			}
		}
	}
}

// localKinds are the kinds of what is declared inside of a function.
var localKinds = map[token.Token]string{token.VAR: "variable", token.CONST: "constant"}

// localType declares a type inside of a function. It is known before its own
// declaration is read.
func (w *walker) localType(s *ast.TypeSpec) {
	if s.Name == nil || s.Name.Name == "_" {
		return
	}
	bind(w, s.Name, "type", nil)
	declare(w.scope, s.Name, value{expr: facts.External, isType: true})
	w.scope.names[s.Name.Name].spec = s
	var typ facts.Expr
	block(w, func() {
		declareParams(w, s.TypeParams)
		typeParams(w, s.TypeParams)
		typ = typeOf(w, s.Type, -1)
	})
	w.scope.names[s.Name.Name].value.expr = typ
}

func (w *walker) rangeStatement(s *ast.RangeStmt) {
	v := expr(w, s.X, facts.Read)
	v.callee = nil
	block(w, func() {
		for i, x := range []ast.Expr{s.Key, s.Value} {
			if x == nil {
				continue
			}
			id, ok := x.(*ast.Ident)
			if s.Tok != token.DEFINE || !ok {
				expr(w, x, facts.Write)
				continue
			}
			if bind(w, id, "variable", nil); i == 0 {
				declare(w.scope, id, keyOf(w, v))
			} else {
				declare(w.scope, id, element(w, v))
			}
		}
		w.blockStatement(s.Body)
	})
}

// typeSwitch gives the variable of each clause with one type that type.
func (w *walker) typeSwitch(s *ast.TypeSwitchStmt) {
	block(w, func() {
		w.optional(s.Init)
		var id *ast.Ident
		var whole value
		switch a := s.Assign.(type) {
		case *ast.AssignStmt:
			if len(a.Lhs) == 1 && len(a.Rhs) == 1 {
				id, _ = a.Lhs[0].(*ast.Ident)
				bind(w, id, "variable", nil)
				whole = w.asserted(a.Rhs[0])
			}
		case *ast.ExprStmt:
			whole = w.asserted(a.X)
		}
		if s.Body == nil {
			return
		}
		for _, c := range s.Body.List {
			if c, ok := c.(*ast.CaseClause); ok {
				w.typeClause(c, id, whole)
			}
		}
	})
}

// asserted is the value of which a type switch asks the type.
func (w *walker) asserted(x ast.Expr) value {
	if t, ok := x.(*ast.TypeAssertExpr); ok {
		v := expr(w, t.X, facts.Read)
		v.callee = nil
		return v
	}
	return expr(w, x, facts.Read)
}

func (w *walker) typeClause(c *ast.CaseClause, id *ast.Ident, whole value) {
	for _, t := range c.List {
		if n, ok := t.(*ast.Ident); ok && n.Name == "nil" {
			continue
		}
		typeOf(w, t, -1)
	}
	block(w, func() {
		v := whole
		if len(c.List) == 1 {
			if n, ok := c.List[0].(*ast.Ident); !ok || n.Name != "nil" {
				v = valueOf(w, c.List[0], w.scope)
			}
		}
		declare(w.scope, id, v)
		w.statements(c.Body)
	})
}
