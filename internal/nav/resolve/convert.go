package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// converts reports whether an argument may be given for a parameter: always
// where nothing is known of one of them.
func converts(language, given, param string) bool {
	switch {
	case given == "" || param == "?" || given == param:
		return true
	case language == "Java":
		return JavaConverts(given, param)
	case language == "C++":
		return cppConverts(given, param)
	case facts.Script(language):
		return scriptConverts(given, param)
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
	// JavaPrimitive are the types of Java that are no classes.
	JavaPrimitive = Set("byte short char int long float double boolean")
	javaBox       = map[string]string{
		"byte": "Byte", "short": "Short", "char": "Character", "int": "Integer", "long": "Long", "float": "Float",
		"double": "Double", "boolean": "Boolean",
	}
	javaBoxed = Set("Byte Short Character Integer Long Float Double Boolean")
	javaAny   = Set("Object Comparable Serializable Constable ConstantDesc")
)

// javaFunction are the interfaces of java.util.function and the like: how many parameters
// their methods have, and whether they give nothing ("v") or something ("r").
var javaFunction = map[string]string{
	"Runnable": "0v", "Callable": "0r", "Supplier": "0r", "BooleanSupplier": "0r", "IntSupplier": "0r",
	"LongSupplier": "0r", "DoubleSupplier": "0r", "Consumer": "1v", "IntConsumer": "1v", "LongConsumer": "1v",
	"BiConsumer": "2v", "Function": "1r", "UnaryOperator": "1r", "Predicate": "1r", "IntPredicate": "1r",
	"IntFunction": "1r", "LongFunction": "1r", "ToIntFunction": "1r", "ToLongFunction": "1r", "ToDoubleFunction": "1r",
	"BiFunction": "2r", "BinaryOperator": "2r", "BiPredicate": "2r", "Comparator": "2r", "ToIntBiFunction": "2r",
}

// JavaLambda reports whether a lambda ("->", which may be any, or "->1", "->1v", "->1r") may be
// given for a method of that many parameters, that gives nothing or something.
func JavaLambda(given, method string) bool {
	given = strings.TrimPrefix(given, "->")
	return given == "" || given == method || given == method[:len(method)-1]
}

// JavaFunction is how a method is told to JavaLambda that the interface of a type has which
// functions are given for, "" if it is none.
func JavaFunction(q *Query, typ SymbolID) string {
	s := q.Symbol(typ)
	n := s.Under.Node()
	if s.Kind != "interface" || n.Op != facts.OpFunc || len(n.Parts()) == 0 {
		return ""
	}
	takes := 0
	if parts := n.Parts(); len(parts) > 1 {
		args := parts[1].Node()
		takes = len(args.Parts())
	}
	if n.Parts()[0].IsExternal() {
		return strconv.Itoa(takes) + "v"
	}
	return strconv.Itoa(takes) + "r"
}

// JavaConverts reports whether an argument of a type may be given for a parameter of
// another, by JLS 5.3 and their names alone. Type parameters are not among the names, and
// String, arrays and the boxes have no subtypes.
func JavaConverts(given, param string) bool {
	paramArray := strings.HasSuffix(param, "[]")
	switch {
	case given == "null":
		return !JavaPrimitive[param]
	case strings.HasPrefix(given, "->"):
		return !JavaPrimitive[param] && !paramArray && !javaBoxed[param] && param != "String" && param != "Object" &&
			(javaFunction[param] == "" || JavaLambda(given, javaFunction[param]))
	case JavaPrimitive[given] && JavaPrimitive[param]:
		return slices.Contains(strings.Fields(javaWidens[given]), param)
	case JavaPrimitive[given]:
		return param == javaBox[given] || javaAny[param] || param == "Number" && given != "boolean" && given != "char"
	case given == "String":
		return javaAny[param] || param == "CharSequence"
	case strings.HasSuffix(given, "[]"):
		return paramArray || param == "Object" || param == "Cloneable" || param == "Serializable"
	case JavaPrimitive[param]:
		return javaBoxed[given] || javaAny[given] || given == "Number"
	}
	return !paramArray && param != "String" && !javaBoxed[param]
}

var cppNumber = Set("int long short unsigned double float char")

// cppConverts knows names of types only: numbers are no text, and text is no number but
// bool, which every pointer becomes.
func cppConverts(given, param string) bool {
	switch {
	case given == "char*":
		return !cppNumber[param] && !strings.Contains(param, " ")
	case cppNumber[given]:
		return !strings.HasSuffix(param, "*") && param != "std::string" && param != "std::string_view"
	}
	return true
}
