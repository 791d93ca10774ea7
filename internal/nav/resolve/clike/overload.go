package clike

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A fit says how an argument is given for a parameter, from bad to good.
type fit uint8

const (
	never      fit = iota
	unlikely       // a template demands something of it, or no constructor is seen that takes it
	perhaps        // too little is known
	constructs     // a constructor takes it
	converts       // as another number, a base, a pointer to anything
	matches        // a template or "..." takes anything
	exactly
)

// A cppType is what is known of the type of an argument or parameter.
type cppType struct {
	name      string           // as Signature has it, without what follows; "" if it is not known
	stars     int              // pointers to it
	class     resolve.SymbolID // what it is in the repository
	isClass   bool             // it is that
	reference bool             // of a parameter: it takes no constants
}

// chosen are those of some functions that nothing beats: what takes an argument better than
// another function and none worse. Little is known of conversions, so that what is certain
// goes before what is not likely, and the rest is not decided.
func chosen(q *resolve.Query, f resolve.FileID, ref *facts.Ref, list []resolve.SymbolID) []resolve.SymbolID {
	var given []cppType
	for _, a := range resolve.Arguments(ref) {
		given = append(given, argument(q, f, ref.In, a))
	}
	accepts := map[resolve.SymbolID]candidate{}
	for _, id := range list {
		if c, ok := candidateFor(q, id, given); ok {
			accepts[id] = c
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool {
		own, known := accepts[id]
		return known && (slices.Contains(own.fits, never) || slices.ContainsFunc(list, func(m resolve.SymbolID) bool {
			other, known := accepts[m]
			return known && beats(other, own)
		}))
	})
}

// A candidate is a function that may be called: its parameters for each of the arguments,
// and how they are given.
type candidate struct {
	params []string
	fits   []fit
}

func candidateFor(q *resolve.Query, id resolve.SymbolID, given []cppType) (c candidate, known bool) {
	list, known := resolve.Parameters(q.Symbol(id))
	for i, g := range given {
		name := "..."
		if i < len(list) {
			name = strings.TrimPrefix(list[i], "=")
		}
		c.params = append(c.params, name)
		if strings.HasPrefix(name, "...") {
			list = list[:min(i, len(list))]
			c.fits = append(c.fits, matches)
			continue
		}
		c.fits = append(c.fits, fitting(q, g, parameter(q, id, i, name)))
	}
	return c, known
}

// beats reports whether a function is preferred to another one.
func beats(first, other candidate) bool {
	better, certain := false, false
	for i, a := range first.fits {
		switch b := other.fits[i]; {
		case first.params[i] == other.params[i] || a == b && a != perhaps:
		case b <= unlikely && a >= constructs:
			better, certain = true, true
		case a <= unlikely:
			return false
		case a == exactly:
			better = true
		case a == perhaps || b == perhaps:
			if a < matches && !certain && !unlikelyBehind(first, other, i) {
				return false
			}
		case a < b:
			return false
		default:
			better = true
		}
	}
	return better || slices.Equal(first.fits, other.fits) && variadic(other) && !variadic(first)
}

// unlikelyBehind reports whether another function is not likely to take an argument
// behind one, which the first takes.
func unlikelyBehind(first, other candidate, i int) bool {
	for n := i + 1; n < len(first.fits); n++ {
		if first.fits[n] >= constructs && other.fits[n] <= unlikely {
			return true
		}
	}
	return false
}

func variadic(c candidate) bool {
	return slices.ContainsFunc(c.params, func(p string) bool { return strings.HasPrefix(p, "...") })
}

// parameter is what the parameter of a function takes.
func parameter(q *resolve.Query, id resolve.SymbolID, i int, name string) cppType {
	t := named(name)
	if e := resolve.Parameter(q, id, i); e.Kind == resolve.Value && len(e.Symbols) > 0 {
		t.class, t.isClass = e.Symbols[0], true
	}
	return aliased(q, id.File, int(id.Index), t)
}

// maxAlias is how many names of one type are followed.
const maxAlias = 4

// aliased is a type by the name that it has where names of types of the repository stand
// for what is none, or for pointers.
func aliased(q *resolve.Query, f resolve.FileID, in int, t cppType) cppType {
	for range maxAlias {
		if t.name == "" || strings.HasPrefix(t.name, "_") || strings.Contains(t.name, ":") || isNumber(t.name) {
			break
		}
		shape := ""
		found := q.Type(f, in, t.name)
		for i, id := range found.Symbols {
			s := q.Symbol(id)
			if s.Kind != "type" || s.Shape == "" || i > 0 && s.Shape != shape {
				return t
			}
			shape = s.Shape
		}
		of := named(shape)
		if of.name == "" || of.name == t.name {
			break
		}
		t.name, t.stars = of.name, t.stars+of.stars
	}
	if full := "std::" + t.name; t.name == "string" || closed[full] { // using namespace std
		if len(q.Type(f, in, t.name).Symbols) == 0 {
			t.name = full
		}
	}
	return t
}

func named(name string) cppType {
	plain := strings.TrimSuffix(name, "&")
	t := cppType{name: strings.TrimRight(plain, "*"), reference: plain != name}
	t.stars = len(plain) - len(t.name)
	if t.name == "?" {
		t.name = ""
	}
	return t
}

// argument is what is known of an argument of a call in a symbol of a file.
func argument(q *resolve.Query, f resolve.FileID, in int, argument string) cppType {
	expr, ok := facts.Given(argument)
	if !ok {
		return named(argument)
	}
	stars := strings.IndexByte(argument, '=')
	e := q.Eval(f, in, expr)
	shape := shapeOf(q, f, in, expr)
	if e.Kind == resolve.Value && len(e.Symbols) > 0 {
		return cppType{
			name: q.Symbol(e.Symbols[0]).Name, class: e.Symbols[0], isClass: true, stars: stars + named(shape).stars,
		}
	}
	if e.Kind != resolve.External {
		return cppType{}
	}
	t := named(shape)
	if n := expr.Node(); n.Op == facts.OpValue && n.Of.Node().Op == facts.OpName {
		name := n.Of.Node().Name
		if t = aliased(q, f, in, named(name)); t.name == name {
			return cppType{}
		}
	}
	t.stars += stars
	return t
}

// shapeOf is the Shape of the variable that an expression is, or of the function that it
// calls, if all that it may be have one.
func shapeOf(q *resolve.Query, f resolve.FileID, in int, expr facts.Expr) string {
	n := expr.Node()
	called := n.Op == facts.OpCall
	if called {
		n = n.Of.Node()
	}
	var found resolve.Found
	switch n.Op {
	case facts.OpName:
		found = q.Bare(f, in, n.Name)
	case facts.OpMember:
		found = q.Member(f, q.Eval(f, in, n.Of), n.Name)
	case facts.OpSymbolAt:
		found.Symbols = []resolve.SymbolID{{File: f, Index: int32(n.N)}} //nolint:gosec // an index
	}
	shape := ""
	for i, id := range found.Symbols {
		s := q.Symbol(id)
		if resolve.IsFunction(s) != called || i > 0 && s.Shape != shape {
			return ""
		}
		shape = s.Shape
	}
	return shape
}

// Names of numbers, and of what the library has that nothing else becomes by itself.
var (
	integers = resolve.Set("bool char short int long unsigned wchar_t char8_t char16_t char32_t")
	floats   = resolve.Set("float double")
	closed   = resolve.Set(`std::istream std::ostream std::iostream std::stringstream std::istringstream std::ostringstream
std::ifstream std::ofstream std::fstream std::vector std::map std::set std::list std::deque std::unordered_map
std::unordered_set std::unique_ptr std::shared_ptr std::thread std::mutex std::chrono std::pair std::tuple std::array`)
	streams = map[string]string{
		"std::istringstream": "std::istream", "std::ifstream": "std::istream", "std::ostringstream": "std::ostream",
		"std::ofstream": "std::ostream", "std::stringstream": "std::istream std::ostream std::iostream",
		"std::fstream": "std::istream std::ostream std::iostream", "std::iostream": "std::istream std::ostream",
	}
)

func isNumber(name string) bool {
	first, _, _ := strings.Cut(name, " ")
	return integers[first] || floats[first] || first == "signed"
}

// fitting tells how an argument of one type is given for a parameter of another.
func fitting(q *resolve.Query, given, param cppType) fit {
	switch {
	case param.name == "_?":
		return unlikely
	case param.name == "_":
		return ofTemplate(given, param)
	case given.name == "" || param.name == "":
		return perhaps
	case given.isClass && param.isClass && given.stars == param.stars:
		return ofClass(q, given, param)
	case given.name == param.name && given.stars == param.stars && given.isClass == param.isClass:
		return exactly
	case given.stars > 0 || given.name == "null":
		return ofPointer(q, given, param)
	case param.stars > 0:
		return toPointer(q, given)
	case given.name == "->":
		if isNumber(param.name) || closed[param.name] || isString(param.name) {
			return never
		}
		return perhaps
	case given.isClass:
		return ofValue(q, given, param)
	case isNumber(given.name):
		return ofNumber(q, given, param)
	}
	return ofForeign(q, given, param)
}

// ofTemplate is fitting for a parameter of any type.
func ofTemplate(given, param cppType) fit {
	switch {
	case given.name == "" && param.stars == 0:
		return matches
	case given.name == "":
		return perhaps
	case given.stars < param.stars:
		return never
	}
	return matches
}

// ofClass is fitting of classes of the repository, and of pointers to them.
func ofClass(q *resolve.Query, given, param cppType) fit {
	if given.class == param.class || q.Symbol(given.class).Qualified == q.Symbol(param.class).Qualified {
		return exactly
	}
	line, open := resolve.Above(q, given.class)
	switch {
	case line[param.class]:
		return converts
	case open:
		return perhaps
	case param.stars > 0:
		return never
	}
	return constructed(q, given, param.class)
}

// ofValue is fitting of a class of the repository for what is none: it may have operators.
func ofValue(q *resolve.Query, given, param cppType) fit {
	if s := q.Symbol(given.class); s.Kind == "enum" && isNumber(param.name) {
		if s.Under != facts.Nothing {
			return never
		}
		return converts
	}
	if isNumber(param.name) || closed[param.name] || strings.HasPrefix(param.name, "std::") && isString(param.name) {
		return unlikely
	}
	return perhaps
}

// ofPointer is fitting of a pointer, also of one that is null.
func ofPointer(q *resolve.Query, given, param cppType) fit {
	text := isCharacter(given.name) && given.stars == 1
	switch {
	case param.stars > 0 && (given.name == "null" || param.name == "void"):
		return converts
	case param.stars > 0 && (isNumber(given.name) && (isNumber(param.name) || param.isClass) || given.isClass):
		return never
	case param.stars > 0:
		return perhaps
	case param.name == "bool" && given.name != "null":
		return converts
	case isNumber(param.name):
		return never
	case !text:
		return toClass(q, given, param)
	case isString(param.name):
		if isWide(param.name) != (given.name != "char") {
			return never
		}
		return constructs
	}
	return toClass(q, given, param)
}

func toClass(q *resolve.Query, given, param cppType) fit {
	switch {
	case param.isClass:
		return constructed(q, given, param.class)
	case closed[param.name] && given.name != "null":
		return never
	}
	return perhaps
}

// toPointer is fitting for a pointer, of what is none.
func toPointer(q *resolve.Query, given cppType) fit {
	if given.isClass && q.Symbol(given.class).Kind != "enum" && q.Symbol(given.class).Kind != "type" {
		return unlikely // by an operator
	}
	if given.name == "->" {
		return perhaps
	}
	return never
}

// ofNumber is fitting of a number.
func ofNumber(q *resolve.Query, given, param cppType) fit {
	switch {
	case isNumber(param.name) && (param.name == "int" && (given.name == "bool" || given.name == "short" ||
		isCharacter(given.name)) || param.name == "double" && given.name == "float"):
		return matches // promoted, which goes before a conversion
	case isNumber(param.name):
		if param.reference {
			return never
		}
		return converts
	case isString(param.name):
		return never
	}
	return toClass(q, given, param)
}

// ofForeign is fitting of what is of the library.
func ofForeign(q *resolve.Query, given, param cppType) fit {
	switch {
	case slices.Contains(strings.Fields(streams[given.name]), param.name):
		return converts
	case isString(given.name) && strings.HasPrefix(given.name, "std::") && isString(param.name):
		if isWide(given.name) != isWide(param.name) {
			return never
		}
		if given.name == "std::string_view" && param.name == "std::string" {
			return never
		}
		return constructs
	case strings.HasPrefix(given.name, "std::") && isNumber(param.name):
		return never
	case (closed[given.name] || given.name == "std::string") && (closed[param.name] || param.name == "std::string"):
		return never
	case param.isClass:
		return constructed(q, given, param.class)
	}
	return perhaps
}

// isCharacter reports whether a number is a character.
func isCharacter(name string) bool {
	return strings.Contains(name, "char") && !strings.Contains(name, " ")
}

// isString reports whether the name of a class says that it is text.
func isString(name string) bool {
	return strings.Contains(strings.ToLower(name), "string") && !strings.Contains(name, "stream")
}

// isWide reports whether the name of a string says that its characters are wide.
func isWide(name string) bool {
	name = strings.ToLower(strings.TrimPrefix(name, "std::"))
	return strings.HasPrefix(name, "w") || strings.HasPrefix(name, "u16") || strings.HasPrefix(name, "u32")
}

// constructed tells how a constructor of a class takes an argument.
func constructed(q *resolve.Query, given cppType, class resolve.SymbolID) fit {
	best := unlikely
	s := q.Symbol(class)
	if !q.Enter(class, "constructed") {
		return perhaps
	}
	defer q.Leave(class, "constructed")
	if !resolve.IsType(s) || s.Kind == "type" {
		return perhaps
	}
	if s.Kind == "enum" {
		return never
	}
	one := &facts.Ref{Args: 2}
	for _, id := range q.World().Defs(s.Name) {
		if !q.Constructs(id) || !slices.Contains(q.OwnerOf(id).Symbols, class) || !resolve.MayTake(q, one, id) {
			continue
		}
		c, known := candidateFor(q, id, []cppType{given})
		switch {
		case !known:
			return perhaps
		case c.fits[0] >= converts:
			return constructs
		}
		best = max(best, min(c.fits[0], perhaps))
	}
	return best
}
