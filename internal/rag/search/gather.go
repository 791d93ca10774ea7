package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Pool sizes: how many candidates a leg brings. They are the same for every
// page of a search, so pages neither repeat nor drop results.
const (
	lexicalPool = 400
	vectorPool  = 200
	exactPool   = 100
	filePool    = 200 // of files whose symbols are looked for
	behindPool  = 100 // behind what has the one name that was asked for
)

// A candidate is a document that some leg brought.
type candidate struct {
	*models.Header // of the hit that brought it first

	bm25   float64
	cosine float64
	known  bool    // cosine was measured
	quoted float64 // how much of the query it has word for word

	declares bool // what another one defines
}

// A pool holds the candidates of one document type.
type pool struct {
	all    []*candidate
	byID   map[models.DocumentID]*candidate
	capped bool     // a leg brought as many as it may; there may be more
	named  bool     // something has a name that was asked for
	nearly []string // names almost like the one asked for, which nothing has
	having having
}

// having is how many documents have a word of a text; of "", which is none, it is not
// known.
type having struct {
	text string
	docs int
}

// found is what the legs of one level brought.
type found struct {
	own      pool
	symbols  pool // evidence for files, modules and repositories
	files    likeFiles
	words    wording
	warnings []models.Warning
}

// gather runs the legs of a level side by side; base says what they share.
func gather(ctx context.Context, level models.Level, base legs) (found, error) {
	var f found
	own, symbols := base, base
	own.docType, symbols.docType, symbols.evidence = level.DocType(), models.TypeSymbol, true
	if level == models.LevelFile {
		own.vector = nil // files have no vector of their own
	}

	g, gctx := parallel.NewGroup(ctx)
	var ownWarn, symWarn []models.Warning
	if level != models.LevelSymbol && level != models.LevelDoc {
		g.Go(func() (err error) { f.symbols, symWarn, err = symbols.run(gctx); return err })
	}
	count := func(known having) (err error) {
		if f.words, err = base.words.count(gctx, level, base, known); err != nil {
			err = fmt.Errorf("count the words of the query: %w", err)
		}
		return err
	}
	named := own.byName() // whose legs may count its words
	if level == models.LevelSymbol && base.lexical && !base.query.Lone {
		g.Go(func() (err error) { f.files, err = base.files(gctx); return err })
	}
	if !named {
		g.Go(func() error { return count(having{}) })
	}
	g.Here(func() (err error) { f.own, ownWarn, err = own.run(gctx); return err })
	if named {
		g.Here(func() error { return count(f.own.having) })
	}
	err := g.Wait()
	f.warnings = dedupe(append(ownWarn, symWarn...))
	return f, err
}

// legs are the requests for documents of one type.
type legs struct {
	index   Index
	words   counter
	scope   scope
	query   goal
	docType models.DocType
	lexical bool
	mode    string
	vector  []float32 // nil: no vector leg
	first   int       // so many of the ranking are wanted

	evidence bool // for documents of another type
}

