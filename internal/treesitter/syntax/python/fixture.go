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
	given := parametrized(p, p.Parent(parameters))
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

// parametrized are the parameters that a test is called with by parametrize.
func parametrized(p *walker, function binder.At) (names []string) {
	if p.Kind(p.Parent(function)) != "decorated_definition" {
		return nil
	}
	for c := range p.Named(p.Parent(function)) {
		call := p.Nth(c, 0)
		if p.Kind(c) != "decorator" || p.Kind(call) != "call" ||
			!strings.HasSuffix(p.TextAt(p.Child(call, "function")), "parametrize") ||
			strings.Contains(p.TextAt(p.Child(call, "arguments")), "indirect") {
			continue
		}
		names = append(names, strings.FieldsFunc(p.TextAt(p.Nth(p.Child(call, "arguments"), 0)), func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})...)
	}
	return names
}
