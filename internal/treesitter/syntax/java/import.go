package java

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// useImport adds references for what an import names, and for the types that
// it is a member of.
func useImport(p *walker, n binder.At) {
	path := p.First(n, "scoped_identifier")
	if path < 0 {
		return
	}
	if !p.Has(n, "asterisk") {
		name := p.Child(path, "name")
		p.Ref(name, p.TextAt(name), facts.Imported, facts.ModuleAt(binder.ImportAt(p.Builder, name)), false)
		path = p.Child(path, "scope")
	}
	for ; p.Kind(path) == "scoped_identifier" &&
		startsAsType(p.TextAt(p.Child(path, "name"))); path = p.Child(path, "scope") {
		name := p.Child(path, "name")
		p.Ref(name, p.TextAt(name), facts.Imported, pathOf(p, p.Child(path, "scope")), false)
	}
}

// pathOf is the expression of what a part of an import's path names: a package
// or a type.
func pathOf(p *walker, n binder.At) facts.Expr {
	if name := p.Child(n, "name"); name >= 0 && startsAsType(p.TextAt(name)) {
		return binder.Member(pathOf(p, p.Child(n, "scope")), p.TextAt(name))
	}
	return packageAt(p, n)
}

// packageAt is the expression of a package by its whole name: that of an
// import that binds no name.
func packageAt(p *walker, n binder.At) facts.Expr {
	name := p.TextAt(n)
	i := slices.IndexFunc(p.Imports, func(i facts.Import) bool { return i.Path == name && i.Name == "" })
	if i < 0 {
		i = p.Imported(n, facts.Import{Path: name})
	}
	return facts.ModuleAt(i)
}

// qualifier is the expression of what is before the last name of a dotted one.
// Where that is the whole name of a package and a type follows, it is the
// package; else it is what the function says.
func qualifier(p *walker, n, name binder.At, otherwise func(binder.At) facts.Expr) facts.Expr {
	if isPackage(p, n, p.TextAt(name)) {
		return packageAt(p, n)
	}
	return otherwise(n)
}

// isPackage reports whether a dotted name before another one can only be that
// of a package: two or more parts in small letters before one that is written
// as a type's, the first of which is declared nowhere in the file.
func isPackage(p *walker, n binder.At, next string) bool {
	if n < 0 || !startsAsType(next) || strings.ToUpper(next) == next {
		return false
	}
	switch p.Kind(n) {
	case "field_access", "scoped_identifier", "scoped_type_identifier":
	default:
		return false
	}
	first, rest, _ := strings.Cut(p.TextAt(n), ".")
	small := func(r rune) bool { return r == '.' || r == '_' || unicode.IsLower(r) || unicode.IsDigit(r) }
	if first == "this" || first == "super" || strings.ContainsFunc(first+rest, func(r rune) bool { return !small(r) }) {
		return false
	}
	return p.Resolve(n, first, true).Bare &&
		!slices.ContainsFunc(p.Symbols, func(s *binder.Symbol) bool { return s.Name == first })
}

func startsAsType(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}