func (l legs) run(ctx context.Context) (pool, []models.Warning, error) {
	var vec, all, likely, atLines fts.Result
	var n naming
	names := l.exactNames()
	if names != nil && l.byName() {
		var err error
		if n, err = l.bearers(ctx, names); err != nil {
			return pool{}, nil, err
		}
		if l.filled(n) {
			p := newPool(len(n.exact.Hits))
			p.capped = true
			n.join(&p, l.docType)
			return p, nil, nil
		}
		names = nil
	}
	lex, words := n.words, l.lexical && !n.behind
	g, gctx := parallel.NewGroup(ctx)
	if l.browses() {
		g.Go(func() (err error) {
			all, err = l.index.Search(gctx, fts.Request{Query: l.scope.filter(l.docType), Size: browsePool, Near: l.vector})
			return err
		})
	}
	if text := literalsOf(l.scope.asked.Root); text != "" && l.browses() {
		g.Go(func() (err error) { likely, err = l.index.Search(gctx, l.having(text)); return err })
	}
	if l.query.Places != nil && l.docType == models.TypeSymbol && !l.evidence {
		g.Go(func() (err error) { atLines, err = placed(gctx, l); return err })
	}
	if l.lexical && names != nil {
		g.Go(func() (err error) { n.exact, n.nearly, err = l.exact(gctx, names); return err })
	}
	if l.vector != nil && !n.settled {
		g.Go(func() (err error) {
			vec, err = l.index.Search(gctx, l.vectorRequest(l.scope.filter(l.docType), vectorPool))
			return err
		})
	}
	if words {
		g.Here(func() (err error) { lex, err = l.index.Search(gctx, l.lexicalRequest(lexicalPool)); return err })
	}
	if err := g.Wait(); err != nil {
		return pool{}, nil, err
	}
	warnings, err := partial(lex, vec, n.exact, n.nearly, all, likely, atLines)
	if err != nil {
		return pool{}, nil, err
	}
	p := l.pooled(n, lex, vec, all)
	p.add(l.docType, likely, func(c *candidate, score float64) {
		if !words {
			c.bm25 = score
		}
	})
	p.add(l.docType, atLines, func(*candidate, float64) {})
	filled, err := l.fill(ctx, p)
	return p, append(warnings, filled...), err
}

// pooled are the hits by name, by words and by meaning, and all that there are where
// nothing leads to them.
func (l legs) pooled(n naming, lex, vec, all fts.Result) pool {
	p := newPool(len(lex.Hits) + len(vec.Hits) + len(n.exact.Hits) + len(all.Hits))
	p.capped = len(lex.Hits) >= lexicalPool || n.settled && len(lex.Hits) >= behindPool || len(vec.Hits) >= vectorPool
	if l.browses() { // whose documents are all that there are, if it is not cut
		p.capped = len(all.Hits) >= browsePool
	}
	if n.behind && lex.Total >= 0 && lex.Failed+lex.Dropped == 0 && lex.Degraded == "" {
		p.having = having{l.query.Words, lex.Total}
	}
	p.add(l.docType, lex, setWords)
	n.join(&p, l.docType)
	p.add(l.docType, all, func(*candidate, float64) {})
	p.add(l.docType, vec, setCosine)
	return p
}

// browses reports whether all that is selected is looked at, in whatever order:
// no words lead to it.
func (l legs) browses() bool {
	if l.scope.narrow == nil && !l.scope.where || l.evidence {
		return false
	}
	root := l.scope.asked.Root
	return l.words.terms(l.scope.words) == 0 || query.Has(root, scans) || query.Has(root, wordless)
}

// wordless reports whether one of several parts has no words that lead to it.
func wordless(n query.Node) bool {
	parts, _ := n.(query.Or)
	return slices.ContainsFunc(parts, func(part query.Node) bool {
		return !query.Has(part, func(n query.Node) bool {
			switch n.(type) {
			case query.Word, query.Phrase:
				return true
			}
			return false
		})
	})
}

