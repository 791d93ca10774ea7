package search

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// How many words of a query are counted, and how many at a time by a store that takes
// longer than one which has most counts at hand: goroutines would cost more there.
const (
	maxCounted   = 24
	countsAtOnce = 4
	atHand       = time.Millisecond
)

// A hit is weak below these levels of likeness. They were measured with the
// built-in embedder on sentences of doc comments as questions: none of the hits in
// the right file are weak, 2.5% where the code has no comments; so are 19 to 39%
// of the best hits of questions about other code, 93 to 97% about no code, and all
// of random letters (bench/RESULTS.md, "Weak hits").
const (
	likeBoth    = 0.45 // cosine + wordShare × share of words
	likeMeaning = 0.38 // cosine, where words don't count
	likeWords   = 0.35 // share of words, where meaning doesn't
	wordShare   = 0.2
)

// A wording is what is known of the words of a query in the documents of a level.
type wording struct {
	all    []Word   // that can be searched by
	absent []string // words that no document has, as they were written
	files  int      // that have some of the absent words, where symbols were searched
	weight float64  // what BM25 gives, by order of magnitude, to a document with all of them
	counts bool     // words were counted: not in a search by meaning alone
	vector bool     // likeness in meaning was measured
	exact  bool     // the hits are what was asked for, whatever they are like
}

var wholeWord = pattern.NewLazy(`[\p{L}\p{M}\p{N}_]+`)

// A counter counts words, and documents that have them.
type counter struct {
	index    Index
	analyser func() *fts.Analyser
}

// count looks at each word of a query by itself, but for what is known of it.
func (c counter) count(ctx context.Context, level models.Level, l legs, known having) (wording, error) {
	sc := l.scope
	w := wording{counts: l.mode != ModeSemantic, vector: l.vector != nil, exact: sc.exact()}
	if !w.counts {
		return w, nil
	}
	t := level.DocType()
	if level == models.LevelModule || level == models.LevelRepo {
		t = models.TypeSymbol // which speak for them
	}
	words := c.countable(intent.Subject(sc.words))
	w.all = make([]Word, len(words))
	var of int
	type counted struct {
		n    *int
		with []fts.Query
	}
	todo := []counted{{n: &of}}
	for i, word := range words {
		match := fts.Match{Field: fts.TextField(t), Match: word.text, Boost: fts.Zero()}
		w.all[i].Text = word.text
		if word.text == known.text {
			w.all[i].In = known.docs
		} else {
			todo = append(todo, counted{&w.all[i].In, []fts.Query{match}})
		}
		if word.terms > 1 {
			match.Operator = "and"
			todo = append(todo, counted{&w.all[i].Whole, []fts.Query{match}})
		}
	}
	count := func(ctx context.Context, one counted) (err error) {
		*one.n, err = c.total(ctx, fts.Conjunction{Conjuncts: append(one.with, sc.filter(t)), Boost: fts.Zero()})
		return err
	}
	began, atOnce := time.Now(), 1
	if err := count(ctx, todo[0]); err != nil {
		return w, err
	}
	if time.Since(began) > atHand {
		atOnce = countsAtOnce
	}
	if err := parallel.Each(ctx, atOnce, todo[1:], count); err != nil {
		return w, err
	}
	for i := range w.all {
		word := &w.all[i]
		word.Of = of
		if words[i].terms == 1 {
			word.Whole = word.In
		}
		if w.weight += word.Rarity(); word.In == 0 {
			w.absent = append(w.absent, word.Text)
		}
	}
	return w, nil
}

// A searchable is a word of a query that can be searched by: it has terms.
type searchable struct {
	text  string
	terms int
}

// countable are the different words of a query that can be searched by.
func (c counter) countable(query string) []searchable {
	var words []searchable
	seen := map[string]bool{}
	for _, word := range wholeWord().FindAllString(query, -1) {
		key := strings.ToLower(word)
		if !seen[key] && len(words) < maxCounted {
			if n := c.terms(word); n > 0 {
				words = append(words, searchable{word, n})
			}
		}
		seen[key] = true
	}
	return words
}

// terms counts those of a text.
func (c counter) terms(text string) (n int) {
	c.analyser().Each(text, func(*fts.Token) { n++ })
	return n
}

