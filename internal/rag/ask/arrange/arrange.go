// Package arrange orders the quotes of an answer by what its question names or cites: a message
// that code gives, a name that it asks of whether it is supported, two things that differ.
package arrange

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/inert"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Finder searches for an answer, within its budget.
type Finder interface {
	// First quotes the best that a search of a level finds; nothing where it finds none.
	First(ctx context.Context, text string, level models.Level) ([]extract.Quote, error)
	// Step takes one step of the budget, of which keep are left for later; when there is none it
	// notes what was not done.
	Step(keep int, undone string) bool
}

// An Arranger puts first what a question names or cites.
type Arranger struct {
	Asked  question.Question
	Finder Finder
	Most   int // quotes of an answer
}

// beginning is how many quotes an answer begins with, where what is named is looked for.
const beginning = 3

// Arrange orders the quotes of an answer, and adds to them what has the name that it is asked of.
// Both is what the first two are, where it is asked how they differ.
func (a Arranger) Arrange(ctx context.Context, quotes []extract.Quote) (
	ordered []extract.Quote, both string, err error,
) {
	if ordered, err = a.mentioned(ctx, quotes); err != nil {
		return nil, "", err
	}
	return a.beside(ctx, a.given(ordered))
}

// mentioned puts first what tells of the name that is asked of whether it is supported,
// where none of the first quotes has it: documents do before code.
func (a Arranger) mentioned(ctx context.Context, quotes []extract.Quote) ([]extract.Quote, error) {
	name := a.Asked.Sought()
	has := func(q extract.Quote) bool { return strings.Contains(strings.ToLower(q.Text), strings.ToLower(name)) }
	if name == "" || len(quotes) == 0 || slices.ContainsFunc(quotes[:min(beginning, len(quotes))], has) {
		return quotes, nil
	}
	for _, level := range []models.Level{models.LevelDoc, models.LevelSymbol} {
		if !a.Finder.Step(0, "level "+string(level)+" was searched for "+name) {
			return quotes, nil
		}
		first, err := a.Finder.First(ctx, name, level)
		if err != nil {
			return nil, err
		}
		if len(first) > 0 && has(first[0]) {
			others := slices.DeleteFunc(slices.Clone(quotes), first[0].Overlaps)
			return append(first, others[:min(len(others), a.Most-1)]...), nil
		}
	}
	return quotes, nil
}

// beside puts both of two things first that a question asks the difference of, if both
// are declared, and says what each is. Told is how the answer begins then.
func (a Arranger) beside(ctx context.Context, quotes []extract.Quote) (all []extract.Quote, told string, err error) {
	names := a.Asked.Differing()
	if names == nil || len(quotes) == 0 || !a.Finder.Step(0, "both things were searched for") {
		return quotes, "", nil
	}
	var both []extract.Quote
	for _, name := range names {
		found, err := a.Finder.First(ctx, name, models.LevelSymbol)
		if err != nil {
			return nil, "", err
		}
		last := name[strings.LastIndexAny(name, ".:#")+1:]
		if len(found) == 0 || !strings.EqualFold(strings.TrimLeft(found[0].Doc.SymbolName, "#"), last) {
			return quotes, "", nil
		}
		both = append(both, found[0])
	}
	if both[0].Overlaps(both[1]) {
		return quotes, "", nil
	}
	others := slices.DeleteFunc(slices.Clone(quotes), func(q extract.Quote) bool {
		return q.Overlaps(both[0]) || q.Overlaps(both[1])
	})
	var b strings.Builder
	for i, q := range both {
		fmt.Fprintf(&b, "%s is in %s [%d]", q.Name(), inert.Code(q.Doc.FilePath), i+1)
		if line := q.DocLine(); line != "" {
			fmt.Fprintf(&b, ": “%s”", line)
		}
		b.WriteString(". ")
	}
	return append(both, others[:max(min(len(others), a.Most-len(both)), 0)]...),
		strings.TrimSpace(b.String()), nil
}

// given puts the quote first whose code has the message that is asked about, or most of
// it: that is where it comes from, whatever else speaks of its words.
func (a Arranger) given(quotes []extract.Quote) []extract.Quote {
	said := a.Asked.Message()
	if said == nil {
		return quotes
	}
	best, most := 0, 0
	for i, quote := range quotes {
		if quote.Doc.Test || quote.Doc.Heading != "" {
			continue
		}
		if n := said.In(quote.Text); n > most {
			best, most = i, n
		}
	}
	if best == 0 || !said.Enough(most) {
		return quotes
	}
	return slices.Concat(quotes[best:best+1], quotes[:best], quotes[best+1:])
}
