package search

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// What each further symbol of a file keeps of its score. Who asks for a thing by
// a few words, by a question or at length has use of several files; a sentence
// that says what something does is about one symbol, and its neighbours are like it.
const (
	keptOfTopic    = 0.6
	keptOfSentence = 0.93
	keptAtMost     = 3 // symbols further down keep what the third does

	topicWords = 5
	longWords  = 30
)

var asks = regexp.MustCompile(
	`(?i)^\W*(how|where|what|which|who|when|why|is|are|does|do|can|find|show|list|explain)\b|\?\s*$`)

// keeps is what each further symbol of a file keeps of its score.
func (q intent) keeps() float64 {
	if n := len(strings.Fields(q.text)); n <= topicWords || n > longWords || asks.MatchString(q.text) {
		return keptOfTopic
	}
	return keptOfSentence
}

// damp puts symbols of one file further apart, but not those that the query names.
func damp(q intent, sorted []*hit) {
	type file struct {
		repo models.RepoID
		path string
	}
	seen := make(map[file]int, len(sorted))
	keeps := q.keeps()
	for _, h := range sorted {
		f := file{h.RepoID, h.FilePath}
		if n := min(seen[f], keptAtMost); n > 0 && h.parts[partIdentifier] == 0 && h.score > 0 {
			h.parts[partRepeated] = math.Pow(keeps, float64(n))
			h.score = rounded(h.score * h.parts[partRepeated])
		}
		seen[f]++
	}
	slices.SortFunc(sorted, before)
}
