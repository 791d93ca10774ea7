package search

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// fitShare is what of a name's cover hangs on how much else the name says.
const fitShare = 0.5

// A cover tells how much of a query the names of documents have: the share of
// its words, each by its rarity among the documents that are searched.
type cover struct {
	analyser *fts.Analyser
	total    float64
	weights  map[string]float64 // by term
	stems    []weighted         // the same, to go through
	plain    []weighted         // words in lower case, as they were written
	paths    map[string]float64 // what paths of files have
	buffer   []string
	begins   beginnings          // of the terms
	wrong    []weighted          // terms that no document has, as misspelt ones
	starts   [utf8.RuneSelf]bool // of the plain words, by their first byte
}

type weighted struct {
	text   string
	weight float64
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
	c := &cover{
		analyser: analyser(), weights: map[string]float64{}, paths: map[string]float64{},
	}
	for _, word := range w.all {
		if word.In == 0 {
			continue
		}
		plain := strings.ToLower(word.Text)
		c.plain = append(c.plain, weighted{plain, word.Rarity()})
		if plain[0] < utf8.RuneSelf {
			c.starts[plain[0]] = true
		}
		parts := c.terms(word.Text, false)
		for _, t := range parts {
			if _, twice := c.weights[t]; !twice {
				c.weights[t] = word.Rarity() / float64(len(parts))
				c.total += c.weights[t]
				c.stems = append(c.stems, weighted{t, c.weights[t]})
				c.begins.add(t)
			}
		}
	}
	c.addSpelt(w.all)
	c.addWrong(w.all)
	if c.total == 0 {
		return nil
	}
	c.addInitials(w.all)
	return c
}

// addSpelt lets words that are written shorter in a query stand for those in full.
func (c *cover) addSpelt(words []Word) {
	for _, word := range words {
		full := intent.Spelt(word.Text)
		if full == "" {
			continue
		}
		weight := word.Rarity()
		if word.In == 0 {
			weight = Word{In: 1, Of: word.Of}.Rarity()
			c.total += weight
		}
		for _, t := range c.terms(full, false) {
			if c.weights[t] == 0 {
				c.weights[t] = weight
				c.begins.add(t)
			}
		}
	}
}

// Of lists of a few words, those that no document has and that are not short may be
// misspelt.
const (
	fewWords    = 5
	minWrong    = 6   // bytes
	mostOfWrong = 2.0 // of the query's weight, with them
)

// addWrong lets words that are almost those which nothing has stand for them.
func (c *cover) addWrong(words []Word) {
	if len(words) < 2 || len(words) > fewWords {
		return
	}
	for _, word := range words {
		if word.In > 0 || len(word.Text) < minWrong || !isASCII(word.Text) || intent.Spelt(word.Text) != "" {
			continue
		}
		if parts := c.terms(word.Text, false); len(parts) == 1 {
			weight := Word{In: 1, Of: word.Of}.Rarity()
			c.wrong = append(c.wrong, weighted{parts[0], weight})
			c.begins.add(parts[0])
		}
	}
}

// meant is the weight of the misspelt word that a term is almost.
func (c *cover) meant(t string) float64 {
	for _, w := range c.wrong {
		if len(t) >= minWrong-1 && almost(w.text, t) {
			return w.weight
		}
	}
	return 0
}

// Names are often the initials of so many words or more: CFG of "control flow graph".
const (
	minInitials = 3
	maxInitials = 4
)

// addInitials lets the initials of words that follow one another stand for them.
func (c *cover) addInitials(words []Word) {
	for n := minInitials; n <= maxInitials; n++ {
		for i := range len(words) - n + 1 {
			var initials []byte
			weight := 0.0
			for _, word := range words[i : i+n] {
				initials = append(initials, word.Text[0])
				if word.In > 0 {
					weight += word.Rarity()
				}
			}
			if !isASCII(string(initials)) {
				continue
			}
			for _, t := range c.terms(strings.ToLower(string(initials)), false) {
				if c.weights[t] == 0 {
					c.weights[t] = weight
					c.begins.add(t)
				}
			}
		}
	}
}

