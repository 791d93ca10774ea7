package syntax

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// useImport adds references for what an import names, and for the types that
// it is a member of.
func (p *java) useImport(n at) {
	path := p.first(n, "scoped_identifier")
	if path < 0 {
		return
	}
	if !p.has(n, "asterisk") {
		name := p.child(path, "name")
		p.ref(name, p.text(name), facts.Imported, facts.ModuleAt(p.importAt(name)), false)
		path = p.child(path, "scope")
	}
	for ; p.kind(path) == "scoped_identifier" &&
		startsAsType(p.text(p.child(path, "name"))); path = p.child(path, "scope") {
		name := p.child(path, "name")
		p.ref(name, p.text(name), facts.Imported, p.pathOf(p.child(path, "scope")), false)
	}
}

// pathOf is the expression of what a part of an import's path names: a package
// or a type.
func (p *java) pathOf(n at) facts.Expr {
	if name := p.child(n, "name"); name >= 0 && startsAsType(p.text(name)) {
		return member(p.pathOf(p.child(n, "scope")), p.text(name))
	}
	return p.packageAt(n)
}

// packageAt is the expression of a package by its whole name: that of an
// import that binds no name.
func (p *java) packageAt(n at) facts.Expr {
	name := p.text(n)
	i := slices.IndexFunc(p.imports, func(i facts.Import) bool { return i.Path == name && i.Name == "" })
	if i < 0 {
		i = p.imported(n, facts.Import{Path: name})
	}
	return facts.ModuleAt(i)
}

// qualifier is the expression of what is before the last name of a dotted one.
// Where that is the whole name of a package and a type follows, it is the
// package; else it is what the function says.
func (p *java) qualifier(n, name at, otherwise func(at) facts.Expr) facts.Expr {
	if p.isPackage(n, p.text(name)) {
		return p.packageAt(n)
	}
	return otherwise(n)
}

// isPackage reports whether a dotted name before another one can only be that
// of a package: two or more parts in small letters before one that is written
// as a type's, the first of which is declared nowhere in the file.
func (p *java) isPackage(n at, next string) bool {
	if n < 0 || !startsAsType(next) || strings.ToUpper(next) == next {
		return false
	}
	switch p.kind(n) {
	case "field_access", "scoped_identifier", "scoped_type_identifier":
	default:
		return false
	}
	first, rest, _ := strings.Cut(p.text(n), ".")
	small := func(r rune) bool { return r == '.' || r == '_' || unicode.IsLower(r) || unicode.IsDigit(r) }
	if first == "this" || first == "super" || strings.ContainsFunc(first+rest, func(r rune) bool { return !small(r) }) {
		return false
	}
	return p.resolve(n, first, true).bare &&
		!slices.ContainsFunc(p.symbols, func(s *symbol) bool { return s.Name == first })
}

func startsAsType(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}
