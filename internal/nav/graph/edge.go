package graph

import (
	"cmp"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Resolver finds what references stand for; resolve.Resolver is one.
type Resolver interface {
	Ref(f resolve.FileID, i int) resolve.Resolution
	Refs(f resolve.FileID) []resolve.Resolution
	Import(f resolve.FileID, i int) []resolve.FileID
	Bases(s resolve.SymbolID) []resolve.Base
	Overrides(s resolve.SymbolID) []resolve.SymbolID
	Hides(s resolve.SymbolID) []resolve.SymbolID
	Inherited(typ resolve.SymbolID, name string) (members []resolve.SymbolID, outside bool)
	Named(names []string) []resolve.SymbolID
	Dispatches(language, name string) bool
	Dispatched(f resolve.FileID, i int) resolve.Resolution
	Open(method resolve.SymbolID) bool
	Undecided(f resolve.FileID, i int, method resolve.SymbolID) bool
	Implied(s resolve.SymbolID) ([]resolve.SymbolID, resolve.Implied)
	Satisfying(language, pkg, name string) (types []resolve.SymbolID, path string)
	Taken(f resolve.FileID, i int) []resolve.SymbolID
}

// Kinds are the types of edges, by the number that is stored.
var Kinds = []string{"defines", "imports", "calls", "uses_type", "extends", "implements", "reads", "writes"}

// KindOf is the number of a kind of references.
func KindOf(k facts.Kind) uint8 {
	if k == facts.Embeds {
		k = facts.Extends
	}
	if i := slices.Index(Kinds, string(k)); i > 0 {
		return uint8(i)
	}
	return uint8(slices.Index(Kinds, string(facts.Read)))
}

// Kinds that are told apart.
const (
	KindImports    = 1
	KindImplements = 5
)

// An Edge is a place that uses something. An import has files or folders for
// targets, the rest symbols: one, or up to three candidates, or overloads and
// variants of one name.
type Edge struct {
	File         resolve.FileID
	From         int32 // index of the symbol around it, or -1
	Line, Column uint32
	Kind         uint8
	Tier         resolve.Tier
	Confidence   float32
	To           []resolve.SymbolID
	Name         string // what the place calls it; not known of edges that were stored
}

// CompareEdges orders by file and position.
func CompareEdges(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Kind, b.Kind))
}

// A Link is what no place in the text says: a method that implements or
// overrides another, a type that satisfies an interface.
type Link struct {
	From, To   resolve.SymbolID
	Kind       uint8
	Tier       resolve.Tier
	Confidence float32
}

// Tally counts references of a file: all, those known to be outside of the
// repository, and those that are neither that nor resolved.
type Tally [3]uint32

// CanOverride tells whether a symbol is a member of a type, or code of one that is not
// known: a list of Rust that a trait is implemented for. Symbols that are neither that nor a
// type have no links.
func CanOverride(s *facts.Symbol) bool {
	switch {
	case IsCode(s.Kind):
		return s.Parent >= 0 || s.Owner != facts.Nothing || len(s.Bases) > 0
	case s.Kind == "field", s.Kind == "property":
		return s.Parent >= 0 || s.Owner != facts.Nothing // TypeScript, Swift
	}
	return false
}

// CanHaveBases tells whether a symbol is a type.
func CanHaveBases(s *facts.Symbol) bool { return IsType(s.Kind) }

// IsCode tells the kinds of symbols that run.
func IsCode(kind string) bool {
	switch kind {
	case "func", "function", "method", "constructor", "macro":
		return true
	}
	return false
}

// IsType tells the kinds of symbols that are types.
func IsType(kind string) bool {
	switch kind {
	case "class", "struct", "interface", "enum", "trait", "type", "union", "record", "annotation", "typedef", "protocol",
		"object", "concept", "impl":
		return true
	}
	return false
}

// CompareSymbols orders by file and position.
func CompareSymbols(a, b resolve.SymbolID) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Index, b.Index))
}
