package search

import (
	"context"
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
	for _, id := range l.query.identifiers {
		names = append(names,
			fts.Term{Field: fts.FieldName, Term: strings.ToLower(id.last)},
			fts.Term{Field: fts.FieldQualified, Term: strings.ToLower(id.name)})
		if id.sign != "" {
			names = append(names, fts.Term{Field: fts.FieldName, Term: strings.ToLower(id.last + id.sign)})
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
	if err == nil && len(res.Hits) == 0 && l.query.lone && l.docType == models.TypeSymbol {
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
	exact    fts.Result
	nearly   fts.Result // has names almost like the only one, which nothing has
	measured fts.Result // exact, by the words; of one name only
}

// join adds it to a pool.
func (n *naming) join(p *pool, t models.DocType) {
	p.add(t, n.exact, func(*candidate, float64) {})
	p.add(t, n.measured, setWords)
	p.add(t, n.nearly, func(*candidate, float64) {})
	p.named, p.nearly = len(n.exact.Hits) > 0, symbolNames(n.nearly)
}

// byName reports whether a query is the name of the symbols that are looked for.
func (l legs) byName() bool {
	return l.lexical && l.query.lone && l.docType == models.TypeSymbol && !l.evidence
}

// bearers finds what has the one name, and scores it by words, if it is all there:
// it may be too much for the lexical leg to bring all of it.
func (l legs) bearers(ctx context.Context, names []fts.Query) (n naming, err error) {
	n.exact, n.nearly, err = l.exact(ctx, names)
	if err != nil || len(n.exact.Hits) == 0 || len(n.exact.Hits) >= exactPool {
		return n, err
	}
	ids := make([]string, len(n.exact.Hits))
	for i := range n.exact.Hits {
		ids[i] = string(n.exact.Hits[i].ID)
	}
	n.measured, err = l.index.Search(ctx, fts.Request{
		Query: fts.Conjunction{Conjuncts: []fts.Query{
			fts.IDs{IDs: ids, Boost: fts.Zero()},
			fts.Match{Field: fts.TextField(l.docType), Match: l.query.words},
		}},
		Size: len(ids), Statistics: l.scope.collection(),
	})
	return n, err
}

// filled reports whether so many have the name, as it is written, that they fill the
// page and the next one begins with one, too. Whatever words and meaning lead to is
// behind them: see namedBy.
func (l legs) filled(n naming) bool {
	all := len(n.exact.Hits)
	if all >= exactPool || n.exact.Failed+n.measured.Failed+n.exact.Dropped > 0 || l.scope.asked.Root != nil ||
		l.scope.where {
		return false
	}
	for i := range n.exact.Hits {
		if nameMatch(l.query.identifiers[0], &n.exact.Hits[i].Header) < asWritten {
			all--
		}
	}
	return all > l.first
}
