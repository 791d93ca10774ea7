package ask

import (
	"slices"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

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

// Did notes a step that was taken.
func (n *notes) Did(operation, detail string, items int) {
	n.log = append(n.log, models.Step{Operation: operation, Detail: detail, Items: items})
}

// Step takes one step of the budget, of which keep are left for later; when
// there is none it notes what was not done.
func (n *notes) Step(keep int, undone string) bool {
	if n.steps >= 0 && n.steps <= keep {
		n.gaps = append(n.gaps, "the budget of steps was used up before "+undone)
		return false
	}
	n.steps--
	return true
}

func (n *notes) Warn(warnings []models.Warning) {
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
