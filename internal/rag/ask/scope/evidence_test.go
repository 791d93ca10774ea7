package scope

import (
	"context"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// What stands close together counts, not what a long text has somewhere.
func TestDensest(t *testing.T) {
	says := map[string]float64{"retry": 2, "queue": 1, "redi": 1}
	far := strings.Repeat("x ", nearTerms)
	for _, test := range []struct {
		name, text string
		want       float64
	}{
		{"nothing", "a b c", 0},
		{"all of it", "queue a b retry redi", 1},
		{"twice the same", "queue queue queue", 0.25},
		{"far apart", "queue redi " + far + "retry", 0.5},
		{"the densest of several", "queue " + far + "retry redi " + far + "redi", 0.75},
		{"at the edge", "queue " + strings.Repeat("x ", nearTerms-2) + "retry", 0.75},
		{"one behind the edge", "queue " + strings.Repeat("x ", nearTerms-1) + "retry", 0.5},
	} {
		if got := densest(says, strings.Fields(test.text)); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Words of any change to any code, and of any sentence, tell nothing.
func TestTelling(t *testing.T) {
	for text, want := range map[string]int{
		"reduce the number of allocations":             0,
		"rewrites if-else to switch statements":        0,
		"fixed a memory leak in the tokenizer":         1,
		"the bread should rise twice before baking":    4,
		"retry failed uploads to the bucket":           4,
		"Performance improvement by reducing calls to": 0,
	} {
		var words []word
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' }) {
			if w != "the" && w != "a" && w != "of" && w != "to" && w != "in" && w != "by" {
				words = append(words, word{text: w})
			}
		}
		if got := telling(words); got != want {
			t.Errorf("%q has %d telling words, want %d", text, got, want)
		}
	}
}

// A statement is judged by itself and beside others, a question as it was.
func TestUnlikely(t *testing.T) {
	unlike := evidence{meaning: 0.4, together: 0.4, usual: -0.5, words: 2, docs: 0.3, telling: 5}
	like := evidence{meaning: 0.7, together: 0.8, usual: 0.8, words: 2, docs: 0.6, telling: 5, close: 0.7}
	with := func(e evidence, set func(*evidence)) evidence { set(&e); return e }
	mostAlike := func(e *evidence) { e.compared, e.share, e.likeness = true, 0.6, 0.1 }
	for _, test := range []struct {
		name                string
		e                   evidence
		question, statement bool
	}{
		{"unlike", unlike, true, true},
		{"like", like, false, false},
		{"unlike, about nothing", with(unlike, func(e *evidence) { e.telling = 1 }), true, false},
		{"unlike, with names that are known", with(unlike, func(e *evidence) { e.known = 2 }), true, false},
		{"like none, the most like this one", with(unlike, func(e *evidence) {
			e.meaning, e.together = 0.1, 0.2
			mostAlike(e)
		}), false, true},
		{"like, and like others", with(like, func(e *evidence) { e.compared, e.share = true, 0.3 }), false, false},
		{"some of it here, as others have it", evidence{
			meaning: 0.6, together: 0.6, words: 1.6, docs: 0.4, telling: 5,
			compared: true, share: 0.2, likeness: -0.1, close: 0.7, known: 1,
		}, false, false},
		{"some of it here, more elsewhere", with(unlike, func(e *evidence) {
			e.compared, e.share, e.score, e.likeness = true, 0, -1, -0.2
		}), true, true},
	} {
		if got := test.e.unlikely(true); got != test.question {
			t.Errorf("question, %s: %v, odds %.2f and %.2f", test.name, got, test.e.alone(), test.e.beside())
		}
		if got := test.e.unlikely(false); got != test.statement {
			t.Errorf("statement, %s: %v, odds %.2f and %.2f", test.name, got, test.e.alone(), test.e.beside())
		}
	}
}

// A statement of which others have better files and documents is about them, also
// where what the repository itself tells leaves it open.
func TestStatementsThatOthersAnswer(t *testing.T) {
	open := evidence{
		meaning: 0.4, together: 0.4, close: 0.3, usual: 0.5, words: 2.2, docs: 0.6, telling: 6,
		compared: true, share: 0.3,
	}
	if open.unlikely(false) {
		t.Error("a statement of which others have no better is said to be foreign")
	}
	behind := open
	behind.likeness, behind.docsAhead = -0.4, -0.8
	if !behind.unlikely(false) {
		t.Error("a statement of which others have far better is not said to be foreign")
	}
	open.share, behind.share = 0.1, 0.1
	if open.unlikely(true) || !behind.unlikely(true) {
		t.Error("of questions only one of which others have far better is foreign")
	}
	ahead := open
	ahead.likeness, ahead.docsAhead = 0.1, 0.8
	if ahead.unlikely(false) {
		t.Error("a statement of which others have worse is said to be foreign")
	}
}

// nothing is a log that keeps nothing, with all the steps there may be.
type nothing struct{}

func (nothing) Step(int, string) bool   { return true }
func (nothing) Did(string, string, int) {}
func (nothing) Warn([]models.Warning)   {}

// others is a search of all repositories, in which only others have documents.
type others struct{}

func (others) Search(context.Context, search.Request) (search.Response, error) {
	resp := search.Response{Likeness: map[models.DocumentID]search.Likeness{"doc:o/s:a.md#a": {Words: 0.9}}}
	resp.Items = []models.SearchResult{{DocumentID: "doc:o/s:a.md#a", RepoID: "o/s"}}
	return resp, nil
}

// A repository with a licence for its only document is not behind those with more.
func TestFewDocumentsAreNotBehind(t *testing.T) {
	b := Judge{Search: others{}, Asked: question.Question{Query: "q", Filter: "o/r"}, Log: nothing{}}
	for sections, want := range map[int]float64{0: 0, fewDocs - 1: 0, fewDocs: -0.9} {
		var e evidence
		docs := search.Response{Words: []search.Word{{Text: "q", Of: sections}}}
		if err := b.compareDocs(t.Context(), docs, &e); err != nil || e.docsAhead != want {
			t.Errorf("with %d sections: %v ahead, %v; want %v", sections, e.docsAhead, err, want)
		}
	}
}

// meanings are vectors of words; those that it does not have are unlike all.
type meanings struct {
	Gauge
	of map[string][]float32
}

func (m meanings) Queries(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = m.of[strings.ToLower(text)]
	}
	return vectors, nil
}

// A name that means a word of the question has it, one that is a little like it has not.
func TestTogetherByMeaning(t *testing.T) {
	b := Judge{Gauge: meanings{of: map[string][]float32{
		"computed": {1, 0}, "calculate": {0.5, 0}, "count": {0.3, 0}, "score": {0, 1},
	}}}
	words := []word{{text: "score", says: 3}, {text: "computed", says: 1}}
	for name, want := range map[string]float64{
		"calculateScore": 0.875, "count_score": 0.75, "score": 0.75, "calculate": 0.125, "other": 0, "": 0,
	} {
		q := extract.Quote{Text: "func " + name + "()", Doc: models.Document{Header: models.Header{SymbolName: name}}}
		nothing := extract.Quote{Doc: models.Document{Header: models.Header{SymbolName: "nothing"}}}
		if got, err := b.byMeaning(t.Context(), words, []extract.Quote{nothing, q}); err != nil || got != want {
			t.Errorf("%s has %v of it, %v; want %v", name, got, err, want)
		}
	}
	if got, err := b.byMeaning(t.Context(), nil, []extract.Quote{{}}); err != nil || got != 0 {
		t.Errorf("no words: %v, %v; want 0", got, err)
	}
}
