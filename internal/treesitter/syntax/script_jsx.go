package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// useElement adds the reference of an element that is a component, and those
// of its attributes, which are members of what the component takes.
func (p *script) useElement(n at) {
	name := p.child(n, "name")
	component := ""
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
	if t := p.child(n, "type_arguments"); t >= 0 && component != "" && component != unknown {
		component = bounded(component + p.arguments(t))
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
func (p *script) useAttribute(n at, component string) {
	key := p.nth(n, 0)
	if p.kind(key) == "property_identifier" && component != "" {
		if takes := asType(then(component, parameterAt(0))); takes != unknown && takes != external {
			if of := bounded("~union<" + takes + ">{}"); of != unknown {
				p.ref(key, p.text(key), facts.Write, of, false)
			}
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
		p.expect(val, source{node: name, suffix: parameterAt(0) + "." + p.text(key)})
	}
}

// hook is what a function of React gives that is made of what it is given, ""
// if it is none.
func (p *script) hook(n, f, first at) string {
	name := strings.TrimPrefix(p.text(f), "React.")
	if v, _ := p.scopeOf(n).find(name, true); v != nil && v.symbol != nil {
		return ""
	}
	t := func() string {
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
		if of := t(); of != unknown && of != external {
			return bounded("~tuple<" + of + ";~func<~ext;~args<" + of + ">>>{}")
		}
	case "useRef", "createRef":
		if of := t(); of != unknown && of != external {
			return bounded("~map<~ext;" + of + ">{}")
		}
	case "useMemo", "createContext":
		return valueOf(t())
	case "useCallback", "useContext":
		return p.expr(first)
	}
	return ""
}

// componentTypes are types of functions that take the properties that their
// argument is.
var componentTypes = map[string]bool{"FC": true, "FunctionComponent": true, "VFC": true, "VoidFunctionComponent": true, "ComponentType": true}

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
func (p *script) component(n, f, first at) string {
	types := p.child(n, "type_arguments")
	switch p.text(f) {
	case "memo", "React.memo", "observer":
		if types >= 0 {
			return bounded("~func<~ext;~args<" + p.typeOf(p.nth(types, 0)) + ">>{}")
		}
	case "forwardRef", "React.forwardRef":
		if props := p.nth(types, 1); props >= 0 {
			return bounded("~func<~ext;~args<" + p.typeOf(props) + ">>{}")
		}
	default:
		return ""
	}
	return p.expr(first)
}
