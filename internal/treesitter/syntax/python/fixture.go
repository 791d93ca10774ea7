package python

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// useFixtures adds the references of the parameters of a test or fixture: they name
// fixtures, which pytest calls, but for those that the test is called with.
func useFixtures(p *walker, parameters binder.At) {
	given, patched := calledWith(p, p.Parent(parameters))
	if patched {
		return
	}
	for c := range p.Named(parameters) {
		id := c
		if p.Kind(c) == "typed_parameter" {
			id = p.Nth(c, 0)
		}
		name := p.TextAt(id)
		if p.Kind(id) != "identifier" || name == "self" || name == "cls" || slices.Contains(given, name) {
			continue
		}
		before := len(p.Refs)
		p.Ref(id, name, facts.Call, facts.Nothing, true)
		if len(p.Refs) > before {
			p.Refs[before].Arguments = facts.Fixture
		}
	}
}

// calledWith are the parameters that a test, or its class, is called with by
// parametrize; patched says that mock.patch gives some that can't be told.
func calledWith(p *walker, function binder.At) (names []string, patched bool) {
	for n := function; n != binder.None; n = p.Parent(n) {
		if p.Kind(n) != "decorated_definition" {
			continue
		}
		for c := range p.Named(n) {
			if p.Kind(c) != "decorator" {
				continue
			}
			call := p.Nth(c, 0)
			patched = patched || patches(p.TextAt(call))
			if p.Kind(call) == "call" && strings.HasSuffix(p.TextAt(p.Child(call, "function")), "parametrize") &&
				!indirect(p, p.Child(call, "arguments")) {
				names = append(names, strings.FieldsFunc(p.TextAt(p.Nth(p.Child(call, "arguments"), 0)), func(r rune) bool {
					return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
				})...)
			}
		}
	}
	return names, patched
}

// patches reports whether a decorator is mock.patch or one of its kinds.
func patches(decorator string) bool {
	function, _, isCall := strings.Cut(decorator, "(")
	return isCall && slices.Contains(strings.Split(function, "."), "patch")
}

// indirect reports whether values are given to the fixtures of their names.
func indirect(p *walker, arguments binder.At) bool {
	for c := range p.Named(arguments) {
		if p.Kind(c) == "keyword_argument" && p.TextAt(p.Child(c, "name")) == "indirect" {
			return true
		}
	}
	return false
}
