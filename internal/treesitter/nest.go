//go:build cgo

package treesitter

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// A decl is a node in its place: what is around it is known.
type decl struct {
	node
	up       int // index of the declaration or scope around, or -1
	outer    int // offset where its wraps begin
	first    bool
	exported bool   // by a wrap
	inFunc   bool   // some declaration around is a function
	own      string // name without what it is qualified with
	parent   string
	path     string // that what is in it is qualified with
}

// containers are the kinds whose functions are methods.
var containers = map[string]bool{
	"class": true, "struct": true, "interface": true, "trait": true, "enum": true, "union": true, "object": true,
	"protocol": true, "extension": true, "impl": true, "record": true, "annotation": true,
}

// values are the kinds that don't count inside of functions.
var values = map[string]bool{"const": true, "var": true, "property": true, "closure": true, "key": true, "maybe": true}

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
		if i := len(decls) - 1; i >= 0 && n.role == roleDef && decls[i].role == roleDef && decls[i].span == n.span && decls[i].name == n.name {
			continue
		}
		d := decl{node: n, up: -1, outer: n.start, first: true}
		for _, i := range slices.Backward(stack) {
			around := &decls[i]
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

// qualify sets the names, and the kind where that depends on what is around.
func (d *decl) qualify(f *found, lang *language, decls []decl) {
	around := ""
	if d.up >= 0 {
		up := &decls[d.up]
		around, d.inFunc = up.path, up.inFunc || isFunc(up.kind)
	}
	own := f.slice(d.name)
	if d.name == (span{}) && d.role == roleDef {
		own = "default"
	}
	if lang.rename != nil {
		own = lang.rename(own)
	}
	own = strings.Join(strings.Fields(own), " ")
	if of := f.slice(d.of); of != "" {
		around = join(around, strings.Join(lang.parts(withoutAngles(of)), "."))
	}
	var parts []string
	if !plain[d.kind] {
		parts = lang.parts(own)
	}
	if len(parts) == 1 {
		own = parts[0]
	}
	if len(parts) > 1 {
		around, own = join(around, strings.Join(parts[:len(parts)-1], ".")), parts[len(parts)-1]
		if d.kind == "func" {
			d.kind = "method"
		}
	} else if d.kind == "func" && (d.of.end > 0 || d.up >= 0 && containers[decls[d.up].kind]) {
		d.kind = "method"
	}
	d.own, d.parent, d.path = own, around, join(around, own)
	if d.kind == "namespace" || d.kind == "type" {
		d.path = around
	}
}

// plain are the kinds whose names are not taken apart.
var plain = map[string]bool{
	"namespace": true, "key": true, "section": true, "table": true, "resource": true, "stage": true, "rule": true, "element": true,
}

// parts are the names between the language's separators, without type
// arguments.
func (l *language) parts(name string) []string {
	if l.separators == "" {
		return []string{name}
	}
	if !strings.Contains(name, "operator") {
		name = withoutAngles(name)
	}
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(l.separators, r) })
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

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}

func isFunc(kind string) bool { return kind == "func" || kind == "method" || kind == "closure" }

// counts reports whether a declaration is a symbol.
func (d *decl) counts(file string) bool {
	switch {
	case d.role != roleDef || d.own == "":
		return false
	case d.kind == "proto":
		return !d.inFunc && isHeader(file)
	}
	return !d.inFunc || !values[d.kind]
}

func isHeader(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".h", ".hh", ".hpp", ".hxx", ".inl", ".cuh":
		return true
	}
	return false
}
