package script

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// useElement adds the reference of an element that is a component, and those
// of its attributes, which are members of what the component takes.
func useElement(p *walker, n binder.At) {
	name := p.Child(n, "name")
	component := facts.Nothing
	switch p.Kind(name) {
	case "identifier":
		if text := p.TextAt(name); strings.ToLower(text[:1]) != text[:1] {
			p.UseName(name, facts.Call, true)
			component = p.Expr(name)
		}
	case "member_expression", "nested_identifier":
		useNode(p, name)
		component = p.TypeOf(name)
	}
	if t := p.Child(n, "type_arguments"); t >= 0 && component != facts.Nothing && component.Known() {
		component = component.Generic(p.TypeArguments(t)...)
	}
	for c := range p.Named(n) {
		switch {
		case c == name:
		case p.Kind(c) == "jsx_attribute":
			useAttribute(p, c, component)
		default:
			useNode(p, c)
		}
	}
}

// useAttribute adds the reference of an attribute of a component.
func useAttribute(p *walker, n binder.At, component facts.Expr) {
	key := p.Nth(n, 0)
	mentionKey(p, key)
	if p.Kind(key) == "property_identifier" && component != facts.Nothing {
		if takes := binder.AsType(binder.Param(component, 0)); takes.Known() && takes != facts.External {
			p.Ref(key, p.TextAt(key), facts.Write, facts.Union(takes).Value(), false)
		}
	}
	for c := range p.Named(n) {
		if c != key {
			useNode(p, c)
		}
	}
}

// attribute says what the value of a component's attribute is to be.
func attribute(p *walker, n binder.At) {
	key, val := p.Nth(n, 0), p.Nth(p.Nth(n, 1), 0)
	name := p.Child(p.Parent(n), "name")
	if p.Kind(key) != "property_identifier" || p.Kind(name) != "identifier" || val < 0 {
		return
	}
	if text := p.TextAt(name); strings.ToLower(text[:1]) != text[:1] {
		p.expect(val, binder.Source{Node: name}.Param(0).Member(p.TextAt(key)))
	}
}

// hook is what a function of React gives that is made of what it is given, ""
// if it is none.
func hook(p *walker, n, f, first binder.At) facts.Expr {
	name := strings.TrimPrefix(p.TextAt(f), "React.")
	if v, _ := p.ScopeOf(n).Find(name, true); v != nil && v.Symbol != nil {
		return facts.Nothing
	}
	t := func() facts.Expr {
		if types := p.Child(n, "type_arguments"); types >= 0 {
			return p.TypeOf(p.Nth(types, 0))
		}
		if isFunctionNode(p.Kind(first)) {
			return binder.AsType(returns(p, first))
		}
		return binder.AsType(p.Expr(first))
	}
	switch name {
	case "useState":
		if of := t(); of.Known() && of != facts.External {
			return facts.Tuple(of, facts.FuncWith(facts.External, of)).Value()
		}
	case "useRef", "createRef":
		if of := t(); of.Known() && of != facts.External {
			return facts.Map(facts.External, of).Value()
		}
	case "useMemo", "createContext":
		return binder.ValueOf(t())
	case "useCallback", "useContext":
		return p.Expr(first)
	}
	return facts.Nothing
}

// componentTypes are types of functions that take the properties that their
// argument is.
var componentTypes = map[string]bool{
	"FC": true, "FunctionComponent": true, "VFC": true, "VoidFunctionComponent": true,
	"ComponentType": true,
}

// isComponentType reports whether a generic type is one of React's for
// components, and not of this file.
func isComponentType(p *walker, n binder.At, name string) bool {
	bare := strings.TrimPrefix(name, "React.")
	if !componentTypes[bare] {
		return false
	}
	v, _ := p.ScopeOf(n).Find(bare, true)
	return v == nil || v.Symbol == nil
}

// component is the value of a call that makes a component of a function, "" if
// it is none.
func component(p *walker, n, f, first binder.At) facts.Expr {
	types := p.Child(n, "type_arguments")
	switch p.TextAt(f) {
	case "memo", "React.memo", "observer":
		if types >= 0 {
			return facts.FuncWith(facts.External, p.TypeOf(p.Nth(types, 0))).Value()
		}
	case "forwardRef", "React.forwardRef":
		if props := p.Nth(types, 1); props >= 0 {
			return facts.FuncWith(facts.External, p.TypeOf(props)).Value()
		}
	default:
		return facts.Nothing
	}
	return p.Expr(first)
}