// total counts documents; what the store can't count is 1.
func (c counter) total(ctx context.Context, q fts.Query) (int, error) {
	res, err := c.index.Search(ctx, fts.Request{Query: q})
	if res.Total < 0 || res.Failed > 0 {
		return 1, err
	}
	return res.Total, err
}

// Rarity is the inverse document frequency of BM25.
func (w Word) Rarity() float64 {
	return math.Log1p((float64(max(w.Of-w.In, 0)) + 0.5) / (float64(w.In) + 0.5))
}

// weak are the hits that are less like the query than what was measured to answer
// one. Who names a thing or its path finds it, however little is like it, and so
// does who gives some words that a document has all of.
func (c counter) weak(ctx context.Context, level models.Level, w wording, hits []*hit) (map[models.DocumentID]bool,
	error,
) {
	weak := map[models.DocumentID]bool{}
	var ids []string
	for _, h := range hits {
		if w.unlike(h) {
			weak[h.ID] = true
			ids = append(ids, string(h.ID))
		}
	}
	if len(weak) == 0 || len(w.all) == 0 || len(w.absent) > 0 {
		return weak, nil
	}
	all := []fts.Query{fts.IDs{IDs: ids, Boost: fts.Zero()}}
	for _, word := range w.all {
		all = append(all, fts.Match{
			Field: fts.TextField(level.DocType()), Match: word.Text, Operator: "and",
			Boost: fts.Zero(),
		})
	}
	res, err := c.index.Search(ctx, fts.Request{Query: fts.Conjunction{Conjuncts: all, Boost: fts.Zero()}, Size: len(ids)})
	for _, h := range res.Hits {
		delete(weak, h.ID)
	}
	return weak, err
}

// share is what BM25 gives a hit, of what it would give for all words.
func (w wording) share(h *hit) float64 {
	if w.weight == 0 {
		return 0
	}
	return h.bm25 / w.weight
}

func (w wording) likeness(h *hit) Likeness {
	return Likeness{
		Cosine: h.cosine, Words: w.share(h), Named: h.parts[partIdentifier] > 0 || h.parts[partPath] > 0,
		Speakers: h.speakers,
	}
}

// unlike reports whether a hit is below the measured level.
func (w wording) unlike(h *hit) bool {
	if w.exact || w.likeness(h).Named {
		return false
	}
	share := w.share(h)
	switch {
	case w.vector && w.counts:
		return h.cosine+wordShare*share < likeBoth
	case w.vector:
		return h.cosine < likeMeaning
	}
	return share < likeWords
}

// onlyWeak says that all of some hits are weak, and which words are to blame.
func (w wording) onlyWeak(level models.Level) string {
	msg := fmt.Sprintf("nothing at level %s is like the query; what follows is the least unlike", level)
	if len(w.absent) > 0 {
		msg += "; " + w.nowhere()
	}
	return msg
}

// nowhere names the words that no document has, of which there are some, and says of
// symbols' words that files have them.
func (w wording) nowhere() string {
	named := fmt.Sprintf("%q", w.absent[:min(len(w.absent), namedInWarnings)])
	named = strings.ReplaceAll(strings.Trim(named, "[]"), `" "`, `", "`)
	has := "has the word "
	if len(w.absent) > 1 {
		has = "has any of the words "
	}
	switch w.files {
	case 0:
		return "nothing that was searched " + has + named
	case 1:
		return "no symbol that was searched " + has + named + ", but 1 file does" + atFiles
	}
	return fmt.Sprintf("no symbol that was searched %s%s, but %d files do%s", has, named, w.files, atFiles)
}

// atFiles is how a message says that files have what was asked for.
const atFiles = ": level file"

// inFiles counts the files in a scope that have a word which none of its symbols has; 0
// where the store can't.
func (c counter) inFiles(ctx context.Context, level models.Level, sc scope, w wording) (int, error) {
	if level != models.LevelSymbol || len(w.absent) == 0 {
		return 0, nil
	}
	words := make([]fts.Query, len(w.absent))
	for i, word := range w.absent {
		words[i] = fts.Match{Field: fts.TextField(models.TypeFile), Match: word, Operator: "and", Boost: fts.Zero()}
	}
	res, err := c.index.Search(ctx, fts.Request{Query: fts.Conjunction{
		Conjuncts: []fts.Query{filter.AnyOf(words), sc.filter(models.TypeFile)}, Boost: fts.Zero(),
	}})
	if res.Failed > 0 {
		return 0, err
	}
	return max(res.Total, 0), err
}