// terms are those of the parts of words, without the words that have several; not of
// words that have nothing of the query, where only such are wanted. They are valid until
// the next call.
func (c *cover) terms(text string, only bool) []string {
	terms := c.buffer[:0]
	for _, word := range fts.Words(text) {
		if only && !c.begins.in(word) {
			continue
		}
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
func (c *cover) of(text string) share { return c.share(text, false) }

// share is what a text has of the query; without its fit, where only that is looked at
// which may have something of it.
func (c *cover) share(text string, only bool) (s share) {
	if !c.begins.in(text) {
		return s
	}
	hits, different := 0, 0
	terms := c.terms(text, only)
	for i, t := range terms {
		if slices.Contains(terms[:i], t) {
			continue
		}
		different++
		w, ok := c.weights[t]
		if !ok {
			w = max(shortShare*c.short(t), c.meant(t))
		}
		if w > 0 {
			s.of += w / c.total
			hits++
		}
	}
	if hits > 0 {
		s.fit = float64(hits) / float64(different)
	}
	if c.wrong != nil { // which are not of the total
		s.of = min(mostOfWrong, s.of)
	}
	return s
}

// What is written shorter in a name than in prose, or the other way round, has
// the same beginning: auth, config, param, dir.
const (
	shortShare = 0.3 // of the word's weight
	minShort   = 3   // bytes of the shorter term
	maxShort   = 6
	shorter    = 2 // bytes by which it is shorter
)

// short is the weight of the rarest term that begins with another, or with which
// the other begins.
func (c *cover) short(t string) float64 {
	best := 0.0
	for _, w := range c.stems {
		short, long := t, w.text
		if len(short) > len(long) {
			short, long = long, short
		}
		if len(short) >= minShort && len(short) <= maxShort && len(long) >= len(short)+shorter &&
			strings.HasPrefix(long, short) {
			best = max(best, w.weight)
		}
	}
	return best
}

// name is how much of the query a symbol's name has; a name that says little
// else counts more.
func (c *cover) name(h *models.Header) float64 {
	if c == nil || h.SymbolName == "" {
		return 0
	}
	s := c.of(h.SymbolName)
	if h.Language == "HCL" && (h.Kind == "resource" || h.Kind == "data") { // most are called "this": their type tells
		s = c.of(h.QualifiedName)
	}
	if name := strings.Trim(h.SymbolName, "_"); c.mayJoin(name) {
		if joined := c.joined(strings.ToLower(name), 1) / c.total; joined > s.of {
			s = share{of: joined, fit: 1}
		}
	}
	return s.of * (1 - fitShare + fitShare*s.fit)
}

// mayJoin is false for a name that does not begin with a word of the query.
func (c *cover) mayJoin(name string) bool {
	if name == "" {
		return false
	}
	first := name[0]
	if 'A' <= first && first <= 'Z' {
		first += 'a' - 'A'
	}
	return first >= utf8.RuneSelf || c.starts[first]
}

// hasFolded reports whether a name has a part in it, not "", whatever the case of both.
func hasFolded(name, part string) bool {
	if !isASCII(name) || !isASCII(part) {
		return strings.Contains(strings.ToLower(name), strings.ToLower(part))
	}
	for ; len(name) >= len(part); name = name[1:] {
		if (name[0]^part[0])&^('a'-'A') == 0 && strings.EqualFold(name[:len(part)], part) {
			return true
		}
	}
	return false
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// joined is the weight of a name that is nothing but words of the query, written
// together: urlparse, sendfile. It is 0 for others, and for a single word.
func (c *cover) joined(name string, nth int) float64 {
	best := 0.0
	for _, w := range c.plain {
		rest, ok := strings.CutPrefix(name, w.text)
		if !ok || len(w.text) < minJoined {
			continue
		}
		if more := c.joined(rest, nth+1); more > 0 {
			best = max(best, w.weight+more)
		} else if rest == "" && nth > 1 {
			best = max(best, w.weight)
		}
	}
	return best
}

const minJoined = 2 // bytes of a word

// location is how much of the query the path of a file has; more, where it is wanted,
// if the file is named after what is asked about and nothing else.
func (c *cover) location(file string, subject bool) float64 {
	if c == nil {
		return 0
	}
	of, ok := c.paths[file]
	if !ok {
		stem := strings.TrimSuffix(file, path.Ext(file))
		of = c.share(stem, true).of
		if subject {
			if named := c.of(namedAfter(stem)); named.fit == 1 {
				of += weightSubject * named.of
			}
		}
		c.paths[file] = of
	}
	return of
}

// folderFiles are names of files that are about what their folder is called after: its
// entry, or what all other files in it rest on.
var folderFiles = strings.Fields(
	"index init mod main lib __init__ __main__ base abstract common core interface interfaces")

// namedAfter is what a file without its extension is named after.
func namedAfter(stem string) string {
	if base := path.Base(stem); !slices.Contains(folderFiles, strings.ToLower(base)) {
		return base
	}
	return path.Base(path.Dir(stem))
}

// beginnings are what some terms begin with, by which most words are told to have none of
// them without being analysed: a bit for each three letters.
type beginnings [1 << (3 * letterBits) / 64]uint64

// letterBits are what letters of ASCII, of either case, and underscores differ in.
const letterBits = 5

// letters is each byte as one of the first letters of a word, in any case, as far as it
// stays the same when the word is stemmed: as the first or second one in the low bits, as
// the third one above them. Those that are not ASCII's have the highest bit.
var letters = func() (of [256]uint16) {
	for b := range of {
		c := uint16(b) | 0x20
		if c == 'y' {
			c = 'i'
		}
		third := c
		if c == 'e' {
			third = 'i'
		}
		const mask = 1<<letterBits - 1
		if of[b] = c&mask | third&mask<<letterBits; b >= utf8.RuneSelf {
			of[b] |= noLetter
		}
	}
	return of
}()

const noLetter = 1 << 15

// add takes a term. Where it has other characters than ASCII's, so has what has the term.
// Stemming leaves the first three letters of a word as they are but for an y that becomes
// an i, cries and dying, an e that was left out, using, and irregular forms.
func (b *beginnings) add(term string) {
	b.set(term)
	if len(term) > 2 {
		for _, form := range fts.Irregular(term[:3]) {
			b.set(form)
		}
	}
}

// set takes what something begins with: two letters are so with any third one.
func (b *beginnings) set(begin string) {
	key := uint16(0)
	for n := range min(len(begin), 2) {
		key = key<<letterBits | letters[begin[n]]&(1<<letterBits-1)
	}
	if key <<= letterBits; len(begin) < 3 {
		b[key/64] |= (1<<(1<<letterBits) - 1) << (key % 64)
		return
	}
	key |= letters[begin[2]] &^ noLetter >> letterBits
	b[key/64] |= 1 << (key % 64)
}

// in is false for a text that has no part with one of the terms, nor with one that
// begins like one of them: no part, nor what may be one, has the first letters of
// one. A part does not begin with a small letter behind another letter.
func (b *beginnings) in(text string) bool {
	pair := uint16(0) // the two letters before
	for i := range len(text) {
		here := letters[text[i]]
		if here&noLetter != 0 { // there are such that are letters of ASCII in lower case
			return true
		}
		key := pair | here>>letterBits
		if b[key/64]&(1<<(key%64)) != 0 && i > 1 && mayBegin(text, i-2) {
			return true
		}
		pair = (pair | here&(1<<letterBits-1)) << letterBits & (1<<(3*letterBits) - 1)
	}
	return len(text) > 1 && b[pair/64]&(1<<(pair%64)) != 0 && mayBegin(text, len(text)-2)
}

// mayBegin is false for a small letter behind another letter.
func mayBegin(text string, at int) bool {
	if at == 0 || text[at] < 'a' || text[at] > 'z' {
		return true
	}
	before := text[at-1] | 0x20
	return before < 'a' || before > 'z'
}
