package search

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A thing is what its declarations and its definition share.
type thing struct {
	repo         models.RepoID
	parent, name string
}

// How near something is to the definition of a thing.
const (
	declares = iota // in a header; of IStore
	neither         // of Store, which may define what IStore declares, or declare what StoreImpl defines
	defines         // of StoreImpl
)

// thingOf is what a symbol declares or defines, and how near it is to the definition.
// Only types and what can be called are declared elsewhere.
func thingOf(c *candidate) (of thing, rank int, ok bool) {
	called := slices.Contains(calledKinds, c.Kind)
	header := isHeader(c.FilePath)
	if !called && (header && c.Language != "Objective-C" || !slices.Contains(typeKinds, c.Kind)) {
		return of, rank, false
	}
	parent, _ := strings.CutSuffix(c.QualifiedName, c.SymbolName)
	parent = strings.TrimSuffix(parent, ".")
	of = thing{c.RepoID, parent[strings.LastIndexByte(parent, '.')+1:], c.SymbolName}
	switch {
	case header:
		rank = declares
	case called:
		of.parent, rank = ofType(of.parent)
	default:
		of.name, rank = ofType(of.name)
	}
	return of, rank, true
}

var typeKinds = []string{"class", "interface", "struct", "type"}

// fileOf is the same of a file, which is called after the type in it.
func fileOf(h *hit) (of thing, rank int, ok bool) {
	ext := path.Ext(h.FilePath)
	name, rank := ofType(strings.TrimSuffix(path.Base(h.FilePath), ext))
	return thing{h.RepoID, ext, name}, rank, true
}

// ofType is a type's name without what tells an interface from the class that
// implements it, where one of them is called after the other.
func ofType(name string) (alone string, rank int) {
	if before, ok := strings.CutSuffix(name, "Impl"); ok && before != "" {
		return before, defines
	}
	if len(name) > 2 && name[0] == 'I' && isUpper(name[1]) && !isUpper(name[2]) {
		return name[1:], declares
	}
	return name, neither
}

func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

// An aspect is a declaration of a thing, or its definition.
type aspect[T any] struct {
	at   T
	rank int
}

// aspects are the declarations and definitions of things that have both.
func aspects[T any](all []T, of func(T) (thing, int, bool)) map[thing][]aspect[T] {
	things := map[thing][]aspect[T]{}
	for _, some := range []bool{false, true} {
		for _, at := range all {
			if t, rank, ok := of(at); ok && some == (rank == neither) && (!some || things[t] != nil) {
				things[t] = append(things[t], aspect[T]{at, rank})
			}
		}
		if len(things) == 0 {
			break
		}
	}
	return things
}

// pairs calls yield with each declaration and what is nearer to the definition.
func pairs[T any](all []T, of func(T) (thing, int, bool), yield func(declares, defines T)) {
	for _, group := range aspects(all, of) {
		for _, a := range group {
			for _, b := range group {
				if a.rank < b.rank {
					yield(a.at, b.at)
				}
			}
		}
	}
}

// define lets what declares something speak for its definition, which is somewhere else
// and often not documented: this is as like the query as the declaration is, which
// counts less from then on.
func (p pool) define() {
	pairs(p.all, thingOf, func(d, c *candidate) {
		if c.Test != d.Test {
			return
		}
		d.declares = true
		c.bm25 = max(c.bm25, d.bm25)
		if d.known && (!c.known || c.cosine < d.cosine) {
			c.cosine, c.known = d.cosine, true
		}
	})
}

// defineFiles does so for files, which are like the query by themselves.
func defineFiles(hits []*hit) {
	pairs(hits, fileOf, func(d, _ *hit) { d.declares = true })
}

// definitions end the names of headers that define what others declare.
var definitions = []string{"-inl", "_inl", ".inl", "-impl", "_impl", ".impl"}

// isHeader reports whether a file of C or C++ has the declarations of others.
func isHeader(file string) bool {
	ext := path.Ext(file)
	switch ext {
	case ".h", ".hh", ".hpp", ".hxx":
		stem := strings.TrimSuffix(file, ext)
		return !slices.ContainsFunc(definitions, func(end string) bool { return strings.HasSuffix(stem, end) })
	}
	return false
}

// onlyDeclares reports whether a file has nothing but the types of what is defined
// in others, often of the whole package, or makes an extension of PostgreSQL of an
// older version what others define: "name--1.0--1.1.sql".
func onlyDeclares(file string) bool {
	switch path.Ext(file) {
	case ".ts", ".cts", ".mts":
		return strings.HasSuffix(strings.TrimSuffix(file, path.Ext(file)), ".d")
	case ".pyi", ".rbi", ".mli":
		return true
	case ".sql":
		return strings.Contains(path.Base(file), "--")
	}
	return false
}
