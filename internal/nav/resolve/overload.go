package resolve

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// overloads leaves out the functions that certainly cannot take the arguments
// of a call, by their number and by what the text says of their types. Where
// all types are those of a function, that one is meant: languages prefer it.
func (q *Query) overloads(ref *facts.Ref, list []SymbolID) []SymbolID {
	if ref.Args == 0 || len(list) < 2 {
		return list
	}
	given := make([]string, ref.Args-1)
	if ref.Given != "" {
		given = strings.Split(ref.Given, ",")
	}
	var fitting, exact []SymbolID
	for _, id := range list {
		params, known := parameters(q.Symbol(id).Accepts)
		if known && !takes(q.File(id.File).Language, params, given) {
			continue
		}
		fitting = append(fitting, id)
		if known && len(given) > 0 && exactly(params, given) {
			exact = append(exact, id)
		}
	}
	switch {
	case len(exact) > 0:
		return q.withTwins(fitting, exact)
	case len(fitting) > 0:
		return fitting
	}
	return list
}

// withTwins adds those of all that have the same parameters as one of some,
// whether or not they may be left out: other declarations of the same function.
func (q *Query) withTwins(all, some []SymbolID) []SymbolID {
	plain := func(id SymbolID) string { return strings.ReplaceAll(q.Symbol(id).Accepts, "=", "") }
	var out []SymbolID
	for _, id := range all {
		if slices.ContainsFunc(some, func(s SymbolID) bool { return plain(s) == plain(id) }) {
			out = append(out, id)
		}
	}
	return out
}

// parameters are the parts of Symbol.Accepts.
func parameters(accepts string) (list []string, known bool) {
	inner, ok := strings.CutPrefix(accepts, "(")
	if inner, ok = strings.CutSuffix(inner, ")"); !ok {
		return nil, false
	}
	if accepts == "()" {
		return nil, true
	}
	return strings.Split(inner, ","), true
}

// exactly reports whether each argument is of the very type of its parameter.
func exactly(params, given []string) bool {
	return slices.EqualFunc(params, given, func(p, g string) bool { return g != "" && strings.TrimPrefix(p, "=") == g })
}

// takes reports whether parameters may take arguments.
func takes(language string, params, given []string) bool {
	for i, p := range params {
		rest, all := strings.CutPrefix(p, "...")
		switch {
		case all && i == len(params)-1:
			// A single array is given as it is.
			return len(given) == i+1 && (given[i] == "null" || strings.HasSuffix(given[i], "[]")) ||
				!slices.ContainsFunc(given[min(i, len(given)):], func(g string) bool { return !converts(language, g, rest) })
		case all:
			return true
		case i >= len(given):
			return !slices.ContainsFunc(params[i:], func(p string) bool { return !strings.HasPrefix(p, "=") && !strings.HasPrefix(p, "...") })
		case !converts(language, given[i], strings.TrimPrefix(p, "=")):
			return false
		}
	}
	return len(given) <= len(params)
}

// converts reports whether an argument may be given for a parameter: always
// where nothing is known of one of them.
func converts(language, given, param string) bool {
	switch {
	case given == "" || param == "?" || given == param:
		return true
	case language == "Java":
		return javaConverts(given, param)
	case language == "C++":
		return cppConverts(given, param)
	}
	return true
}

// javaWidens are the types of numbers that a number becomes by itself (JLS
// 5.1.2), the ones before in order.
var javaWidens = map[string]string{
	"byte": "short int long float double", "short": "int long float double", "char": "int long float double",
	"int": "long float double", "long": "float double", "float": "double", "boolean": "",
}

var (
	javaPrimitive = set("byte short char int long float double boolean")
	javaBox       = map[string]string{
		"byte": "Byte", "short": "Short", "char": "Character", "int": "Integer", "long": "Long", "float": "Float", "double": "Double", "boolean": "Boolean",
	}
	javaBoxed = set("Byte Short Character Integer Long Float Double Boolean")
	javaAny   = set("Object Comparable Serializable Constable ConstantDesc")
)

// javaConverts follows JLS 5.3. Type parameters are not among the names, and
// String, arrays and the boxes have no subtypes.
func javaConverts(given, param string) bool {
	paramArray := strings.HasSuffix(param, "[]")
	switch {
	case given == "null":
		return !javaPrimitive[param]
	case given == "->":
		return !javaPrimitive[param] && !paramArray && !javaBoxed[param] && param != "String" && param != "Object"
	case javaPrimitive[given] && javaPrimitive[param]:
		return slices.Contains(strings.Fields(javaWidens[given]), param)
	case javaPrimitive[given]:
		return param == javaBox[given] || javaAny[param] || param == "Number" && given != "boolean" && given != "char"
	case given == "String":
		return javaAny[param] || param == "CharSequence"
	case strings.HasSuffix(given, "[]"):
		return paramArray || param == "Object" || param == "Cloneable" || param == "Serializable"
	case javaPrimitive[param]:
		return javaBoxed[given] || javaAny[given] || given == "Number"
	}
	return !paramArray && param != "String" && !javaBoxed[param]
}

var cppNumber = set("int long short unsigned double float char")

// cppConverts knows literals only: numbers are no strings, and strings no
// numbers but bool, which every pointer becomes.
func cppConverts(given, param string) bool {
	if given == "char*" {
		return !cppNumber[param] && !strings.Contains(param, " ")
	}
	return param != "char*" && param != "string"
}
