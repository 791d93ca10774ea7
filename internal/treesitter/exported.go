//go:build cgo

package treesitter

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

func notUnderscore(_ *outliner, _ *decl, s parse.Symbol) bool { return !strings.HasPrefix(s.Name, "_") }

// setters are what only the setter of a property of Swift or PHP is.
var setters = strings.NewReplacer("fileprivate(set)", "", "private(set)", "", "protected(set)", "", "internal(set)", "",
	"package(set)", "", "public(set)", "")

// says reports whether one of the words is in the head of a declaration,
// before its name and parameters. Scala's "private[this]" is "private".
func says(s parse.Symbol, words ...string) bool {
	head := s.Signature
	if strings.Contains(head, "(set)") {
		head = setters.Replace(head)
	}
	head, _, _ = strings.Cut(head, "(")
	for word := range strings.FieldsSeq(head) {
		if word == s.Name { // what follows is said of a constructor
			return false
		}
		if word, _, _ = strings.Cut(word, "["); slices.Contains(words, word) {
			return true
		}
	}
	return false
}

// without makes what has none of the words exported.
func without(words ...string) func(*outliner, *decl, parse.Symbol) bool {
	return func(_ *outliner, _ *decl, s parse.Symbol) bool {
		return !says(s, words...) && !strings.HasPrefix(s.Name, "_")
	}
}

// around is the declaration or scope that d is in, or nil.
func (o *outliner) around(d *decl) *decl {
	if d.up < 0 {
		return nil
	}
	return &o.decls[d.up]
}

// exports are the names that the file exports. What is in a namespace and
// nothing else counts as if it were not.
func (o *outliner) exports() []string {
	outer := slices.Clone(o.symbols)
	for i := range outer {
		up := o.around(&o.decls[o.at[i]])
		if up != nil && up.path == outer[i].Parent && o.inNamespace(up) {
			outer[i].Parent = ""
		}
	}
	return parse.Exports(outer)
}

func (o *outliner) inNamespace(d *decl) bool {
	for ; d != nil; d = o.around(d) {
		if d.kind != "namespace" {
			return false
		}
	}
	return true
}

func jsExports(o *outliner, d *decl, s parse.Symbol) bool {
	if strings.HasPrefix(s.Name, "#") || strings.HasPrefix(s.Name, "_") || says(s, "private", "protected") {
		return false
	}
	up := o.around(d)
	if up != nil && up.role == roleDef && (s.Kind == "property" || s.Kind == "const") && containers[up.kind] {
		return up.exported
	}
	if up != nil && up.role == roleScope && strings.Contains(o.slice(up.name), "exports") {
		return true
	}
	return s.Kind == "method" || strings.Contains(o.slice(d.name), "exports") ||
		strings.Contains(s.Signature, "exports = ")
}

// jsName is a name without what only says where it is assigned. One of several
// words keeps its quotes, and the word "function" is what is left of a syntax error.
func jsName(name string) string {
	if name == "function" {
		return ""
	}
	if strings.ContainsAny(name, " \t") && strings.IndexAny(name, `"'`) == 0 {
		return name
	}
	for _, prefix := range []string{"module.exports.", "exports.", "this.", "window.", "self.", "globalThis."} {
		name = strings.TrimPrefix(name, prefix)
	}
	return strings.TrimSuffix(strings.ReplaceAll(strings.Trim(name, `"'`), ".prototype.", "."), ".prototype")
}

func publicExports(o *outliner, d *decl, s parse.Symbol) bool {
	up := o.around(d)
	return says(s, "public") || up != nil && up.kind == "interface" && !says(s, "private")
}

func rustExports(o *outliner, d *decl, s parse.Symbol) bool {
	up := o.around(d)
	return s.Kind == "macro" || strings.HasPrefix(s.Signature, "pub ") || strings.HasPrefix(s.Signature, "pub(") ||
		up != nil && up.kind == "trait" && o.slice(span{up.start, up.start + 3}) == "pub"
}

// rustName is a name without what a raw identifier and a reference type begin with.
func rustName(name string) string {
	name = strings.TrimPrefix(strings.TrimLeft(name, "&*"), "r#")
	if strings.HasPrefix(name, "'") {
		_, name, _ = strings.Cut(name, " ")
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, "mut "), "dyn ")
}

func cppExports(_ *outliner, d *decl, s parse.Symbol) bool {
	return s.Kind == "method" || d.inType || !says(s, "static")
}
