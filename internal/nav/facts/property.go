package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// accessors are what the names of methods begin with that are made of the fields of a class,
// by Lombok in Java.
var accessors = [...]string{"get", "set", "is", "with"}

// PropertiesOf are the fields of Java that a method of a name may be made of: price of
// getPrice; active and isActive of isActive.
func PropertiesOf(method string) (fields []string) {
	for _, prefix := range accessors {
		rest, ok := strings.CutPrefix(method, prefix)
		first, size := utf8.DecodeRuneInString(rest)
		if !ok || size == 0 || unicode.IsLower(first) {
			continue
		}
		fields = append(fields, string(unicode.ToLower(first))+rest[size:])
		switch prefix {
		case "is":
			fields = append(fields, method)
		case "set":
			fields = append(fields, "is"+rest)
		}
	}
	return fields
}

// JavaNames are the names by which a symbol of Java or Kotlin may be called beside its own: fields and properties by
// methods that are made of them, and methods of Java as properties of Kotlin.
func JavaNames(language string, s *Symbol) []string {
	switch {
	case language == "Java" && s.Kind == "field", language == "Kotlin" && s.Kind == "property":
		return AccessorsOf(s.Name)
	case language == "Java" && s.Kind == "method":
		return PropertiesOf(s.Name)
	}
	return nil
}

// AccessorsOf are the methods that may be made of a field of Java: those of which
// PropertiesOf names it.
func AccessorsOf(field string) (methods []string) {
	first, size := utf8.DecodeRuneInString(field)
	rest := string(unicode.ToUpper(first)) + field[size:]
	for _, prefix := range accessors {
		methods = append(methods, prefix+rest)
	}
	if boolean, ok := strings.CutPrefix(field, "is"); ok && boolean != "" {
		methods = append(methods, field, "set"+boolean)
	}
	return methods
}

// ObjCNames are those by which others mean a symbol of Objective-C: "setA:" and "_a" a property a, "a" the method
// "setA:", which "x.a = 1" calls.
func ObjCNames(s *Symbol) []string {
	switch rest, setter := strings.CutPrefix(s.Name, "set"); {
	case s.Kind == "property" && s.Name != "":
		return []string{"_" + s.Name, ObjCSetter(s.Name)}
	case setter && len(rest) > 1 && strings.IndexByte(rest, ':') == len(rest)-1:
		rest = rest[:len(rest)-1]
		return []string{rest, strings.ToLower(rest[:1]) + rest[1:]}
	}
	return nil
}

// ObjCSetter is the method of Objective-C that sets a property.
func ObjCSetter(name string) string {
	if name == "" {
		return ""
	}
	return "set" + strings.ToUpper(name[:1]) + name[1:] + ":"
}
