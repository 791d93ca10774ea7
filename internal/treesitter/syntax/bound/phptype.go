package bound

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// phpType is the type that a text of a comment begins with, by the grammar of PHPStan and Psalm, and what is behind it.
func phpType(text string) (t facts.Expr, behind string) {
	r := docReader{text: text}
	t = r.union()
	return t, strings.TrimLeft(r.text, " \t")
}

// A docReader reads types from the beginning of a text.
type docReader struct {
	text  string
	depth int
}

// deepestType is how many brackets of types are followed.
const deepestType = 12

// next reports whether the text goes on with a word, blanks apart, and reads it then.
func (r *docReader) next(word string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(r.text, " \t"), word)
	if ok {
		r.text = rest
	}
	return ok
}

// union reads types with "|" or "&" between.
func (r *docReader) union() facts.Expr {
	if r.depth++; r.depth > deepestType {
		r.text = ""
		return facts.Unknown
	}
	defer func() { r.depth-- }()
	all := []facts.Expr{r.single()}
	for r.next("|") || r.next("&") {
		all = append(all, r.single())
	}
	var kept []facts.Expr
	for _, t := range all {
		if t.Known() && !t.IsExternal() {
			kept = append(kept, t)
		}
	}
	switch len(kept) {
	case 0:
		return all[0]
	case 1:
		return kept[0]
	}
	return facts.Union(kept...)
}

// single reads a type, and the "[]" behind it.
func (r *docReader) single() facts.Expr {
	t := r.atom()
	for strings.HasPrefix(r.text, "[]") {
		r.text = r.text[len("[]"):]
		t = listOf(t)
	}
	return t
}

func listOf(t facts.Expr) facts.Expr {
	if !t.Known() || t.IsExternal() {
		return facts.External
	}
	return facts.List(t)
}

