package bound

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// rubyStatic reports whether a method is one of the class itself: "def self.a", or in "class << self" or the
// class_methods of a concern.
func rubyStatic(p *walker, n binder.At) bool {
	if p.Kind(n) == "singleton_method" {
		return true
	}
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		switch p.Kind(up) {
		case "singleton_class":
			return true
		case "class", "module", "method", "singleton_method":
			return false
		case "call":
			if p.TextAt(p.Child(up, "method")) == "class_methods" {
				return true
			}
		}
	}
	return false
}

// symbolName is what a symbol names: ":a" and "a".
func symbolName(p *walker, n binder.At) string { return strings.TrimPrefix(p.TextAt(n), ":") }

// rubyAccessor declares the methods of "attr_accessor :a".
func rubyAccessor(p *walker, f *form, name binder.At, around *binder.Scope) {
	word := p.TextAt(f.part("accessor"))
	s := p.DeclareSymbol(name, name, "method", around.Symbol)
	s.Name = symbolName(p, name)
	s.Static = rubyStatic(p, f.node) || !strings.HasPrefix(word, "attr")
	s.Signature = rubySignature(p, f)
	s.ResultSources = []binder.Source{{Node: name}}
	p.named[name] = true
}

// rubyLet binds what "let(:a) { … }" of RSpec and "subject" give.
func rubyLet(p *walker, f *form, around *binder.Scope) {
	value := binder.Source{Node: f.part("value")}
	if name := f.part("name"); name >= 0 {
		around.Bind(symbolName(p, name), value)
	}
	if strings.HasPrefix(p.TextAt(f.part("let")), "subject") {
		around.Bind("subject", value)
	}
}

// rubyGroup is the scope of instance variables outside of classes: the innermost group of examples.
func rubyGroup(p *walker, n binder.At, around *binder.Scope) *binder.Scope {
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		switch p.Kind(up) {
		case "class", "module", "singleton_class":
			return around
		case "block", "do_block":
			if rubyGroups[p.TextAt(p.Child(p.Parent(up), "method"))] && p.Scopes[up] != nil {
				p.Scopes[up].Kind = 'c'
				return p.Scopes[up]
			}
		}
	}
	return around
}

var rubyGroups = map[string]bool{"describe": true, "context": true, "feature": true, "shared_examples": true}

// rubySelf is self: of methods of a class itself, and in its body, the class.
func rubySelf(p *walker, n binder.At) facts.Expr {
	class := p.ClassAround(n)
	s := p.ScopeAround(n).Symbol
	if s == nil || s.Static || !isFunctionKind(s.Kind) {
		return class
	}
	return binder.ValueOf(class)
}

// rubyLiterals are the classes of literals, which repositories open to add to them.
var rubyLiterals = map[string]string{
	"string": "String", "heredoc_beginning": "String", "integer": "Integer", "float": "Float", "simple_symbol": "Symbol",
	"hash": "Hash", "array": "Array", "string_array": "Array", "symbol_array": "Array", "regex": "Regexp",
}

// rubyForm is the value of forms that Ruby has its own way with; ok is false for others.
func rubyForm(p *walker, f *form, n binder.At) (e facts.Expr, ok bool) {
	if p.Language != "Ruby" {
		return facts.Unknown, false
	}
	switch f.kind {
	case "called":
		if of, ok := rubyBareOf(p, n); ok {
			return binder.Call(binder.Member(of, p.TextAt(n))), true
		}
	case "call":
		if m := f.part("function"); m >= 0 {
			if of, ok := rubyBareOf(p, m); ok {
				return binder.Call(binder.Member(of, p.TextAt(m))), true
			}
		}
	case "self":
		return rubySelf(p, n), true
	case "super":
		return rubySuper(p, n, true), true
	case "class":
		if of := p.Expr(f.part("object")); of.Known() {
			return binder.AsType(of), true
		}
		return facts.Unknown, true
	case "new":
		return rubyNew(p, f, n), true
	case "described":
		for up := p.Parent(n); up >= 0; up = p.Parent(up) {
			if p.Kind(up) == "call" && strings.HasSuffix(p.TextAt(p.Child(up, "method")), "describe") {
				if first := p.Nth(p.Child(up, "arguments"), 0); p.Kind(first) == "constant" || p.Kind(first) == "scope_resolution" {
					return p.Expr(first), true
				}
			}
		}
		return facts.Unknown, true
	case "literal":
		if of, ok := rubyDelegate(p, n); ok {
			return binder.Call(binder.Member(of, symbolName(p, n))), true
		}
		if p.named[n] { // of an accessor
			return p.Resolve(n, "@"+symbolName(p, n), true).Expr, true
		}
		if class := rubyLiterals[p.Kind(n)]; class != "" {
			return facts.Name(class).Value(), true
		}
	}
	return facts.Unknown, false
}

