package java

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// accepts is what the parameters of a method are called by.
func accepts(p *walker, n binder.At) string {
	list := p.Child(n, "parameters")
	if list < 0 || p.HasErrors(list) {
		return ""
	}
	var all []string
	for c := range p.Named(list) {
		switch p.Kind(c) {
		case "formal_parameter":
			all = append(all, typeName(p, p.Child(c, "type"))+strings.ReplaceAll(p.TextAt(p.Child(c, "dimensions")), " ", ""))
		case "spread_parameter":
			t := binder.None
			for x := range p.Named(c) {
				if k := p.Kind(x); k != "modifiers" && k != "variable_declarator" && t < 0 {
					t = x
				}
			}
			all = append(all, "..."+typeName(p, t))
		}
	}
	return binder.Signature(all)
}

// typeName is the name of a type without its package and type arguments; that of Object
// for type parameters without a bound, "" for others.
func typeName(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "integral_type", "floating_point_type", "boolean_type":
		return p.TextAt(n)
	case "type_identifier", "identifier":
		name := p.TextAt(n)
		if v, sc := p.ScopeOf(n).Find(name, true); v != nil && sc != p.Top && len(v.Sources) > 0 &&
			v.Sources[0].Expr == facts.Name(name) {
			i := slices.Index(sc.Symbol.Params, name)
			if i >= 0 && i < len(sc.Symbol.BoundSources) && sc.Symbol.BoundSources[i] == binder.ExternalSource {
				return "Object"
			}
			return ""
		}
		return name
	case "generic_type":
		return typeName(p, p.Nth(n, 0))
	case "scoped_type_identifier":
		if text := p.TextAt(n); !binder.IsUpper(text) && !strings.HasPrefix(text, "java.lang.") {
			return "" // the name alone means something else
		}
		return typeName(p, p.Last(n))
	case "annotated_type":
		return typeName(p, p.Last(n))
	case "array_type":
		e := typeName(p, p.Child(n, "element"))
		if e == "" && p.Kind(p.Child(n, "element")) == "type_identifier" {
			e = "Object" // any but those of numbers
		}
		if e != "" {
			return e + strings.ReplaceAll(p.TextAt(p.Child(n, "dimensions")), " ", "")
		}
	}
	return ""
}

// longestArgument bounds the expressions of arguments, in bytes.
const longestArgument = 80

// argument is what is known of an argument: its type, or else an expression of it.
func argument(p *walker, n binder.At) string {
	if t := given(p, n); t != "" {
		return t
	}
	if e := p.Expr(n); e.Known() && !e.IsExternal() && e.Size() <= longestArgument {
		return facts.GivenAs(e)
	}
	return ""
}

// given is the type of an argument where the file says it: a literal, a new
// object, a cast, a variable or field with a declared type, this; else "".
func given(p *walker, n binder.At) string {
	if t := ofLiteral(p, n); t != "" {
		return t
	}
	switch p.Kind(n) {
	case "unary_expression":
		if op := p.TextAt(p.Child(n, "operator")); op == "!" {
			return "boolean"
		} else if t := given(p, p.Child(n, "operand")); op == "-" &&
			(t == "int" || t == "long" || t == "float" || t == "double") {
			return t
		}
	case "binary_expression":
		return ofOperator(p.TextAt(p.Child(n, "operator")), given(p, p.Child(n, "left")), given(p, p.Child(n, "right")))
	case "ternary_expression":
		if t := given(p, p.Child(n, "consequence")); t == given(p, p.Child(n, "alternative")) {
			return t
		}
	case "parenthesized_expression":
		return given(p, p.Nth(n, 0))
	case "array_access":
		if e, ok := strings.CutSuffix(given(p, p.Child(n, "array")), "[]"); ok {
			return e
		}
	case "field_access":
		return ofField(given(p, p.Child(n, "object")), p.TextAt(p.Child(n, "object")), p.TextAt(p.Child(n, "field")))
	case "method_invocation":
		if object := p.Child(n, "object"); object >= 0 {
			name, arguments := p.TextAt(p.Child(n, "name")), p.Nth(p.Child(n, "arguments"), 0) >= 0
			if t := ofStatic(p.TextAt(object), name); t != "" {
				return t
			}
			return ofMethod(given(p, object), name, arguments)
		}
	case "object_creation_expression", "cast_expression":
		return typeName(p, p.Child(n, "type"))
	case "array_creation_expression":
		if e := typeName(p, p.Child(n, "type")); e != "" {
			return e + "[]"
		}
	case "this":
		return thisName(p, n)
	case "identifier":
		return declaredType(p, n)
	}
	return ""
}

// ofLiteral is the type of what is written out, and of what can be of one type only.
func ofLiteral(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "class_literal":
		return "Class"
	case "string_literal", "text_block":
		return "String"
	case "character_literal":
		return "char"
	case "true", "false", "instanceof_expression":
		return "boolean"
	case "null_literal":
		return "null"
	case "lambda_expression":
		return ofLambda(p, n)
	case "method_reference":
		return "->"
	case "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal":
		if strings.HasSuffix(strings.ToLower(p.TextAt(n)), "l") {
			return "long"
		}
		return "int"
	case "decimal_floating_point_literal", "hex_floating_point_literal":
		if strings.HasSuffix(strings.ToLower(p.TextAt(n)), "f") {
			return "float"
		}
		return "double"
	}
	return ""
}

