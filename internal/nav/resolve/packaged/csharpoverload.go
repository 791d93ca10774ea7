package packaged

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A csharpParameter is what a method takes at the place of an argument.
type csharpParameter struct {
	javaType

	generic bool // a type parameter of the method: it is what is given
	closed  bool // a type of the repository that is no delegate, whichever has that name
}

// A conversion says whether an argument may be given for a parameter.
type conversion uint8

const (
	impossible conversion = iota
	unsure                // too little is known
	declared              // if one of the types says how, and no other method may be called without that
	implicit
	identity
)

// Chosen implements Language by what the specification of C# calls better function members (12.6.4): of two methods
// the one of which no parameter is a worse target for its argument, and one is a better one; of equal ones that
// without "params", without what is left out, without type parameters.
func (csharpLanguage) Chosen(
	q *resolve.Query, f resolve.FileID, ref *facts.Ref, list []resolve.SymbolID,
) []resolve.SymbolID {
	if ref.Arguments == "" && ref.Args > 1 || ref.Kind != facts.Call {
		return nil
	}
	var given []javaType
	for _, a := range resolve.Arguments(ref) {
		given = append(given, argumentType(q, f, ref.In, a))
	}
	accepts := map[resolve.SymbolID]csharpMethod{}
	for _, id := range list {
		if params, known := resolve.Parameters(q.Symbol(id)); known {
			accepts[id] = csharpTakes(q, id, params, given)
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool {
		own, known := accepts[id]
		return known && (own.applies(q, given) == impossible || slices.ContainsFunc(list, func(m resolve.SymbolID) bool {
			other, known := accepts[m]
			return m != id && known && other.applies(q, given) > impossible && other.isBetter(q, own, given)
		}))
	})
}

// A csharpMethod is a method as it is called with some arguments.
type csharpMethod struct {
	params           []csharpParameter // one for each argument
	expanded         bool              // several arguments are given for "params"
	omitted, generic bool
}

func csharpTakes(q *resolve.Query, id resolve.SymbolID, list []string, given []javaType) (m csharpMethod) {
	s := q.Symbol(id)
	m.generic = len(s.Params) > 0
	for i, text := range list {
		rest, all := strings.CutPrefix(text, "...")
		name := strings.TrimSuffix(strings.TrimPrefix(rest, "="), "?")
		p := csharpParameter{javaType: javaType{name: name}, generic: slices.Contains(s.Params, name)}
		if !p.generic && name != "" && !strings.HasPrefix(name, "->") {
			p.javaType = namedType(q, id.File, int(id.Index), name)
			p.closed = p.class == nil && isClosed(q, id, name)
		}
		switch {
		case !all && len(m.params) < len(given):
			m.params = append(m.params, p)
		case !all:
			m.omitted = true
		case len(given) == i+1 && (given[i].name == "null" || strings.HasSuffix(given[i].name, "[]")):
			m.params = append(m.params, csharpParameter{javaType: javaType{name: name + "[]"}})
		default:
			for m.expanded = true; len(m.params) < len(given); {
				m.params = append(m.params, p)
			}
		}
	}
	return m
}

// isClosed reports whether all types that a name may mean in a method are of the repository, and no delegates.
func isClosed(q *resolve.Query, id resolve.SymbolID, name string) bool {
	found, _ := q.LanguageOf(id.File).Type(q, id.File, int(id.Index), name)
	return len(found.Symbols) > 0 && !slices.ContainsFunc(found.Symbols, func(t resolve.SymbolID) bool {
		return !resolve.IsType(q.Symbol(t)) || q.Symbol(t).Kind == "type"
	})
}

// applies is the worst conversion of arguments.
func (m csharpMethod) applies(q *resolve.Query, given []javaType) conversion {
	if len(given) > len(m.params) {
		return impossible
	}
	worst := identity
	for i, g := range given {
		worst = min(worst, m.params[i].from(q, g))
	}
	return worst
}

// isBetter reports whether a method is preferred to another one, which may both be called.
func (m csharpMethod) isBetter(q *resolve.Query, other csharpMethod, given []javaType) bool {
	better, equal := false, true
	for i, g := range given {
		a, b := m.params[i], other.params[i]
		if a.name == b.name && slices.Equal(a.class, b.class) && a.generic == b.generic && (a.name != "" || a.class != nil) {
			continue
		}
		switch x, y := a.from(q, g), b.from(q, g); {
		case x == identity && y == identity:
			equal = equal && a.generic != b.generic
		case x == identity && y != identity, x == implicit && y == declared:
			better, equal = true, false
		case x != implicit || y != implicit:
			return false
		case b.from(q, a.javaType) >= implicit && a.from(q, b.javaType) < implicit:
			better, equal = true, false
		default:
			return false
		}
	}
	switch {
	case better || !equal:
		return better
	case m.generic != other.generic:
		return other.generic
	case m.expanded != other.expanded:
		return other.expanded
	}
	return !m.omitted && other.omitted
}

// from tells how an argument of a type is given for a parameter.
func (p csharpParameter) from(q *resolve.Query, given javaType) conversion {
	known := func(t javaType) bool { return t.name == "String" || resolve.JavaPrimitive[t.name] }
	isArray := func(t javaType) bool { return strings.HasSuffix(t.name, "[]") }
	switch {
	case given.name == "" && given.class == nil || p.name == "" && p.class == nil:
		return unsure
	case p.generic:
		return identity
	case given.name == "null" || strings.HasPrefix(given.name, "->"):
		return p.fromNothing(q, given.name)
	case given.class != nil && p.class != nil:
		line, _ := resolve.Above(q, given.class[0])
		switch {
		case given.class[0] == p.class[0]:
			return identity
		case line[p.class[0]]:
			return implicit
		}
		return impossible
	case p.name == "Object" && p.class == nil && given.name != "Object":
		return implicit
	case given.class != nil && strings.HasPrefix(p.name, "->") && q.Symbol(given.class[0]).Kind != "type":
		return impossible // no function
	case given.class != nil && (known(p.javaType) || isArray(p.javaType)),
		p.class != nil && (known(given) || isArray(given)):
		return declared
	case given.class != nil || p.class != nil:
		return unsure
	case given.name == p.name:
		return identity
	case resolve.JavaPrimitive[given.name] && resolve.JavaPrimitive[p.name]:
		if resolve.JavaConverts(given.name, p.name) {
			return implicit
		}
		if given.name == "int" && p.name != "boolean" { // a constant may be small enough
			return unsure
		}
		return impossible
	case known(given) && (known(p.javaType) || isArray(p.javaType)), known(p.javaType) && isArray(given):
		return impossible
	}
	return unsure
}

// fromNothing is from of null and of lambdas.
func (p csharpParameter) fromNothing(q *resolve.Query, given string) conversion {
	kind := ""
	if p.class != nil {
		kind = q.Symbol(p.class[0]).Kind
	}
	value := resolve.JavaPrimitive[p.name] && p.class == nil
	switch {
	case given == "null" && (value || kind == "struct" || kind == "enum"):
		return impossible
	case given == "null":
		return implicit
	case strings.HasPrefix(p.name, "->"):
		if !resolve.TakesFunction(given, p.name) {
			return impossible
		}
		return unsure
	case p.closed, value, p.name == "String", p.name == "Object", strings.HasSuffix(p.name, "[]"),
		kind != "" && kind != "type":
		return impossible
	}
	return unsure
}
