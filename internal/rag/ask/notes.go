package ask

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// An inquiry is what is asked.
type inquiry struct {
	req    Request
	about  subject // of a question that follows others
	tongue tongue  // nil for English
	ofUse  bool    // how a repository is built, tested or run, whatever it is about
}

// question is the query; of one that follows others, with what they were about, and of
// one that is not in English, without what says nothing. What stands in other words in
// repositories is asked in these.
func (q inquiry) question() string {
	switch {
	case q.about.after != "":
	case ofChanges().MatchString(q.req.Query):
		return "changelog, release notes"
	case !intent.AboutProject(q.req.Query, q.req.RepoFilter):
		if m := ofParts().FindStringSubmatch(q.req.Query); m != nil {
			return "how is " + m[1] + " structured"
		}
	}
	if said := q.tongue.without(q.req.Query); q.about.after == "" && said != "" {
		return said
	}
	if q.about.after == "" {
		return q.req.Query
	}
	question := extract.Cut(q.about.after, 1000) + "\n" + q.req.Query
	if q.about.name != "" && (asksTests().MatchString(q.req.Query) || asksUsers().MatchString(q.req.Query)) {
		question = q.req.Query
	}
	return strings.TrimSpace(question + " " + q.about.name)
}

var (
	ofParts = pattern.NewLazy(`(?i)^\W*what (?:are|is) (?:the )?(?:(?:main|key|core|central|major|important|most) )*` +
		`(?:parts|components|building blocks|pieces|layers) (?:of|in) (.*\w)\W*$`)
	ofChanges = pattern.NewLazy(`(?i)^\W*what(?:'s|’s| is| has| have| was| were)? (?:been )?(?:changed|new)` +
		`(?: recently| lately| (?:in|since) (?:the )?(?:last|latest|newest|previous) (?:\w+ )?\w+)?\W*$`)
)

// inFilter reports whether a repository is one that is asked about.
func (q inquiry) inFilter(id models.RepoID) bool {
	some, err := filter.Repositories([]models.RepoID{id}, q.req.RepoFilter)
	return err == nil && len(some) > 0
}

// notes are what is left of the budget of a run, and what it did and learned.
type notes struct {
	citations int
	tokens    int
	steps     int // what is left of them; below 0 without a limit

	log      []models.Step
	levels   []models.Level // that were searched
	gaps     []string
	warnings []models.Warning
	head     *models.Meta       // of the searches
	weights  map[string]float64 // the terms of the question, by rarity
}

func newNotes(b *Budget) *notes {
	n := &notes{
		citations: defaultCitations, tokens: DefaultTokens, steps: -1,
		weights: map[string]float64{}, levels: []models.Level{}, log: []models.Step{},
	}
	if b != nil {
		n.citations, n.tokens, n.steps = models.Or(b.MaxCitations, n.citations), models.Or(b.MaxReplyTokens, n.tokens),
			models.Or(b.MaxSteps, n.steps)
	}
	return n
}

// did notes a step that was taken.
func (n *notes) did(operation, detail string, items int) {
	n.log = append(n.log, models.Step{Operation: operation, Detail: detail, Items: items})
}

// step takes one step of the budget, of which keep are left for later; when
// there is none it notes what was not done.
func (n *notes) step(keep int, undone string) bool {
	if n.steps >= 0 && n.steps <= keep {
		n.gaps = append(n.gaps, "the budget of steps was used up before "+undone)
		return false
	}
	n.steps--
	return true
}

func (n *notes) warn(warnings []models.Warning) {
	for _, w := range warnings {
		if !slices.Contains(n.warnings, w) {
			n.warnings = append(n.warnings, w)
		}
	}
}

// share is how much of what the question says stands in a text, from 0 to 1, rare
// words counting more; 1 if the question says nothing that can be weighed.
func (n *notes) share(text string) float64 {
	in, all := 0.0, 0.0
	terms := fts.Analyze(text)
	for term, weight := range n.weights {
		all += weight
		if slices.Contains(terms, term) {
			in += weight
		}
	}
	if all == 0 {
		return 1
	}
	return in / all
}

// headTokens is what the reply's head takes of a budget of tokens.
const headTokens = 60

// room is how many bytes the answer may have, three for a token as package view
// counts them, so that the reply as text is within the budget.
func (n *notes) room() int {
	room := 3 * (n.tokens - headTokens)
	for _, gap := range n.gaps {
		room -= len("gap: \n") + len(gap)
	}
	for _, w := range n.warnings {
		room -= len("warning: \n") + len(w.Message)
	}
	return room
}
