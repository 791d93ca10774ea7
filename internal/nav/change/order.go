package change

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"
)

// A Way is how a test comes to what an edit changes.
type Way struct {
	Test

	Repo  string // where several are asked
	Depth int    // hops; 0: the edit changes the test itself
	Tier  byte   // of the least sure of them, the lower the surer
	About bool   // its file is named for one that differs

	Line, EndLine int // of its name and its end, 0 of a whole file
}

// farthest is from how many hops on it makes no difference how many there are.
const farthest = 3

// distance is how far a test is from what changed: in hops, one less where its file is named
// for one that differs.
func (w Way) distance() int {
	switch {
	case w.Depth == 0:
		return 0
	case w.About:
		return min(w.Depth, farthest)
	}
	return 1 + min(w.Depth, farthest)
}

// Order puts those tests first that most likely tell of an edit of symbols by these qualified
// names: the nearest, of these the surest, then those named alike. So are those whose text
// has the words of the names, as far as text, which may be nil, gives it: the two orders
// are fused. A word that few of the tests have tells the most.
func Order(tests []Way, names []string, text func(Way) string) {
	changed := map[string]bool{}
	for _, name := range names {
		for _, w := range words(name[strings.LastIndexByte(name, '.')+1:]) {
			changed[w] = true
		}
	}
	type ranked struct {
		Way
		shared []string // words of its name that a changed one has
		alike  float64
	}
	all, in := make([]ranked, len(tests)), map[string]int{}
	for i, t := range tests {
		all[i] = ranked{Way: t, shared: sharedWords(t.title(), changed)}
		for _, w := range all[i].shared {
			in[w]++
		}
	}
	for i := range all {
		for _, w := range all[i].shared {
			all[i].alike += math.Log(1 + float64(len(tests))/float64(in[w]))
		}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(a.distance()-b.distance(), cmp.Compare(a.Tier, b.Tier), cmp.Compare(b.alike, a.alike),
			a.Depth-b.Depth,
			cmp.Compare(a.Repo, b.Repo), cmp.Compare(a.File, b.File), cmp.Compare(a.Name, b.Name))
	})
	for i := range all {
		tests[i] = all[i].Way
	}
	if near := slices.IndexFunc(tests, func(w Way) bool { return w.Depth > 0 }); near >= 0 && text != nil {
		tests = tests[near:]
		fuse(tests, likeness(tests[:min(len(tests), maxRead)], names, text))
	}
}

// title is what a test is called.
func (t Test) title() string {
	if t.Name != "" {
		return t.Name
	}
	name, _, _ := strings.Cut(path.Base(t.File), ".")
	return name
}

// stem is of how many letters a word is compared, so that "completion" is like "complete".
const stem = 6

// sharedWords are those of the words of a name that are among some, each once and in order.
func sharedWords(name string, among map[string]bool) (all []string) {
	EachWord(name, func(word []byte) {
		if among[string(word)] {
			all = append(all, string(word))
		}
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// words are the words of a name, each once.
func words(name string) (all []string) {
	EachWord(name, func(word []byte) { all = append(all, string(word)) })
	slices.Sort(all)
	return slices.Compact(all)
}

// EachWord yields the words of a text but "test", in lower case and as far as they are
// compared; they are valid until the next one.
func EachWord(text string, yield func(word []byte)) {
	var word [stem]byte
	length, last, is := 0, other, other
	if text != "" {
		is = classes[text[0]]
	}
	for i := range len(text) + 1 {
		var c byte
		next := other
		if i < len(text) {
			c = text[i]
		}
		if i+1 < len(text) {
			next = classes[text[i+1]]
		}
		if begins(last, is, next) {
			w := word[:min(length, stem)]
			if length > 1 && string(w) != "test" && string(w) != "tests" {
				yield(w)
			}
			length = 0
		}
		if length < stem {
			if is == upper {
				c += 'a' - 'A'
			}
			word[length] = c
		}
		last, is = is, next
		length++
	}
}

// begins reports whether a word begins at a letter, or what is none stands there. HTTPServer's
// HTTP is a word.
func begins(before, is, behind class) bool {
	switch is {
	case upper:
		return before != upper || behind == lower
	case lower:
		return before != upper && before != lower
	case digit:
		return before != digit
	}
	return true
}

// A class is what a byte of a text is.
type class byte

const (
	other class = iota
	digit
	upper
	lower // or of a letter that is not of ASCII
)

// classes are those of all bytes.
var classes = func() (all [256]class) {
	for c := range all {
		switch {
		case c >= 'A' && c <= 'Z':
			all[c] = upper
		case c >= 'a' && c <= 'z' || c >= 0x80:
			all[c] = lower
		case c >= '0' && c <= '9':
			all[c] = digit
		}
	}
	return all
}()
