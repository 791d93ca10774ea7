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
		w.expr(s.X, facts.Read)
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			w.localDeclaration(d)
		}
	case *ast.IncDecStmt:
		w.expr(s.X, facts.Write)
	case *ast.SendStmt:
		w.expr(s.Chan, facts.Read)
		w.expr(s.Value, facts.Read)
	case *ast.GoStmt:
		w.expr(s.Call, facts.Read)
	case *ast.DeferStmt:
		w.expr(s.Call, facts.Read)
	case *ast.ReturnStmt:
		w.each(s.Results)
	case *ast.LabeledStmt:
		w.label(s.Label)
		w.statement(s.Stmt)
	case *ast.BranchStmt:
		w.useLabel(s.Label)
	case *ast.BlockStmt:
		w.blockStatement(s)
	case *ast.IfStmt:
		w.ifStatement(s)
	case *ast.ForStmt:
		w.block(func() {
			w.optional(s.Init)
			w.condition(s.Cond)
			w.optional(s.Post)
			w.blockStatement(s.Body)
		})
	case *ast.RangeStmt:
		w.rangeStatement(s)
	case *ast.SwitchStmt:
		w.block(func() {
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
		w.expr(x, facts.Read)
	}
}

func (w *walker) blockStatement(b *ast.BlockStmt) {
	if b != nil {
		w.block(func() { w.statements(b.List) })
	}
}

// ifStatement walks a chain of else ifs without recursion.
func (w *walker) ifStatement(s *ast.IfStmt) {
	before := w.scope
	for {
		w.open()
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
			w.each(c.List)
			w.block(func() { w.statements(c.Body) })
		case *ast.CommClause:
			w.block(func() {
				w.optional(c.Comm)
				w.statements(c.Body)
			})
		}
	}
}

func (w *walker) assign(s *ast.AssignStmt) {
	values := make([]value, len(s.Rhs))
	for i, x := range s.Rhs {
		values[i] = w.expr(x, facts.Read)
	}
	if s.Tok != token.DEFINE {
		for _, x := range s.Lhs {
			w.expr(x, facts.Write)
		}
		return
	}
	for i, x := range s.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok {
			w.expr(x, facts.Write) // only in broken code
			continue
		}
		if l, again := w.scope.names[id.Name]; again {
			w.use(id, l.at, facts.Write)
			continue
		}
		w.bind(id, "variable", nil)
		w.declare(id, variable(w.assigned(values, i, len(s.Lhs))))
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
				values = append(values, w.expr(x, facts.Read))
			}
			var typ *value
			if s.Type != nil {
				w.typeOf(s.Type, -1)
				v := w.valueOf(s.Type, w.scope)
				typ = &v
			}
			for i, id := range s.Names {
				switch {
				case typ != nil:
					repeated = *typ
				case len(values) > 0:
					repeated = variable(w.assigned(values, i, len(s.Names)))
				}
				w.bind(id, localKinds[d.Tok], s.Type)
				w.declare(id, repeated)
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
	w.bind(s.Name, "type", nil)
	w.declare(s.Name, value{expr: facts.External, isType: true})
	w.scope.names[s.Name.Name].spec = s
	var typ facts.Expr
	w.block(func() {
		w.declareParams(s.TypeParams)
		w.typeParams(s.TypeParams)
		typ = w.typeOf(s.Type, -1)
	})
	w.scope.names[s.Name.Name].value.expr = typ
}

func (w *walker) rangeStatement(s *ast.RangeStmt) {
	v := w.expr(s.X, facts.Read)
	v.callee = nil
	w.block(func() {
		for i, x := range []ast.Expr{s.Key, s.Value} {
			if x == nil {
				continue
			}
			id, ok := x.(*ast.Ident)
			if s.Tok != token.DEFINE || !ok {
				w.expr(x, facts.Write)
				continue
			}
			if w.bind(id, "variable", nil); i == 0 {
				w.declare(id, w.key(v))
			} else {
				w.declare(id, w.element(v))
			}
		}
		w.blockStatement(s.Body)
	})
}

// typeSwitch gives the variable of each clause with one type that type.
func (w *walker) typeSwitch(s *ast.TypeSwitchStmt) {
	w.block(func() {
		w.optional(s.Init)
		var id *ast.Ident
		var whole value
		switch a := s.Assign.(type) {
		case *ast.AssignStmt:
			if len(a.Lhs) == 1 && len(a.Rhs) == 1 {
				id, _ = a.Lhs[0].(*ast.Ident)
				w.bind(id, "variable", nil)
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
		v := w.expr(t.X, facts.Read)
		v.callee = nil
		return v
	}
	return w.expr(x, facts.Read)
}

func (w *walker) typeClause(c *ast.CaseClause, id *ast.Ident, whole value) {
	for _, t := range c.List {
		if n, ok := t.(*ast.Ident); ok && n.Name == "nil" {
			continue
		}
		w.typeOf(t, -1)
	}
	w.block(func() {
		v := whole
		if len(c.List) == 1 {
			if n, ok := c.List[0].(*ast.Ident); !ok || n.Name != "nil" {
				v = w.valueOf(c.List[0], w.scope)
			}
		}
		w.declare(id, v)
		w.statements(c.Body)
	})
}