func (r *docReader) atom() facts.Expr {
	r.text = strings.TrimLeft(r.text, " \t")
	switch {
	case r.text == "":
		return facts.Unknown
	case r.next("?"):
		return r.atom()
	case r.next("("):
		return r.bracketed()
	case r.next("$this"):
		return facts.This
	case r.text[0] == '\'' || r.text[0] == '"':
		end := strings.IndexByte(r.text[1:], r.text[0])
		r.text = r.text[max(end+2, 1):]
		return facts.External
	}
	n := 0
	for n < len(r.text) && (isNamePart(r.text[n]) || r.text[n] == '\\' || r.text[n] == '-' && n > 0) {
		n++
	}
	if n == 0 {
		n = len(r.text) - len(strings.TrimLeft(r.text, "-0123456789.*"))
		r.text = r.text[n:]
		return facts.Unknown
	}
	name := r.text[:n]
	r.text = r.text[n:]
	if strings.HasPrefix(r.text, "::") { // a constant
		r.text = strings.TrimLeft(r.text[len("::"):], "*ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
		return facts.External
	}
	return r.named(name)
}

// bracketed reads what is behind "(": a type, or one of two by a condition.
func (r *docReader) bracketed() facts.Expr {
	if strings.HasPrefix(r.text, "$") && !strings.HasPrefix(r.text, "$this|") {
		r.text = r.text[1:]
	}
	t := r.union()
	if r.next("is ") {
		r.next("not ")
		r.union()
		if r.next("?") {
			t = r.union()
			if r.next(":") {
				t = unionOf(t, r.union())
			}
		}
	}
	r.next(")")
	return t
}

func unionOf(a, b facts.Expr) facts.Expr {
	switch {
	case !b.Known() || b.IsExternal() || a == b:
		return a
	case !a.Known() || a.IsExternal():
		return b
	}
	return facts.Union(a, b)
}

// named reads what is behind the name of a type.
func (r *docReader) named(name string) facts.Expr {
	var args []facts.Expr
	switch {
	case r.next("<"):
		args = r.list(">")
	case strings.HasPrefix(r.text, "{"):
		r.shape()
		return facts.External
	case strings.HasPrefix(r.text, "(") && isCallable(name):
		r.next("(")
		params := r.list(")")
		result := facts.External
		if r.next(":") {
			result = r.single()
		}
		return facts.FuncWith(orExternal(result), params...)
	}
	return phpNamed(name, args)
}

// list reads types up to a bracket, with what is said of their parameters.
func (r *docReader) list(end string) (all []facts.Expr) {
	for !r.next(end) {
		before := len(r.text)
		if r.next("covariant ") || r.next("contravariant ") {
			continue
		}
		all = append(all, orExternal(r.union()))
		for r.next("...") || r.next("&") || r.next("=") {
			continue
		}
		if r.next("$") {
			r.text = strings.TrimLeft(r.text[nameLength(r.text):], " =.")
		}
		if !r.next(",") && len(r.text) == before || r.text == "" {
			r.text = ""
			break
		}
	}
	return all
}

func orExternal(t facts.Expr) facts.Expr {
	if !t.Known() {
		return facts.External
	}
	return t
}

// shape skips what is in curly brackets.
func (r *docReader) shape() {
	depth := 0
	for i := range len(r.text) {
		switch r.text[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			r.text = r.text[i+1:]
			return
		}
	}
	r.text = ""
}

func isCallable(name string) bool {
	switch strings.TrimPrefix(name, `\`) {
	case "callable", "Closure", "pure-callable", "pure-Closure":
		return true
	}
	return false
}

func isNamePart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// nameLength is how long the name is that a text begins with.
func nameLength(text string) int {
	n := 0
	for n < len(text) && isNamePart(text[n]) {
		n++
	}
	return n
}

// phpElements are the types of PHP that are made of what they are given: how many type arguments are before that of
// elements if there are all.
var phpElements = map[string]int{
	"array": 1, "list": 0, "iterable": 1, "non-empty-array": 1, "non-empty-list": 0, "associative-array": 1,
	"Traversable": 1, "Iterator": 1, "IteratorAggregate": 1, "ArrayAccess": 1, "Generator": 1, "ArrayIterator": 1,
	"ArrayObject": 1, "SplObjectStorage": 0, "SplQueue": 0, "SplStack": 0, "SplDoublyLinkedList": 0, "SplFixedArray": 0,
	"WeakMap": 1,
}

// phpNamed is the type of a name with type arguments.
func phpNamed(name string, args []facts.Expr) facts.Expr {
	plain := strings.TrimPrefix(name, `\`)
	if before, ok := phpElements[plain]; ok {
		if len(args) == 0 {
			return facts.External
		}
		return listOf(args[min(before, len(args)-1)])
	}
	switch strings.ToLower(plain) {
	case "static", "self":
		if len(args) > 0 {
			return facts.This.Generic(args...)
		}
		return facts.This
	case "class-string", "interface-string":
		if len(args) == 1 && !args[0].IsExternal() {
			return facts.Class(args[0])
		}
		return facts.External
	case "mixed", "parent":
		return facts.Unknown
	}
	if phpBuiltin[strings.ToLower(plain)] || strings.Contains(plain, "-") {
		return facts.External
	}
	t := phpName(name)
	if len(args) > 0 {
		t = t.Generic(args...)
	}
	return t
}

// phpName is the type of a name with backslashes.
func phpName(name string) facts.Expr {
	switch around, last := phpCut(name); around {
	case "":
		return facts.Name(last)
	case `\`:
		return facts.Name(around + last)
	default:
		return facts.Name(around).Member(last)
	}
}

// phpCut parts a name at its last backslash. What is before is a namespace: it ends with a backslash where that is not
// plain, and begins with one where the name does.
func phpCut(name string) (around, last string) {
	name = strings.Join(strings.Fields(name), "")
	around, last = cutPath(strings.Trim(name, `\`))
	if around != "" && !strings.Contains(around, `\`) {
		around += `\`
	}
	if strings.HasPrefix(name, `\`) {
		around = `\` + around
	}
	return around, last
}

// phpBuiltin are types of the language.
var phpBuiltin = binder.Words(`
int integer string bool boolean float double null void false true never object resource scalar
numeric callable closure number`)
