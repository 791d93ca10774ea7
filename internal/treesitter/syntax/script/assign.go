package script

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// returned gives a function without a written result what it returns.
func returned(p *walker, n binder.At) {
	f := p.Up(n, "function_declaration", "generator_function_declaration", "function_expression", "function",
		"arrow_function", "method_definition", "generator_function")
	v := p.Nth(n, 0)
	if f < 0 || v < 0 {
		return
	}
	if from, ok := p.result(f); ok {
		p.expect(v, from)
	}
	if p.Child(f, "return_type") >= 0 {
		return
	}
	sc := p.Scopes[f]
	if sc == nil || sc.Symbol == nil || sc.Parent != nil && sc.Parent.Symbol == sc.Symbol ||
		len(sc.Symbol.ResultSources) >= binder.Most {
		return
	}
	s := sc.Symbol
	if s.Kind == "property" {
		s.Values = append(s.Values, binder.Source{Node: v})
		return
	}
	result := binder.Source{Node: v}
	if p.Kind(inner(p.Tree, v)) == "this" {
		result = binder.ValueOfType(inner(p.Tree, v))
	}
	s.ResultSources = append(s.ResultSources, result)
	own(p, v, s)
}

// ownReturned makes the members of an object literal those of a function that
// gives it a name first and then returns it.
func ownReturned(p *walker, body binder.At, s *binder.Symbol) {
	if p.Kind(body) != "statement_block" {
		return
	}
	returned := make(map[string]bool)
	for c := range p.Named(body) {
		if v := p.Nth(c, 0); p.Kind(c) == "return_statement" && p.Kind(v) == "identifier" {
			returned[p.TextAt(v)] = true
		}
	}
	if len(returned) == 0 {
		return
	}
	for c := range p.Named(body) {
		for d := range p.Named(c) {
			if p.Kind(d) == "variable_declarator" && p.Child(d, "type") < 0 && returned[p.TextAt(p.Child(d, "name"))] {
				own(p, p.Child(d, "value"), s)
			}
		}
	}
}

// assigned declares what an assignment to a member declares: fields that are
// assigned on this, what is exported the old way, members of functions and
// objects of this file. It reports whether it has gone into the value.
func assigned(p *walker, n binder.At) bool {
	left, right := p.Child(n, "left"), p.Child(n, "right")
	if p.Kind(left) != "member_expression" {
		return false
	}
	object, prop := p.Child(left, "object"), p.Child(left, "property")
	if out := p.Outlined[int(p.Nodes[left].Start)]; out != nil { // the outline has where the whole begins
		delete(p.Outlined, int(p.Nodes[left].Start))
		p.Outlined[int(p.Nodes[prop].Start)] = out
	}
	switch {
	case p.Kind(object) == "this":
		fieldOfThis(p, n, left, prop, right)
	case p.TextAt(left) == "module.exports":
		return exportsAssigned(p, n, prop, right)
	case isExports(p, object):
		if p.self == 0 {
			p.self = p.Imported(prop, facts.Import{Local: "_"}) + 1
		}
		if p.Kind(right) == "identifier" { // what it names is meant; the symbol is for what is not of the repository
			p.Imported(prop, facts.Import{Name: p.TextAt(right), Local: p.TextAt(prop), Export: true})
			if v, sc := p.ScopeAround(n).Find(p.TextAt(right), true); v == nil || sc != p.Top || v.Symbol != nil {
				return false
			}
		}
		s := p.DeclareSymbol(prop, n, "const", nil)
		s.Exported, s.Static = true, true
		return valued(p, s, right, binder.MarkUnknown)
	case p.Kind(object) == "identifier":
		if parent := owner(p, n, object); parent != nil && (parent.Kind == "func" || parent.Kind == "const") &&
			parent.Members[p.TextAt(prop)] == nil && !slices.ContainsFunc(parent.Values, binder.Source.IsDeclared) {
			s := p.DeclareSymbol(prop, n, "field", parent)
			s.Static, s.Exported = true, parent.Exported
			parent.Expando = true
			return valued(p, s, right, binder.MarkOwner)
		}
	case p.Kind(object) == "member_expression" && p.TextAt(p.Child(object, "property")) == "prototype":
		if parent := owner(p, n, p.Child(object, "object")); parent != nil && parent.Members[p.TextAt(prop)] == nil {
			s := p.DeclareSymbol(prop, n, "field", parent)
			s.Exported = parent.Exported
			parent.Constructs = parent.Kind == "func"
			return valued(p, s, right, binder.MarkOwner)
		}
	}
	return false
}