// ofOperator is the type of a binary expression (JLS 15.17 to 15.24).
func ofOperator(op, left, right string) string {
	switch op {
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return "boolean"
	case "+":
		if left == "String" || right == "String" {
			return "String"
		}
	case "<<", ">>", ">>>":
		right = "int"
	}
	a, b := promoted[left], promoted[right]
	if a == 0 || b == 0 {
		return ""
	}
	return [...]string{1: "int", 2: "long", 3: "float", 4: "double"}[max(a, b)]
}

// promoted ranks the types of numbers by what they become in an operation (JLS 5.6).
var promoted = map[string]int{"byte": 1, "short": 1, "char": 1, "int": 1, "long": 2, "float": 3, "double": 4}

// boxes are the primitive types whose limits are constants of the class of a name.
var boxes = map[string]string{
	"Byte": "byte", "Short": "short", "Character": "char", "Integer": "int", "Long": "long", "Float": "float",
	"Double": "double",
}

// ofStatic is what a static method of String or of the class of a number gives.
func ofStatic(class, name string) string {
	number := boxes[class] != "" || class == "Boolean"
	switch {
	case class == "String", number && strings.HasPrefix(name, "to") && strings.HasSuffix(name, "String"):
		return "String"
	case number && name == "valueOf":
		return class
	}
	return ""
}

// ofField is the type of a field of what has a type, or of a name.
func ofField(object, name, field string) string {
	switch field {
	case "MAX_VALUE", "MIN_VALUE", "NaN", "POSITIVE_INFINITY", "NEGATIVE_INFINITY":
		return boxes[name]
	case "length":
		if strings.HasSuffix(object, "[]") {
			return "int"
		}
	case "out", "err":
		if name == "System" {
			return "PrintStream"
		}
	}
	return ""
}

// ofMethod is what a method of a value of a type gives, for those that all classes and
// String have.
func ofMethod(object, name string, arguments bool) string {
	switch name {
	case "toString":
		if !arguments {
			return "String"
		}
	case "getClass":
		return "Class"
	case "equals":
		return "boolean"
	case "hashCode":
		if !arguments {
			return "int"
		}
	}
	if object == "String" {
		return ofString[name]
	}
	return ""
}

// ofString is what methods of String give.
var ofString = map[string]string{
	"length": "int", "indexOf": "int", "lastIndexOf": "int", "compareTo": "int", "codePointAt": "int", "charAt": "char",
	"substring": "String", "trim": "String", "strip": "String", "toLowerCase": "String", "toUpperCase": "String",
	"replace": "String", "replaceAll": "String", "concat": "String", "repeat": "String", "intern": "String",
	"toCharArray": "char[]", "getBytes": "byte[]", "split": "String[]", "isEmpty": "boolean", "contains": "boolean",
	"startsWith": "boolean", "endsWith": "boolean", "matches": "boolean",
}

// thisName is the name of the class around, of one without a name of what it is made from.
func thisName(p *walker, n binder.At) string {
	decl := p.Parent(p.Up(n, "class_body", "enum_body", "interface_body"))
	switch p.Kind(decl) {
	case "class_declaration", "enum_declaration", "interface_declaration", "record_declaration":
		return p.TextAt(p.Child(decl, "name"))
	case "object_creation_expression":
		return typeName(p, p.Child(decl, "type"))
	case "enum_constant":
		return thisName(p, decl)
	}
	return ""
}

// thisType is the class around, of one without a name what it is made from.
func thisType(p *walker, n binder.At) facts.Expr {
	decl := p.Parent(p.Up(n, "class_body", "enum_body", "interface_body"))
	if p.Kind(decl) == "object_creation_expression" {
		return p.TypeOf(p.Child(decl, "type"))
	}
	return p.ClassAround(n)
}

// declaredType is the declared type of a parameter, a variable of a method, or a field of
// a class around, "" where there are several of the name.
func declaredType(p *walker, n binder.At) string {
	v, _ := p.ScopeOf(n).Find(p.TextAt(n), true)
	switch {
	case v == nil:
		return ""
	case v.Symbol != nil:
		return commonType(p, v.Symbol.Values)
	}
	return commonType(p, v.Sources)
}

// commonType is the type that all of some sources are declared with, "" if there is none.
func commonType(p *walker, sources []binder.Source) (name string) {
	for i, s := range sources {
		if up := p.Parent(s.Node); s.Node <= 0 || !s.IsDeclared() || p.Kind(up) == "catch_type" && p.Nth(up, 1) >= 0 {
			return ""
		}
		if t := typeName(p, s.Node); i == 0 {
			name = t
		} else if t != name {
			return ""
		}
	}
	if name == "var" {
		return ""
	}
	return name
}
