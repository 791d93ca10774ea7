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
