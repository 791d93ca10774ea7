package search

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// fitShare is what of a name's cover hangs on how much else the name says.
const fitShare = 0.5

// A cover tells how much of a query the names of documents have: the share of
// its words, each by its rarity among the documents that are searched.
type cover struct {
	analyser *fts.Analyser
	total    float64
	weights  map[string]float64 // by term
	bases    map[string]float64 // what base names of files have
	buffer   []string
}

// A share is what a text has of a query.
type share struct {
	of  float64 // the query's weight that the text has
	fit float64 // the part of the text's words that are the query's
}

// newCover weighs the words of a query that some document has. It is nil where
// none is known.
func newCover(analyser func() *fts.Analyser, w wording) *cover {
	if len(w.all) == 0 {
		return nil
	}
	c := &cover{analyser: analyser(), weights: map[string]float64{}, bases: map[string]float64{}}
	for _, word := range w.all {
		if word.In == 0 {
			continue
		}
		parts := c.terms(word.Text)
		for _, t := range parts {
			if _, twice := c.weights[t]; !twice {
				c.weights[t] = word.Rarity() / float64(len(parts))
				c.total += c.weights[t]
			}
		}
	}
	if c.total == 0 {
		return nil
	}
	return c
}

// terms are those of the parts of words, without the words that have several. They
// are valid until the next call.
func (c *cover) terms(text string) []string {
	terms := c.buffer[:0]
	for _, word := range fts.Words(text) {
		parts := c.analyser.Word(word)
		if len(parts) > 1 { // the last one is the whole word
			parts = parts[:len(parts)-1]
		}
		for _, t := range parts {
			terms = append(terms, t.Text)
		}
	}
	c.buffer = terms
	return terms
}

// of is what a text has of the query.
func (c *cover) of(text string) (s share) {
	hits, different := 0, 0
	terms := c.terms(text)
	for i, t := range terms {
		if slices.Contains(terms[:i], t) {
			continue
		}
		different++
		if w, ok := c.weights[t]; ok {
			s.of += w / c.total
			hits++
		}
	}
	if hits > 0 {
		s.fit = float64(hits) / float64(different)
	}
	return s
}

// name is how much of the query a symbol's name has; a name that says little
// else counts more.
func (c *cover) name(h *models.Header) float64 {
	if c == nil || h.SymbolName == "" {
		return 0
	}
	s := c.of(h.SymbolName)
	return s.of * (1 - fitShare + fitShare*s.fit)
}

// base is how much of the query the base name of a file has.
func (c *cover) base(file string) float64 {
	if c == nil {
		return 0
	}
	name := path.Base(file)
	of, ok := c.bases[name]
	if !ok {
		of = c.of(strings.TrimSuffix(name, path.Ext(name))).of
		c.bases[name] = of
	}
	return of
}
