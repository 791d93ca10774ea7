package packaged

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A javaType is what is known of the type of an argument or parameter.
type javaType struct {
	name    string             // as it is written; "" if it is not known
	class   []resolve.SymbolID // the one type of the repository that it is, if it is that
	foreign bool               // it is known to be none
	whole   string             // of a parameter that is none: its name with its package, as far as that is known
	rest    bool               // of a parameter: it is of a function that takes a variable number
}

// A fit says whether an argument may be given for a parameter.
type fit uint8

const (
	never   fit = iota
	perhaps     // too little is known
	several     // as one of a variable number
	boxed       // by boxing
	always      // as a subtype, or as a number that becomes another
)

// Chosen implements Language by JLS 15.12.2: what takes the arguments without boxing goes
// before what does not, and of these the most specific.
func (javaLanguage) Chosen(
	q *resolve.Query, f resolve.FileID, ref *facts.Ref, list []resolve.SymbolID,
) []resolve.SymbolID {
	return chosen(q, f, ref, list, asGiven)
}

// chosen are the functions that are preferred for some arguments; asGiven is one parameter
// of a function for each argument.
func chosen(q *resolve.Query, f resolve.FileID, ref *facts.Ref, list []resolve.SymbolID,
	asGiven func(params, given []javaType) []javaType,
) []resolve.SymbolID {
	var given []javaType
	for _, a := range resolve.Arguments(ref) {
		given = append(given, argumentType(q, f, ref.In, a))
	}
	accepts := map[resolve.SymbolID][]javaType{}
	for _, id := range list {
		if params, known := parameterTypes(q, id); known {
			accepts[id] = asGiven(params, given)
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool {
		own, known := accepts[id]
		return known && (takes(q, given, own) == never || slices.ContainsFunc(list, func(m resolve.SymbolID) bool {
			other, known := accepts[m]
			return m != id && known && beats(q, given, other, own)
		}))
	})
}

// asGiven are the parameters of a function as if it had one for each argument: where the
// last takes all the rest, and they are not given as an array, several of that.
func asGiven(params, given []javaType) []javaType {
	last := len(params) - 1
	if last < 0 {
		return params
	}
	rest, ok := strings.CutPrefix(params[last].name, "...")
	if !ok {
		return params
	}
	out := slices.Clone(params[:last])
	if len(given) == len(params) && (strings.HasSuffix(given[last].name, "[]") || given[last].name == "null") {
		return append(out, javaType{name: rest + "[]"})
	}
	for len(out) < len(given) {
		out = append(out, javaType{name: rest, class: params[last].class, foreign: params[last].foreign})
	}
	for i := range out {
		out[i].rest = true
	}
	return out
}

// beats reports whether a function is preferred to another, if either may take the arguments:
// where they differ the first takes them for certain, and more strictly or with types that
// are below those of the other.
func beats(q *resolve.Query, given, first, other []javaType) bool {
	if len(first) != len(given) || len(other) != len(given) {
		return len(first) == len(given) && takes(q, given, first) == always
	}
	worst, others := always, always
	below, above, exact := true, true, true
	for i, g := range given {
		a, b := first[i], other[i]
		if a.name == b.name && slices.Equal(a.class, b.class) && a.rest == b.rest {
			continue
		}
		worst, others = min(worst, fits(q, g, a)), min(others, fits(q, g, b))
		exact = exact && !a.rest && isVery(g, a)
		below = below && fitting(q, a, b) >= always
		above = above && fitting(q, b, a) >= always
	}
	switch {
	case worst < several:
		return false
	case worst > others && others >= several, exact:
		return true
	}
	return below && !above
}

// isVery reports whether an argument is of the type of a parameter: what else takes it, takes that.
func isVery(given, param javaType) bool {
	if given.class != nil || param.class != nil {
		return slices.Equal(given.class, param.class)
	}
	return given.name != "" && given.name == param.name
}

// takes is the worst fit of arguments.
func takes(q *resolve.Query, given, params []javaType) fit {
	if len(given) != len(params) {
		return never
	}
	worst := always
	for i, g := range given {
		worst = min(worst, fits(q, g, params[i]))
	}
	return worst
}

// fits is fitting, and no more than several for functions that take a variable number.
func fits(q *resolve.Query, given, param javaType) fit {
	f := fitting(q, given, param)
	if param.rest {
		f = min(f, several)
	}
	return f
}

// javaAbove are the classes and interfaces of Java's library that a value of a class is
// of, for classes of which all are known.
var javaAbove = map[string]map[string]bool{
	"String":        resolve.Set("CharSequence Comparable Serializable Constable ConstantDesc"),
	"Boolean":       resolve.Set("Comparable Serializable Constable"),
	"Character":     resolve.Set("Comparable Serializable Constable"),
	"Byte":          javaNumber,
	"Short":         javaNumber,
	"Integer":       javaNumber,
	"Long":          javaNumber,
	"Float":         javaNumber,
	"Double":        javaNumber,
	"Number":        resolve.Set("Serializable"),
	"Object":        nil,
	"CharSequence":  nil,
	"Comparable":    nil,
	"KClass":        nil,
	"Class":         resolve.Set("Type Serializable AnnotatedElement GenericDeclaration Constable"),
	"StringBuilder": resolve.Set("CharSequence Comparable Serializable Appendable"),
	"StringBuffer":  resolve.Set("CharSequence Comparable Serializable Appendable"),
	"Date":          resolve.Set("Comparable Serializable Cloneable"),
	"Locale":        resolve.Set("Serializable Cloneable"),
	"URL":           resolve.Set("Serializable"),
	"URI":           resolve.Set("Comparable Serializable"),
	"File":          resolve.Set("Comparable Serializable"),
	"Path":          resolve.Set("Comparable Iterable Watchable"),
	"Charset":       resolve.Set("Comparable"),
	"Pattern":       resolve.Set("Serializable"),
	"BigDecimal":    javaNumber,
	"BigInteger":    javaNumber,
	"List":          resolve.Set("Collection Iterable"),
	"Set":           resolve.Set("Collection Iterable"),
	"Collection":    resolve.Set("Iterable"),
	"Iterable":      nil,
	"Iterator":      nil,
	"Map":           nil,
	"Type":          nil,
	"ArrayList":     resolve.Set("List Collection Iterable AbstractList AbstractCollection RandomAccess Cloneable"),
	"InputStream":   resolve.Set("Closeable AutoCloseable"),
	"OutputStream":  resolve.Set("Closeable AutoCloseable Flushable"),
	"PrintStream":   resolve.Set("FilterOutputStream OutputStream Closeable AutoCloseable Flushable Appendable"),
	"PrintWriter":   resolve.Set("Writer Closeable AutoCloseable Flushable Appendable"),
	"Reader":        resolve.Set("Closeable AutoCloseable Readable"),
	"Writer":        resolve.Set("Closeable AutoCloseable Flushable Appendable"),
}

var javaNumber = resolve.Set("Number Comparable Serializable Constable ConstantDesc")

// fitting tells how an argument of one type may be given for a parameter of another.
func fitting(q *resolve.Query, given, param javaType) fit {
	switch {
	case given.name == "" && given.class == nil || param.name == "" && param.class == nil:
		return perhaps
	case given.class != nil:
		return ofClass(q, given, param)
	case param.class != nil:
		return toClass(q, given, param)
	case given.name == param.name:
		return always
	case !resolve.JavaConverts(given.name, param.name):
		return never
	case strings.HasSuffix(given.name, "[]") && strings.HasSuffix(param.name, "[]"):
		return ofElements(q, given, param)
	case given.name == "null":
		return always
	case resolve.JavaPrimitive[given.name]:
		if resolve.JavaPrimitive[param.name] {
			return always
		}
		return boxed
	case resolve.JavaPrimitive[param.name]:
		return boxed
	case param.name == "Object":
		if strings.HasPrefix(given.name, "->") {
			return never
		}
		return always
	}
	above, known := javaAbove[given.name]
	_, other := javaAbove[param.name]
	switch {
	case above[param.name], param.name == "Throwable" && isThrowable(given.name):
		return always
	case known && (other || param.foreign):
		return never
	}
	return perhaps
}

// ofElements is fitting of arrays.
func ofElements(q *resolve.Query, given, param javaType) fit {
	given.name, param.name = strings.TrimSuffix(given.name, "[]"), strings.TrimSuffix(param.name, "[]")
	if resolve.JavaPrimitive[given.name] || resolve.JavaPrimitive[param.name] {
		return never
	}
	return fitting(q, given, param)
}

// javaFinal are classes of Java's library that have no others below them.
var javaFinal = resolve.Set("String Boolean Character Byte Short Integer Long Float Double")

// ofClass is fitting of what is a class of the repository.
func ofClass(q *resolve.Query, given, param javaType) fit {
	if param.class == nil && param.name == "Object" {
		return always
	}
	line, _ := resolve.Above(q, given.class[0])
	switch {
	case param.class != nil && line[param.class[0]]:
		return always
	case param.class != nil:
		return never
	case resolve.JavaPrimitive[param.name], strings.HasSuffix(param.name, "[]"), javaFinal[param.name]:
		return never
	}
	outside, all := madeFrom(q, line)
	switch s := q.Symbol(given.class[0]); {
	case outside[param.whole]:
		return always
	case !all, !param.foreign, s.Kind == "enum", s.Kind == "record":
		return perhaps
	}
	return never
}

// madeFrom are the types outside of the repository that those of a line are made from; all tells that
// no others are.
func madeFrom(q *resolve.Query, line map[resolve.SymbolID]bool) (outside map[string]bool, all bool) {
	outside, all = map[string]bool{}, true
	for id := range line {
		for _, b := range q.Symbol(id).Bases {
			e := q.Eval(id.File, int(id.Index), b.Of.Value())
			switch {
			case e.Kind == resolve.External && e.Foreign != "":
				outside[e.Foreign] = true
				above, known := javaAbove[lastOf(e.Foreign)]
				all = all && known
				for name := range above {
					outside["java.lang."+name], outside[name] = true, true
				}
			case e.Kind != resolve.Value:
				all = false
			}
		}
	}
	return outside, all
}

func lastOf(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }

// toClass is fitting for a parameter that is a class of the repository, of what is none.
func toClass(q *resolve.Query, given, param javaType) fit {
	switch {
	case given.name == "null":
		return always
	case strings.HasPrefix(given.name, "->"):
		method := resolve.JavaFunction(q, param.class[0])
		if q.Symbol(param.class[0]).Kind == "interface" && (method == "" || resolve.JavaLambda(given.name, method)) {
			return perhaps
		}
		return never
	case given.foreign, isThrowable(given.name) && !isThrowable(q.Symbol(param.class[0]).Name):
		return never
	}
	return perhaps
}

// isThrowable reports whether a class is known to be one by its name.
func isThrowable(name string) bool {
	return name == "Throwable" || strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Error")
}

// parameterTypes are what a function accepts.
func parameterTypes(q *resolve.Query, id resolve.SymbolID) (out []javaType, known bool) {
	list, known := resolve.Parameters(q.Symbol(id))
	for i, p := range list {
		t := javaType{name: strings.TrimSuffix(p, "?")}
		switch e := resolve.Parameter(q, id, i); {
		case q.File(id.File).Language == "Kotlin":
			t = kotlinParameter(q, id, p)
		case t.name == "":
		case e.Kind == resolve.Value && len(e.Symbols) > 0 && !strings.HasSuffix(p, "[]"):
			t.class = e.Symbols[:1]
		default:
			t.foreign = isForeign(q, id.File, strings.TrimPrefix(strings.TrimSuffix(p, "[]"), "..."))
			t.foreign = t.foreign || e.Foreign != "" && len(e.Symbols) == 0
			t.whole = e.Foreign
		}
		out = append(out, t)
	}
	return out, known
}

// javaLang are types that need no import, beside those of javaAbove.
var javaLang = resolve.Set(`Appendable Runnable AutoCloseable Readable Cloneable Thread Throwable Exception
RuntimeException Error Process Record Enum Void ClassLoader Package StackTraceElement`)

// isForeign reports whether a name is known to be that of a type outside of the repository:
// of the language, or imported.
func isForeign(q *resolve.Query, f resolve.FileID, name string) bool {
	if _, ok := javaAbove[name]; ok || resolve.JavaPrimitive[name] || javaLang[name] {
		return true
	}
	return slices.ContainsFunc(q.File(f).Imports, func(i facts.Import) bool { return i.Name == name })
}

// argumentType is what is known of an argument of a call in a symbol of a file.
func argumentType(q *resolve.Query, f resolve.FileID, in int, argument string) javaType {
	if e, ok := facts.Given(argument); ok {
		return valueType(q, f, in, e)
	}
	return namedType(q, f, in, argument)
}

// namedType is the type of a name in a symbol of a file.
func namedType(q *resolve.Query, f resolve.FileID, in int, name string) javaType {
	t := javaType{name: name}
	plain := strings.TrimSuffix(name, "[]")
	if plain == "" || resolve.JavaPrimitive[plain] || plain == "null" || strings.HasPrefix(plain, "->") {
		t.foreign = true
		return t
	}
	found, _ := q.LanguageOf(f).Type(q, f, in, plain)
	switch {
	case len(found.Symbols) == 1 && plain == name:
		t.class = found.Symbols
	case len(found.Symbols) == 0:
		t.foreign = isForeign(q, f, plain) || plain != name
	}
	return t
}

// valueType is the type of the value of an expression: a class of the repository, or what
// the field or method that it is or calls is declared with.
func valueType(q *resolve.Query, f resolve.FileID, in int, expr facts.Expr) javaType {
	switch e := q.Eval(f, in, expr); {
	case e.Kind == resolve.Value && len(e.Symbols) == 1:
		return javaType{name: q.Symbol(e.Symbols[0]).Name, class: e.Symbols}
	case e.Kind != resolve.External:
		return javaType{}
	case e.Foreign != "" && q.File(f).Language == "Java":
		return javaType{name: lastOf(e.Foreign), foreign: true}
	}
	n := expr.Node()
	called := n.Op == facts.OpCall || n.Op == facts.OpCallWith
	if called {
		n = n.Of.Node()
	}
	var found resolve.Found
	switch n.Op {
	case facts.OpName:
		found = q.LanguageOf(f).Bare(q, f, in, n.Name)
	case facts.OpMember:
		found = q.Member(f, q.Eval(f, in, n.Of), n.Name)
	case facts.OpSymbolAt:
		found.Symbols = []resolve.SymbolID{{File: f, Index: int32(n.N)}} //nolint:gosec // an index
	}
	var out javaType
	for i, id := range found.Symbols {
		s := q.Symbol(id)
		declared := s.Type
		if called {
			declared = facts.Nothing
			if len(s.Results) == 1 {
				declared = s.Results[0].Value()
			}
		}
		t := declaredType(q, id, declared)
		if i > 0 && t.name != out.name {
			return javaType{}
		}
		out = t
	}
	return out
}

// declaredType is a type that the value of a symbol is declared with, if that is a name.
func declaredType(q *resolve.Query, id resolve.SymbolID, value facts.Expr) javaType {
	t, _ := value.OfValue()
	n := t.Node()
	if n.Op == facts.OpGeneric {
		n = n.Of.Node()
	}
	if n.Op == facts.OpName && !isParameter(q, id, n.Name) {
		return namedType(q, id.File, int(id.Index), n.Name)
	}
	return javaType{}
}

// isParameter reports whether a name is that of a type parameter of a symbol or of what is around it.
func isParameter(q *resolve.Query, id resolve.SymbolID, name string) bool {
	symbols := q.File(id.File).Symbols
	for i := int(id.Index); i >= 0; i = symbols[i].Parent {
		if slices.Contains(symbols[i].Params, name) {
			return true
		}
	}
	return false
}