// isExports reports whether an expression stands for what the module exports, which a variable
// at the top may be: helpers of "var helpers = exports".
func isExports(p *walker, n binder.At) bool {
	if t := p.TextAt(n); t == "exports" || t == "module.exports" || p.Kind(n) != "identifier" {
		return t == "exports" || t == "module.exports"
	}
	v, sc := p.ScopeAround(n).Find(p.TextAt(n), true)
	if v == nil || sc != p.Top || v.Symbol == nil || len(v.Symbol.Values) != 1 || !v.Symbol.Values[0].IsPlain() {
		return false
	}
	value := p.TextAt(v.Symbol.Values[0].Node)
	return value == "exports" || value == "module.exports"
}

// owner is the function, class or variable of this file that a name at the
// top is.
func owner(p *walker, n, name binder.At) *binder.Symbol {
	if p.Kind(name) != "identifier" || p.ScopeAround(n).Function() != p.Top {
		return nil
	}
	v, sc := p.ScopeAround(n).Find(p.TextAt(name), true)
	if v == nil || sc != p.Top || v.Symbol == nil || len(v.Again) > 0 {
		return nil
	}
	return v.Symbol
}

// fieldOfThis declares a field of the class around in JavaScript, also of a
// function that is written like one. In TypeScript a class declares its fields:
// what is assigned there is its own or one that it inherits.
func fieldOfThis(p *walker, n, left, prop, right binder.At) {
	if !strings.HasPrefix(p.Language, "J") {
		return
	}
	c := classAround(p, n)
	if f := p.ScopeAround(n).Function(); c == nil && f.Symbol != nil && f.Symbol.Kind == "func" &&
		f.Symbol.Enclosing == nil && binder.IsUpper(f.Symbol.Name) {
		c = f.Symbol
		c.Constructs = true
	}
	if c != nil && c.Members[p.TextAt(prop)] == nil {
		s := p.DeclareSymbol(prop, left, "field", c)
		from := binder.Source{Node: right}
		if said, ok := documented(p, n); ok {
			from = said
			p.expect(right, from)
		}
		s.Values = append(s.Values, from)
	}
}

// valued gives a symbol what is assigned to it; self is what this is in it if
// it is a function. It reports whether it has gone into the value.
func valued(p *walker, s *binder.Symbol, val binder.At, self binder.Mark) bool {
	switch k := p.Kind(val); {
	case isFunctionNode(k):
		if s.Kind != "func" {
			s.Kind = "method"
		}
		if s.Enclosing == nil {
			s.Kind = "func"
		}
		p.closure(val, s)
		if k != "arrow_function" && self != binder.MarkUnknown {
			p.Scopes[val].Self = self
		}
		return true
	case k == "class" && p.Child(val, "name") < 0:
		s.Kind = "class"
		classBody(p, val, s)
		return true
	}
	if s.Kind == "method" || s.Kind == "func" {
		s.Kind = "const"
	}
	s.Values = append(s.Values, binder.Source{Node: val})
	own(p, val, s)
	return false
}

// cast says what an object literal is said to be behind it.
func cast(p *walker, n binder.At) {
	val, typ := p.Nth(n, 0), p.Nth(n, 1)
	if p.Kind(n) == "type_assertion" {
		val, typ = typ, p.Nth(val, 0)
	}
	if typ >= 0 {
		p.expect(val, binder.ValueOfType(typ))
	}
}

func classAround(p *walker, n binder.At) *binder.Symbol {
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		switch p.Kind(up) {
		case "class_body":
			if sc := p.Scopes[up]; sc != nil {
				return sc.Symbol
			}
			return nil
		case "function_declaration", "function_expression", "function":
			return nil
		}
	}
	return nil
}
