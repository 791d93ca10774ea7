//go:build cgo

package treesitter

import (
	"sync"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/ragnav/ragnav/internal/treesitter/query"
)

// grammars are the vocabularies of grammars, by *language.
var grammars sync.Map

// vocabulary is that of a language's grammar.
func vocabulary(l *language) query.Grammar {
	if g, ok := grammars.Load(l); ok {
		return g.(query.Grammar) //nolint:forcetypeassert // nothing else is in it
	}
	g, of := query.Grammar{Fields: []string{""}}, l.grammar()
	for i := range of.SymbolCount() {
		symbol := sitter.Symbol(i)
		t := of.SymbolType(symbol)
		g.Kinds = append(g.Kinds, query.Kind{
			Name: of.SymbolName(symbol), Named: t != sitter.SymbolTypeAnonymous, Shown: t != sitter.SymbolTypeAuxiliary,
		})
	}
	for i := 1; i < 1<<10; i++ {
		name := of.FieldName(i)
		if name == "" {
			break
		}
		g.Fields = append(g.Fields, name)
	}
	grammars.Store(l, g)
	return g
}

// looked says of each kind of nodes, and last of errors, what of them is looked
// at: bits of rn_flatten in flat_linux.go.
type looked []byte

const (
	isNamed = 1 << iota
	keeps
	asksFields
)

// lookedAt is what a query looks at, or everything without one.
func lookedAt(q *query.Query, g query.Grammar) looked {
	all := make(looked, len(g.Kinds)+1)
	for i := range all {
		if i == len(g.Kinds) || g.Kinds[i].Named {
			all[i] |= isNamed
		}
		if q == nil || q.Keeps()[i] {
			all[i] |= keeps
		}
		if q == nil || q.Fields()[i] {
			all[i] |= asksFields
		}
	}
	return all
}
