package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// useElement adds the reference of an element that is a component, and those
// of its attributes, which are members of what the component takes.
func (p *script) useElement(n at) {
	name := p.child(n, "name")
	component := facts.Nothing
	switch p.kind(name) {
	case "identifier":
		if text := p.text(name); strings.ToLower(text[:1]) != text[:1] {
			p.useName(name, facts.Call, true)
			component = p.expr(name)
		}
	case "member_expression", "nested_identifier":
		p.useNode(name)
		component = p.typeOf(name)
	}
	if t := p.child(n, "type_arguments"); t >= 0 && component != facts.Nothing && component.Known() {
		component = component.Generic(p.arguments(t)...)
	}
	for c := range p.named(n) {
		switch {
		case c == name:
		case p.kind(c) == "jsx_attribute":
			p.useAttribute(c, component)
		default:
			p.useNode(c)
		}
	}
}

// useAttribute adds the reference of an attribute of a component.
func (p *script) useAttribute(n at, component facts.Expr) {
	key := p.nth(n, 0)
	if p.kind(key) == "property_identifier" && component != facts.Nothing {
		if takes := asType(param(component, 0)); takes.Known() && takes != facts.External {
			p.ref(key, p.text(key), facts.Write, facts.Union(takes).Value(), false)
		}
	}
	for c := range p.named(n) {
		if c != key {
			p.useNode(c)
		}
	}
}

// attribute says what the value of a component's attribute is to be.
func (p *script) attribute(n at) {
	key, val := p.nth(n, 0), p.nth(p.nth(n, 1), 0)
	name := p.child(p.parent(n), "name")
	if p.kind(key) != "property_identifier" || p.kind(name) != "identifier" || val < 0 {
		return
	}
	if text := p.text(name); strings.ToLower(text[:1]) != text[:1] {
		p.expect(val, source{node: name}.param(0).member(p.text(key)))
	}
}

// hook is what a function of React gives that is made of what it is given, ""
// if it is none.
func (p *script) hook(n, f, first at) facts.Expr {
	name := strings.TrimPrefix(p.text(f), "React.")
	if v, _ := p.scopeOf(n).find(name, true); v != nil && v.symbol != nil {
		return facts.Nothing
	}
	t := func() facts.Expr {
		if types := p.child(n, "type_arguments"); types >= 0 {
			return p.typeOf(p.nth(types, 0))
		}
		if isFunctionNode(p.kind(first)) {
			return asType(p.returns(first))
		}
		return asType(p.expr(first))
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
		return valueOf(t())
	case "useCallback", "useContext":
		return p.expr(first)
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
func (p *script) isComponentType(n at, name string) bool {
	bare := strings.TrimPrefix(name, "React.")
	if !componentTypes[bare] {
		return false
	}
	v, _ := p.scopeOf(n).find(bare, true)
	return v == nil || v.symbol == nil
}

// component is the value of a call that makes a component of a function, "" if
// it is none.
func (p *script) component(n, f, first at) facts.Expr {
	types := p.child(n, "type_arguments")
	switch p.text(f) {
	case "memo", "React.memo", "observer":
		if types >= 0 {
			return facts.FuncWith(facts.External, p.typeOf(p.nth(types, 0))).Value()
		}
	case "forwardRef", "React.forwardRef":
		if props := p.nth(types, 1); props >= 0 {
			return facts.FuncWith(facts.External, p.typeOf(props)).Value()
		}
	default:
		return facts.Nothing
	}
	return p.expr(first)
}