// fill measures the cosine of the candidates that only words brought and whose
// request did not measure it, so that being outside the nearest ones is not taken
// for being unlike the query. What it misses costs a warning.
func (l legs) fill(ctx context.Context, p pool) ([]models.Warning, error) {
	if l.vector == nil {
		return nil, nil
	}
	var ids []string
	for _, c := range p.all {
		if !c.known {
			ids = append(ids, string(c.ID))
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	slices.Sort(ids)
	req := l.vectorRequest(fts.IDs{IDs: ids, Boost: fts.Zero()}, len(ids))
	res, err := l.index.Search(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("score candidates: %w", err)
	}
	p.add(l.docType, res, setCosine)
	return partial(res)
}

// likeFiles is how like the words of a query whole files are, as a share of the most.
type likeFiles map[place]float64

// files finds the files that have the words of the query.
func (l legs) files(ctx context.Context) (likeFiles, error) {
	l.docType, l.vector = models.TypeFile, nil
	res, err := l.index.Search(ctx, l.lexicalRequest(filePool))
	if err != nil {
		return nil, fmt.Errorf("find files with the words: %w", err)
	}
	like := make(likeFiles, len(res.Hits))
	most := 0.0
	for i := range res.Hits {
		most = max(most, res.Hits[i].Score)
	}
	for i := range res.Hits {
		if h := &res.Hits[i]; h.Type == models.TypeFile {
			like[place{h.RepoID, h.FilePath}] = ratio(h.Score, most)
		}
	}
	return like, nil
}

func setWords(c *candidate, score float64) { c.bm25 = score }

func setCosine(c *candidate, score float64) {
	// The engine scores 1/d² and on unit vectors d² = 2 - 2·cos.
	if score > 0 {
		c.cosine, c.known = 1-1/(2*score), true
	}
}

// newPool is an empty pool with room.
func newPool(n int) pool {
	return pool{all: make([]*candidate, 0, n), byID: make(map[models.DocumentID]*candidate, n)}
}

// add merges hits into the pool. A hit of another type has no place there,
// whatever engine it is from.
func (p *pool) add(t models.DocType, res fts.Result, set func(*candidate, float64)) {
	made := make([]candidate, 0, len(res.Hits))
	for i := range res.Hits {
		h := &res.Hits[i]
		if h.Type != t {
			continue
		}
		c := p.byID[h.ID]
		if c == nil {
			made = append(made, candidate{Header: &h.Header})
			c = &made[len(made)-1]
			p.byID[h.ID] = c
			p.all = append(p.all, c)
		}
		set(c, h.Score)
		setCosine(c, h.Near)
	}
}

func (l legs) lexicalRequest(size int) fts.Request {
	req := l.having(l.query.Words)
	req.Size = size
	return req
}

// having asks for what has words of a text.
func (l legs) having(text string) fts.Request {
	return fts.Request{
		Query: fts.Conjunction{Conjuncts: []fts.Query{
			l.scope.filter(l.docType),
			fts.Match{Field: fts.TextField(l.docType), Match: text},
		}},
		Size: lexicalPool, Near: l.vector, Statistics: l.scope.collection(),
	}
}

func (l legs) vectorRequest(filter fts.Query, k int) fts.Request {
	return fts.Request{
		Query:       filter,
		KNN:         []fts.KNN{{Field: fts.FieldEmbedding, Vector: l.vector, K: k, Filter: filter}},
		KNNOperator: "and",
		Size:        k,
	}
}

// partial turns what may be missing from results into warnings, or an error
// when nothing answered at all.
func partial(results ...fts.Result) ([]models.Warning, error) {
	var warnings []models.Warning
	warn := func(format string, args ...any) {
		warnings = append(warnings, models.Warning{Code: "PARTIAL_RESULTS", Message: fmt.Sprintf(format, args...)})
	}
	for _, r := range results {
		switch {
		case r.Failed > 0 && r.Failed >= r.Partitions:
			return nil, fault.New(fault.RAGUnavailable,
				"no partition of the search index answered; try again, then check /readyz")
		case r.Failed > 0:
			warn("%d of %d partitions did not answer", r.Failed, r.Partitions)
		}
		switch {
		case r.Degraded != "":
			warn("%s", r.Degraded)
		case r.Dropped > 0:
			warn("the search server returned documents outside of what was asked for; they were dropped, and others may be " +
				"missing")
		}
	}
	return warnings, nil
}

func dedupe(warnings []models.Warning) []models.Warning {
	seen := map[models.Warning]bool{}
	var out []models.Warning
	for _, w := range warnings {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// embedderFault is why there is no vector, in words for users: the cause's own
// where it has some. A store that does not answer is not the embedder's fault.
func embedderFault(err error) *fault.Error {
	f, ok := errors.AsType[*fault.Error](err)
	switch {
	case !ok || f.Code == fault.Internal:
		return fault.Wrap(fault.EmbedderUnavailable, err, "the embedder does not answer; mode %q needs none", ModeLexical)
	case f.Code == fault.RAGUnavailable || f.Code == fault.Overloaded || f.Code == fault.Timeout:
		return f
	}
	return fault.Wrap(fault.EmbedderUnavailable, err, "%s", f.Message)
}
