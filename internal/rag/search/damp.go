package search

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/topk"
)

// What all further symbols of a file keep of their scores. Who asks for a thing by
// a few words, by a question or at length has use of several files; a sentence
// that says what something does is about one symbol, and its neighbours are like it.
const (
	keptOfTopic    = 0.7
	keptOfSentence = 0.82
)

// keeps is what a further symbol of a file keeps of its score.
func (q goal) keeps() float64 {
	return q.pick(keptOfTopic, keptOfSentence)
}

// pick is the first weight for what asks for something, the second one for what
// describes a symbol.
func (q goal) pick(asked, described float64) float64 {
	if q.Described {
		return described
	}
	return asked
}

// order sorts hits so far that the first ones are where they belong, and those
// behind are in no order. Symbols of one file are put further apart where that is
// wanted; that depends on the better ones only, so that the best are done first, and
// as many more as could still get before them.
func order(hits []*hit, first int, q goal, apart bool) {
	seen, done, first := map[place]bool{}, 0, max(first, 1)
	for size := 4 * min(first, len(hits)); done < len(hits); size *= 2 {
		rest := hits[done:]
		rest = rest[:min(size, len(rest))]
		topk.Select(hits[done:], len(rest), func(a, b **hit) int { return before(*a, *b) })
		slices.SortFunc(rest, before)
		done += len(rest)
		if !apart {
			break
		}
		worst := rest[len(rest)-1].score // which no other one is above
		damp(q, rest, seen)
		if done >= first && scoreAt(hits[:done], first) > worst {
			break
		}
	}
	if apart {
		slices.SortFunc(hits[:done], before)
	}
}

// scoreAt is the n-th best score.
func scoreAt(hits []*hit, n int) float64 {
	scores := make([]float64, len(hits))
	for i, h := range hits {
		scores[i] = h.score
	}
	slices.Sort(scores)
	return scores[len(scores)-n]
}

// A place is a file of a repository.
type place struct {
	repo models.RepoID
	path string
}

// damp puts symbols of one file further apart, but not those that the query names.
// They are sorted; seen are the files that have better ones.
func damp(q goal, sorted []*hit, seen map[place]bool) {
	keeps := q.keeps()
	for _, h := range sorted {
		f := place{h.RepoID, h.FilePath}
		if seen[f] && h.parts[partIdentifier] == 0 && h.score > 0 {
			h.parts[partRepeated] = keeps
			h.score = rounded(h.score * keeps)
		}
		seen[f] = true
	}
}

// keptOfOlder is what a section keeps of its score that is in a newer version of the
// same document, too.
const keptOfOlder = 0.5

// versionOf is the version in a folder's name, as generators of documentation name them:
// v2, 2.1, 2.x, version-2.1. Folders of numbers alone are chapters and years.
var versionOf = pattern.NewLazy(`^(?:version[-_]([\w.-]+)|v(\d[\w.]*)|(\d+(?:\.(?:\d+|x))+))$`)

// A section is one of a document, in whatever version.
type section struct {
	place

	slug string
}

// newest lets the newest of several versions of a section stand where the best of them
// does, and damps the others: a document that has no version is what all of them come
// from, and one that the query names is meant.
func newest(q goal, hits []*hit) {
	if len(hits) == 0 || hits[0].Type != models.TypeDocument {
		return
	}
	first, versions := map[section]*hit{}, map[*hit]string{}
	var older []*hit
	for _, h := range hits {
		s, version := unversioned(h.Header)
		versions[h] = version
		best := first[s]
		switch {
		case best == nil:
			first[s] = h
			continue
		case q.newer(versions[best], version):
			first[s], best, h = h, h, best
		}
		best.score = max(best.score, h.score)
		older = append(older, h)
	}
	for _, h := range older {
		h.parts[partRepeated] = keptOfOlder
		h.score = rounded(h.score * keptOfOlder)
	}
}

// unversioned is a section and, apart, the version of its document, if it has one.
func unversioned(h *models.Header) (s section, version string) {
	_, s.slug, _ = strings.Cut(string(h.ID), "#")
	folders := strings.Split(h.FilePath, "/")
	kept := folders[:0]
	for i, folder := range folders {
		var m []string
		if i < len(folders)-1 && strings.ContainsAny(folder, "0123456789") {
			m = versionOf().FindStringSubmatch(folder)
		}
		if m == nil {
			kept = append(kept, strings.TrimPrefix(folder, "versioned_"))
			continue
		}
		version = m[1] + m[2] + m[3]
	}
	// Docusaurus keeps versions in its own folder, and the newest often beside that.
	s.place = place{h.RepoID, strings.TrimPrefix(strings.Join(kept, "/"), "website/")}
	return s, version
}

// newer reports whether the second version stands before the first.
func (q goal) newer(than, version string) bool {
	a, b := q.names(than), q.names(version)
	switch {
	case a != b:
		return b
	case than == "" || version == "":
		return than != ""
	}
	return slices.Compare(numbers(than), numbers(version)) < 0
}

// names reports whether a text has a version in it.
func (q goal) names(version string) bool {
	return version != "" && slices.ContainsFunc(strings.Fields(q.Text), func(word string) bool {
		return strings.TrimLeft(strings.Trim(word, ".,?!()"), "vV") == version
	})
}

// numbers are those of a version, in order; an x is above all of its place.
func numbers(version string) []int {
	var all []int
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			n = math.MaxInt
		}
		all = append(all, n)
	}
	return all
}
