package swift

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

func declareFunction(p *walker, n binder.At) {
	kind, name := "func", p.Child(n, "name")
	switch p.Kind(n) {
	case "init_declaration":
		name = p.First(n, "init")
	case "deinit_declaration":
		name = p.First(n, "deinit")
	case "subscript_declaration":
		name = p.First(n, "subscript")
	}
	if name < 0 {
		name = n
	}
	s := declareNamed(p, name, n, kind)
	sc := p.Open(n, 'f', s)
	typeParameters(p, n, sc, s)
	addConstraints(p, n, s)
	switch {
	case p.Kind(n) == "init_declaration":
		s.ResultSources, s.Static = []binder.Source{binder.Known(facts.This.Value())}, true
	case resultOf(p, n) >= 0:
		s.ResultSources = []binder.Source{binder.ValueOfType(resultOf(p, n))}
	}
	var accepts []string
	subscript := p.Kind(n) == "subscript_declaration"
	for c := range p.All(n) {
		switch p.Kind(c) {
		case "parameter":
			accepts = append(accepts, declareParameter(p, c, s, sc, subscript))
		case "=": // of some defaults there is no node
			if len(accepts) > 0 {
				accepts[len(accepts)-1] = "=" + accepts[len(accepts)-1]
			}
		}
	}
	s.Signature = signature(accepts)
	m := p.TextAt(p.First(n, "modifiers"))
	if strings.Contains(m, "@_disfavoredOverload") || strings.Contains(m, "unavailable") {
		s.Shape = facts.Disfavored
	}
	declareInside(p, n)
}

// signature is what a function accepts: without types where that is too long.
func signature(accepts []string) string {
	if text := binder.Signature(slices.Clone(accepts)); text != "" {
		return text
	}
	for i, a := range accepts {
		accepts[i], _, _ = strings.Cut(a, ":")
	}
	return binder.Signature(accepts)
}

// resultOf is the type that a function returns, or none.
func resultOf(p *walker, n binder.At) binder.At {
	arrow := false
	for c := range p.All(n) {
		switch {
		case p.Kind(c) == "->":
			arrow = true
		case arrow && p.Field(c) == "name":
			return c
		}
	}
	return binder.None
}

// declareParameter binds a parameter, and is how it is given: "label:type", "..." before one that
// takes any number.
func declareParameter(p *walker, c binder.At, s *binder.Symbol, sc *binder.Scope, subscript bool) string {
	t, name := binder.None, binder.None
	for x := range p.Named(c) {
		switch {
		case p.Field(x) != "name":
		case p.Kind(x) == "simple_identifier" && name < 0:
			name = x
		default:
			t = x
		}
	}
	if hasWord(p.TextAt(p.First(c, "parameter_modifiers")), "@autoclosure") && p.Kind(t) == "function_type" {
		t = p.Child(t, "name")
	}
	label := "_"
	if ext := p.Child(c, "external_name"); ext >= 0 {
		label = p.Plain(ext)
	} else if !subscript && name >= 0 {
		label = p.Plain(name)
	}
	from := binder.ValueOfType(t)
	variadic := strings.HasSuffix(strings.TrimSpace(p.TextAt(c)), "...") || t >= 0 && isBefore(p, t, "...")
	if name >= 0 {
		bound := from
		if variadic {
			bound = binder.TypeAt(t).Done(binder.TakeListOf)
		}
		p.BindAt(sc, name, bound)
	}
	if m := metatypeOf(p, t, s.Params); m != "" {
		from = binder.Known(facts.List(facts.Name(m)).Value())
	}
	s.ArgSources = append(s.ArgSources, from)
	given := label + ":" + overloadName(p, t, s.Params)
	if variadic {
		return "..." + given
	}
	return given
}

// isBefore reports whether a token is right behind a node.
func isBefore(p *walker, n binder.At, token string) bool {
	return strings.HasPrefix(strings.TrimLeft(p.Text[p.Nodes[n].End:], " \t\n"), token)
}

// metatypeOf is the type parameter T where a type is T.Type.
func metatypeOf(p *walker, t binder.At, params []string) string {
	name, ok := strings.CutSuffix(p.TextAt(t), ".Type")
	if ok && slices.Contains(params, name) {
		return name
	}
	return ""
}

// overloadName is the name of a type, as far as overloads are told by it: "&" of a function, ""
// where it says nothing.
func overloadName(p *walker, t binder.At, params []string) string {
	switch p.Kind(t) {
	case "user_type":
		name := p.TextAt(p.Last(t))
		if p.Kind(p.Last(t)) == "type_arguments" {
			name = plainType(p.TextAt(t))
			name = name[strings.LastIndexByte(name, '.')+1:]
		}
		if slices.Contains(params, name) || name == "Type" || name == "Self" {
			return ""
		}
		return name
	case "function_type":
		return "&" + strconv.Itoa(arityOf(p, t))
	case "tuple_type", "tuple_type_item":
		if only := p.Nth(t, 0); only >= 0 && only == p.Last(t) {
			return overloadName(p, only, params)
		}
	case "optional_type":
		return overloadName(p, p.Child(t, "wrapped"), params)
	case "array_type":
		return "[]"
	case "dictionary_type":
		return "[:]"
	}
	return ""
}

// arityOf is how many parameters a type of functions has.
func arityOf(p *walker, t binder.At) (n int) {
	params := p.Child(t, "params")
	if p.Kind(params) != "tuple_type" {
		return 1
	}
	for range p.Named(params) {
		n++
	}
	return n
}
