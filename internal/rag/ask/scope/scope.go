// Package scope tells questions about what was searched from those about something else, by the
// words of the question, what was found, and what other repositories have.
package scope

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// A Gauge tells, of any text, how common its words are in code at large and what it
// means, whatever made the vectors of the index.
type Gauge interface {
	// Common is the logarithm of the share of source files that have a word.
	Common(word string) float64
	Queries(ctx context.Context, texts []string) ([][]float32, error)
	Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error)
}

// A Log takes down what is done for an answer, and has a budget of steps.
type Log interface {
	// Step takes one step of the budget, of which keep are left for later; when there is none it
	// notes what was not done.
	Step(keep int, undone string) bool
	Did(operation, detail string, items int)
	Warn(warnings []models.Warning)
}

// A Searcher finds documents.
type Searcher interface {
	Search(ctx context.Context, req search.Request) (search.Response, error)
}

// A Judge tells questions about what was searched from others.
type Judge struct {
	Search Searcher
	Gauge  Gauge // may be nil
	Asked  question.Question
	Log    Log
}

// Foreign judges whether the question is one about something else than what was
// searched. Without a gauge, where files were not looked at, or where there are few
// words to tell by, all results being weak says so. What is asked about the repository
// itself is never foreign. Of a question that is not in English only words count that
// something has; without any it can't be told.
func (j Judge) Foreign(ctx context.Context, replies map[models.Level]search.Response, quotes []extract.Quote) (
	extract.Verdict, error,
) {
	files, docs := replies[models.LevelFile], replies[models.LevelDoc]
	words, ask := wordsOf(files, docs), question.Asks(j.Asked.Text())
	if j.Asked.Language != nil {
		words, ask = known(words, j.Asked.Language), true
	}
	switch {
	case len(replies) == 0, j.Asked.AsksOfItself():
		return extract.Verdict{}, nil
	case j.Asked.Language != nil && len(words) < tellingWords:
		return extract.Verdict{Unclear: len(words) == 0}, nil
	case j.Gauge == nil || len(files.Words) < tellingWords:
		return extract.Verdict{Out: allWeak(replies)}, nil
	}
	e, err := j.evidence(ctx, words, quotes)
	if err != nil {
		return extract.Verdict{}, err
	}
	e.docs = docWords(files, docs)
	other, err := j.compare(ctx, docs, &e)
	if j.Asked.OfItself() {
		other = ""
	}
	if err != nil || !e.unlikely(ask) {
		return extract.Verdict{}, err
	}
	if e.together, err = j.byMeaning(ctx, words, quotes); err != nil || !e.unlikely(ask) {
		return extract.Verdict{}, err
	}
	return extract.Verdict{Out: true, Other: other}, nil
}

// known are the words of a question in a tongue that something has: names, and what
// is the same in English.
func known(words []word, t question.Language) (known []word) {
	for _, w := range words {
		if w.share > 0 && len(w.text) > 2 && !t.Has(w.text) {
			known = append(known, w)
		}
	}
	return known
}

// tellingWords is how many words that can be searched by tell what a question is
// about.
const tellingWords = 2

func allWeak(replies map[models.Level]search.Response) bool {
	for _, resp := range replies {
		if slices.ContainsFunc(resp.Items, func(item models.SearchResult) bool { return !item.Weak }) {
			return false
		}
	}
	return true
}

// aboutOther is how much the best file outside of the filter has to be like a
// question that is about its repository: questions about caddy and hono have .9
// to 1.4, everyday ones .2 to .5.
const aboutOther = .7

// compared is how many results of all repositories are looked at.
const compared = 60

// compare searches all repositories, when a filter chose some, and tells which
// one outside of the filter has the best file.
func (j Judge) compare(ctx context.Context, docs search.Response, e *evidence) (models.RepoID, error) {
	if j.Asked.Filter == "" || !j.Log.Step(0, "other repositories were searched") {
		return "", nil
	}
	resp, ok, err := j.everywhere(ctx, models.LevelFile)
	if err != nil || !ok {
		return "", err
	}
	var inside, outside, ranks, ranksInside float64
	var likeInside, likeOutside float64
	var other models.RepoID
	for i, item := range resp.Items {
		l := resp.Likeness[item.DocumentID]
		like, rank := l.Cosine+wordShare*l.Words, 1/float64(3+i)
		ranks += rank
		if j.Asked.InFilter(item.RepoID) {
			inside, likeInside = max(inside, item.Score), max(likeInside, like)
			ranksInside += rank
			continue
		}
		if !e.compared && like >= aboutOther {
			other = item.RepoID
		}
		e.compared = true
		outside, likeOutside = max(outside, item.Score), max(likeOutside, like)
	}
	if !e.compared {
		return "", nil
	}
	e.score, e.likeness, e.share = inside-outside, likeInside-likeOutside, ranksInside/ranks
	if outside <= inside {
		other = ""
	}
	return other, j.compareDocs(ctx, docs, e)
}

// fewDocs is how many sections of documents tell what a repository is about. Fewer
// are a licence and a list of links: having none of the words tells nothing then.
const fewDocs = 20

// compareDocs tells how the documents of what was searched do beside those of
// others. Where there are few, others are not ahead.
func (j Judge) compareDocs(ctx context.Context, docs search.Response, e *evidence) error {
	if len(docs.Words) > 0 && docs.Words[0].Of < fewDocs {
		return nil
	}
	resp, ok, err := j.everywhere(ctx, models.LevelDoc)
	if err != nil || !ok {
		return err
	}
	var inside, outside float64
	for _, item := range resp.Items {
		words := resp.Likeness[item.DocumentID].Words
		if j.Asked.InFilter(item.RepoID) {
			inside = max(inside, words)
		} else {
			outside = max(outside, words)
		}
	}
	e.docsAhead = inside - outside
	return nil
}

// everywhere searches a level of all repositories. What is asked of was searched,
// so it can be told without the others where that fails.
func (j Judge) everywhere(ctx context.Context, level models.Level) (search.Response, bool, error) {
	resp, err := j.Search.Search(ctx, search.Request{
		Query: j.Asked.Text(), Level: level, Limit: new(compared), AsRanked: true,
	})
	switch {
	case ctx.Err() != nil:
		return resp, false, ctx.Err()
	case err != nil:
		j.Log.Warn([]models.Warning{{
			Code:    "PARTIAL_RESULTS",
			Message: "other repositories could not be searched to compare with: " + fault.MessageOf(err),
		}})
		return resp, false, nil
	}
	j.Log.Did("search_code", "level "+string(level)+" of all repositories, to compare", len(resp.Items))
	return resp, true, nil
}