// rubyNew is what "A.new" gives, which A may say itself: a value of A, but for a method of its own of that name.
func rubyNew(p *walker, f *form, n binder.At) facts.Expr {
	of, made := p.ClassAround(n), p.TextAt(f.part("new"))
	if t := f.part("type"); t >= 0 {
		of = p.TypeOf(t)
	} else if s := p.ScopeAround(n).Symbol; s != nil && isFunctionKind(s.Kind) && !s.Static {
		return facts.Unknown
	}
	switch {
	case !of.Known():
		return facts.Unknown
	case made == "allocate":
		return binder.ValueOf(of)
	}
	return binder.Call(binder.Member(of, "new"))
}

// rubySuper is the method that super calls, or what it gives.
func rubySuper(p *walker, n binder.At, called bool) facts.Expr {
	m := p.Up(n, "method", "singleton_method")
	if m < 0 {
		return facts.Unknown
	}
	of := binder.SuperOf(p.ClassAround(n))
	if rubyStatic(p, m) {
		of = binder.Inside(p.ClassAround(n), facts.Expr.Super)
	}
	if !called || !of.Known() {
		return of
	}
	return binder.Call(binder.Member(of, p.TextAt(p.Child(m, "name"))))
}

// rubyReference adds a reference that is no plain name: super, "a.b = c", and names that are written as symbols.
func rubyReference(p *walker, f *form, n binder.At) {
	name := symbolName(p, n)
	start := int(p.Nodes[n].End) - len(name)
	switch f.kind {
	case "super":
		if of := rubySuper(p, n, false); of.Known() {
			p.Ref(n, p.TextAt(p.Child(p.Up(n, "method", "singleton_method"), "name")), facts.Call, of, false)
		}
	case "symbol":
		if of := f.part("of"); of >= 0 {
			p.RefAtOffset(start, name, facts.Call, p.Expr(of), false)
		} else {
			p.RefAtOffset(start, name, facts.Call, facts.Nothing, f.part("send") >= 0)
		}
	case "class_name":
		rubyClassName(p, n, name)
	case "route":
		rubyRoute(p, n, name)
	case "named":
		if of, ok := rubyDelegate(p, n); ok {
			binder.RefAtName(p.Builder, start, name, facts.Call, of)
			return
		}
		if of, ok := rubyInverse(p, n); ok {
			if of.Known() {
				p.RefAtOffset(start, name, facts.Call, of, false)
			}
			return
		}
		if s := p.ScopeAround(n).Symbol; s != nil && !isFunctionKind(s.Kind) && p.BySpot[int(p.Nodes[n].Start)] == nil {
			p.RefAtOffset(start, name, facts.Read, facts.Nothing, true)
		}
	}
}

// rubyValue is what a statement or several give.
func rubyValue(p *walker, n binder.At) facts.Expr {
	if p.Language != "Ruby" {
		return facts.Unknown
	}
	var all []facts.Expr
	switch p.Kind(n) {
	case "body_statement", "block_body", "then", "else", "begin", "do", "ensure":
		if last := lastStatement(p, n); last >= 0 {
			all = append(all, p.Expr(last))
		}
		for c := range p.Named(n) {
			if k := p.Kind(c); k == "rescue" || k == "else" && p.Kind(n) != "else" {
				all = append(all, p.Expr(c))
			}
		}
		if p.Kind(n) == "body_statement" || isFunctionNode(p, p.Parent(n)) {
			all = append(all, returned(p, n)...)
		}
	case "if", "unless", "elsif":
		all = append(all, p.Expr(p.Child(n, "consequence")), p.Expr(p.Child(n, "alternative")))
	case "if_modifier", "unless_modifier", "rescue_modifier":
		all = append(all, p.Expr(p.Child(n, "body")))
	case "rescue", "when":
		all = append(all, p.Expr(p.Child(n, "body")))
	case "case":
		for c := range p.Named(n) {
			if k := p.Kind(c); k == "when" || k == "else" {
				all = append(all, p.Expr(c))
			}
		}
	case "binary":
		left, right := p.Child(n, "left"), p.Child(n, "right")
		switch strings.TrimSpace(p.Text[p.Nodes[left].End:p.Nodes[right].Start]) {
		case "||", "or":
			all = append(all, p.Expr(left), p.Expr(right))
		case "&&", "and":
			all = append(all, p.Expr(right))
		}
	}
	if len(all) == 0 {
		return facts.Unknown
	}
	return binder.UnionOf(all...)
}

func isFunctionNode(p *walker, n binder.At) bool {
	return p.Kind(n) == "method" || p.Kind(n) == "singleton_method"
}

// lastStatement is the statement that gives the value of several.
func lastStatement(p *walker, n binder.At) binder.At {
	last := binder.None
	for c := range p.Named(n) {
		switch p.Kind(c) {
		case "comment", "heredoc_body", "rescue", "ensure", "else", "empty_statement":
		default:
			last = c
		}
	}
	return last
}

// returned is what a method returns before its end.
func returned(p *walker, body binder.At) (all []facts.Expr) {
	for n := body + 1; n < p.Nodes[body].Next; n++ {
		switch p.Kind(n) {
		case "method", "singleton_method", "class", "module", "lambda":
			n = p.Nodes[n].Next - 1
		case "return":
			if list := p.First(n, "argument_list"); list >= 0 && p.Nth(list, 1) < 0 {
				all = append(all, p.Expr(p.Nth(list, 0)))
			}
		}
	}
	return all
}
