package search

import (
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func (l legs) exactNames() []fts.Query {
	if l.docType != models.TypeSymbol && l.docType != models.TypeDocument {
		return nil
	}
	var names []fts.Query
	for _, id := range l.query.Identifiers {
		names = append(names, fts.Term{Field: fts.FieldName, Term: id.Low})
		for _, name := range id.Spellings() {
			names = append(names, fts.Term{Field: fts.FieldName, Term: name})
		}
		if id.Name != id.Last { // else what is qualified so has the name
			names = append(names, fts.Term{Field: fts.FieldQualified, Term: strings.ToLower(id.Name)})
		}
		if id.Sign != "" {
			names = append(names, fts.Term{Field: fts.FieldName, Term: strings.ToLower(id.Last + id.Sign)})
		}
	}
	return names
}

// exact finds what has one of some names. Of more than fit the types come too,
// so that a class is there however many properties are called like it. Where
// nothing has the one name that was asked for, those almost like it are found.
func (l legs) exact(ctx context.Context, names []fts.Query) (res, nearly fts.Result, err error) {
	parts := []fts.Query{l.scope.filter(l.docType), fts.Disjunction{Disjuncts: names}}
	res, err = l.index.Search(ctx,
		fts.Request{Query: fts.Conjunction{Conjuncts: parts}, Size: exactPool, Near: l.vector})
	if err == nil && len(res.Hits) == 0 && l.query.Lone && l.docType == models.TypeSymbol {
		nearly, err = l.misspelt(ctx)
		return res, nearly, err
	}
	if err != nil || len(res.Hits) < exactPool {
		return res, nearly, err
	}
	for _, some := range [][]string{calledKinds, valueKinds} { // types are what is neither
		parts = append(parts, fts.Not{Query: filter.AnyOf(kindTerms(some))})
	}
	types, err := l.index.Search(ctx,
		fts.Request{Query: fts.Conjunction{Conjuncts: parts}, Size: exactPool, Near: l.vector})
	res.Hits = append(res.Hits, types.Hits...)
	return res, nearly, err
}

func kindTerms(kinds []string) []fts.Query {
	terms := make([]fts.Query, len(kinds))
	for i, k := range kinds {
		terms[i] = fts.Filter(fts.FieldKind, k)
	}
	return terms
}

// A naming is what has the names of a query.
type naming struct {
	exact  fts.Result
	nearly fts.Result // has names almost like the only one, which nothing has

	words   fts.Result // what the lexical leg brought, if it is behind them
	behind  bool
	settled bool // they are what was asked for: nothing is looked for by meaning
}

// join adds it to a pool.
func (n *naming) join(p *pool, t models.DocType) {
	p.add(t, n.exact, func(*candidate, float64) {})
	p.add(t, n.nearly, func(*candidate, float64) {})
	p.named, p.nearly = len(n.exact.Hits) > 0, symbolNames(n.nearly)
}

// byName reports whether a query is the name of the symbols that are looked for, and
// nothing else.
func (l legs) byName() bool {
	return l.lexical && l.query.Lone && l.docType == models.TypeSymbol && !l.evidence && l.scope.asked.Root == nil &&
		!l.scope.where
}

// bearers finds what has the one name, or almost has it, and what has words of it
// behind. Who writes a name of several words means no other: where something has it,
// or has it within its own, what only means the same is not looked for.
func (l legs) bearers(ctx context.Context, names []fts.Query) (n naming, err error) {
	n.exact, n.nearly, err = l.exact(ctx, names)
	size := lexicalPool
	switch id := l.query.Identifiers[0]; {
	case err != nil || l.filled(n):
		return n, err
	case len(n.exact.Hits) > 0:
		size, n.settled = behindPool, true
	case len(fts.Analyze(id.Last)) < 2:
		return n, nil
	}
	n.behind = true
	n.words, err = l.index.Search(ctx, l.lexicalRequest(size))
	n.settled = n.settled || len(n.nearly.Hits) > 0 || l.contained(n.words)
	return n, err
}

// contained reports whether a name among hits has the one that was asked for in it.
func (l legs) contained(res fts.Result) bool {
	part := l.query.Identifiers[0].Low
	return slices.ContainsFunc(res.Hits, func(h fts.Hit) bool {
		return strings.Contains(strings.ToLower(h.SymbolName), part)
	})
}

// filled reports whether so many have the name, as it is written, that they fill the
// page and the next one begins with one, too. Whatever words and meaning lead to is
// behind them: see namedBy.
func (l legs) filled(n naming) bool {
	all := len(n.exact.Hits)
	if all >= exactPool || n.exact.Failed+n.exact.Dropped > 0 {
		return false
	}
	for i := range n.exact.Hits {
		if nameMatch(l.query.Identifiers[0], &n.exact.Hits[i].Header) < asWritten {
			all--
		}
	}
	return all > l.first
}
