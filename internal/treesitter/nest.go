//go:build cgo

package treesitter

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/parse"
)

// A decl is a node in its place: what is around it is known.
type decl struct {
	node
	up       int // index of the declaration or scope around, or -1
	outer    int // offset where its wraps begin
	first    bool
	exported bool   // by a wrap
	inFunc   bool   // some declaration around is a function
	inType   bool   // the closest declaration around is a container
	inBody   bool   // it is a container or a module
	own      string // name without what it is qualified with
	parent   string
	path     string // that what is in it is qualified with
}

// containers are the kinds whose functions are methods.
var containers = map[string]bool{
	"class": true, "struct": true, "interface": true, "trait": true, "enum": true, "union": true, "object": true,
	"protocol": true, "extension": true, "impl": true, "record": true, "annotation": true, "member": true,
}

// values are the kinds that don't count inside of functions.
var values = map[string]bool{
	"const": true, "var": true, "property": true, "closure": true, "key": true, "maybe": true, "field": true,
	"member": true,
	"upper":  true, "made": true, "static": true, "promoted": true, "entry": true, "flag": true,
}

// nest puts the nodes in order and finds what is around each. Scopes and
// wraps are among the result.
func (f *found) nest(lang *language) []decl {
	slices.SortStableFunc(f.nodes, func(a, b node) int {
		return cmp.Or(a.start-b.start, b.end-a.end, int(b.role)-int(a.role), a.pattern-b.pattern, b.body-a.body)
	})
	decls := make([]decl, 0, len(f.nodes))
	var stack []int
	for _, n := range f.nodes {
		for len(stack) > 0 && !decls[stack[len(stack)-1]].holds(n.span) {
			stack = stack[:len(stack)-1]
		}
		if n.role == roleDef && again(decls, n) {
			continue
		}
		d := decl{node: n, up: -1, outer: n.start, first: true}
		for _, i := range slices.Backward(stack) {
			around := &decls[i]
			if n.role == roleDef && around.role == roleDef && around.span == n.span { // "A = 1, B = 2": neither is in the other
				continue
			}
			if n.kind == "promoted" && isFunc(around.kind) {
				continue
			}
			if around.role != roleWrap && around.role != roleExport {
				d.up = i
				break
			}
			if d.first = d.first && around.first; d.first && n.role == roleDef {
				d.outer, around.first = around.start, false
			}
			d.exported = d.exported || around.role == roleExport
		}
		if d.role == roleDef || d.role == roleScope {
			d.qualify(f, lang, decls)
		}
		decls = append(decls, d)
		stack = append(stack, len(decls)-1)
	}
	return decls
}

// again reports whether one of the last declarations is the same one, which
// another pattern has matched: it has the name and the first byte. The longest
// comes first.
func again(decls []decl, n node) bool {
	for _, d := range slices.Backward(decls) {
		if d.start != n.start {
			return false
		}
		if d.role == roleDef && d.name == n.name && (d.span == n.span || n.name != span{}) {
			return true
		}
	}
	return false
}

// qualify sets the names, and the kind where that depends on what is around.
func (d *decl) qualify(f *found, lang *language, decls []decl) {
	around := ""
	if d.up >= 0 {
		up := &decls[d.up]
		around, d.inFunc, d.inType = up.path, up.inFunc || isFunc(up.kind), containers[up.kind]
		d.inBody = d.inType || up.kind == "module"
	}
	own := f.slice(d.name)
	whole := own != "" && strings.IndexByte("\"'[", own[0]) >= 0 // dots in a string or an expression part nothing
	if d.name == (span{}) && d.role == roleDef {
		own = "default"
	}
	if lang.rename != nil {
		own = lang.rename(own)
	}
	own = strings.Join(strings.Fields(own), " ")
	if d.role == roleDef && !isName(own) { // what is left of a syntax error
		if own = lastName(own); own == "" || !isFunc(d.kind) && d.kind != "proto" {
			d.path = around
			return
		}
	}
	if of := f.slice(d.of); of != "" {
		around = parse.Qualify(around, strings.Join(lang.parts(withoutAngles(of)), "."))
	}
	var parts []string
	switch {
	case d.role == roleScope && exportsObject[own]:
		own = ""
	case !undivided[d.kind] && !whole:
		parts = lang.parts(own)
	}
	if len(parts) == 1 {
		own = parts[0]
	}
	if len(parts) > 1 {
		around, own = parse.Qualify(around, strings.Join(parts[:len(parts)-1], ".")), parts[len(parts)-1]
		if d.kind == "func" {
			d.kind = "method"
		}
	} else if d.kind == "func" && (d.of.end > 0 || d.inType) {
		d.kind = "method"
	}
	d.own, d.parent, d.path = own, around, parse.Qualify(around, own)
	if d.kind == "type" || whole && d.kind == "namespace" {
		d.path = around
	}
}

// undivided are the kinds whose names are not taken apart.
var undivided = map[string]bool{
	"key": true, "section": true, "table": true, "resource": true, "stage": true, "rule": true, "element": true,
}

// parts are the names between the language's separators, without type
// arguments.
func (l *language) parts(name string) []string {
	if l.separators == "" || strings.IndexFunc(name, unicode.IsLetter) < 0 && !strings.Contains(name, "_") { // an operator
		return []string{name}
	}
	var operator []string
	if i := operatorIn(name); i >= 0 {
		name, operator = name[:i], []string{name[i:]}
	}
	name = withoutAngles(name)
	return append(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(l.separators, r) }),
		operator...)
}

func withoutAngles(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '<':
			depth++
		case r == '>' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isName reports whether a text can be a name. After a syntax error the node
// that should be one may be any tokens.
func isName(s string) bool {
	if operatorIn(s) >= 0 || s != "" && strings.IndexByte("`\"'", s[0]) >= 0 {
		return true
	}
	return s != "" && !strings.ContainsAny(withoutAngles(s), " (){};")
}

// lastName is the last of several words, or nothing: what the name of a
// function is behind "API Result name", of which a grammar that knows neither
// macro nor type makes one name.
func lastName(s string) string {
	last := s[strings.LastIndexByte(s, ' ')+1:]
	odd := strings.IndexFunc(last, func(r rune) bool {
		return r != '_' && r != ':' && r != '~' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if odd >= 0 || strings.ContainsAny(s, "{};") {
		return ""
	}
	return last
}

// operatorIn is where the name of an operator, which may be anything, begins
// in a name, or -1.
func operatorIn(name string) int {
	const word = "operator"
	i := strings.LastIndex(name, word)
	if i < 0 || i > 0 && name[i-1] != ':' || len(name) > i+len(word) && isWordByte(name[i+len(word)]) {
		return -1
	}
	return i
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isFunc(kind string) bool { return kind == "func" || kind == "method" || kind == "closure" }

// counts reports whether a declaration is a symbol.
func (d *decl) counts(file string) bool {
	switch {
	case d.role != roleDef || d.own == "":
		return false
	case d.kind == "generated":
		return !d.inFunc && d.inBody
	case d.kind == "proto":
		return !d.inFunc && (d.inType || isHeader(file)) && !d.isMacro()
	}
	return !d.inFunc || !values[d.kind]
}

// isMacro reports whether what looks like a constructor is the call of a macro.
func (d *decl) isMacro() bool {
	return d.start == d.name.start && isUpper(d.own) &&
		strings.TrimPrefix(d.own, "~") != d.parent[strings.LastIndexByte(d.parent, '.')+1:]
}

func isHeader(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".h", ".hh", ".hpp", ".hxx", ".inl", ".cuh":
		return true
	}
	return false
}
