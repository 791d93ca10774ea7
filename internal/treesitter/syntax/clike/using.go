package clike

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// global is the scope of what is in no namespace, as "::name" says.
var global = facts.Name("::")

// fromGlobal is what a qualified name that begins with "::" stands for.
func fromGlobal(p *walker, n binder.At) facts.Expr {
	name := p.Child(n, "name")
	if p.Kind(name) == "qualified_identifier" && p.TextAt(p.Child(name, "scope")) == "std" {
		return p.TypeOf(name)
	}
	return binder.Member(global, strings.Join(names(p, name), "."))
}

// names are the parts of a qualified name, without what is written behind templates.
func names(p *walker, n binder.At) (parts []string) {
	add := func(n binder.At) {
		if n >= 0 {
			name, _, _ := strings.Cut(p.TextAt(n), "<")
			parts = append(parts, strings.TrimSpace(name))
		}
	}
	for p.Kind(n) == "qualified_identifier" {
		add(p.Child(n, "scope"))
		n = p.Child(n, "name")
	}
	add(n)
	return parts
}

// declareUsing notes what a using declaration makes known where it stands, and a directive for a
// namespace. In a block the name is bound, but for those of std: what is declared for the
// types of the arguments is meant before them, as in "using std::swap".
func declareUsing(p *walker, n binder.At) {
	whole := p.Last(n)
	if whole < 0 || p.HasErrors(whole) {
		return
	}
	parts := names(p, whole)
	path := func(parts []string) string {
		if p.Kind(whole) == "qualified_identifier" && p.Child(whole, "scope") < 0 {
			parts = append([]string{""}, parts...)
		}
		return strings.Join(parts, "::")
	}
	if p.Has(n, "namespace") {
		p.Imported(whole, facts.Import{Path: path(parts), Name: "*"})
		return
	}
	of, name := parts[:len(parts)-1], parts[len(parts)-1]
	if p.Kind(whole) != "qualified_identifier" || strings.HasPrefix(name, "operator") {
		return
	}
	last := whole
	for p.Kind(last) == "qualified_identifier" {
		last = p.Child(last, "name")
	}
	i := p.Imported(last, facts.Import{Path: path(of), Name: name})
	if sc := p.ScopeAround(n); !fileLevel(sc) && (len(of) == 0 || of[0] != "std") {
		v := sc.Bind(name)
		v.Imported, v.Taken = i+1, name
	}
}
