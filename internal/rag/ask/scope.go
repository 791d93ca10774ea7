package ask

import (
	"context"
	"math"
	"regexp"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// foreign reports whether the question is one about something else than what was
// searched, and notes which repository outside of the filter it rather is about.
// Where likeness in meaning or files were not looked at, or there are few words to
// tell by, all results being weak says so. What is asked about the repository
// itself is never foreign.
func (r *run) foreign(ctx context.Context, replies map[models.Level]search.Response) (bool, error) {
	e := evidenceOf(replies[models.LevelFile], replies[models.LevelDoc])
	switch {
	case len(replies) == 0, aboutItself.MatchString(r.question()):
		return false, nil
	case e.cosine == 0 || len(replies[models.LevelFile].Words) < tellingWords:
		return allWeak(replies), nil
	}
	other, err := r.compare(ctx, &e)
	if err != nil || e.unlikely() <= 0 {
		return false, err
	}
	r.other = other
	return true, nil
}

// tellingWords is how many words that can be searched by tell what a question is
// about.
const tellingWords = 3

var aboutItself = regexp.MustCompile(`(?i)^\W*(what|how|where|which|describe|explain|summari[sz]e|give)\b.{0,40}\b(this|the) (code ?base|repo(sitory)?|project|library|package)\b|^\W*\w*\W*overview\b`)

func allWeak(replies map[models.Level]search.Response) bool {
	for _, resp := range replies {
		if slices.ContainsFunc(resp.Items, func(item models.SearchResult) bool { return !item.Weak }) {
			return false
		}
	}
	return true
}

// evidence is what tells questions about what was searched from others.
type evidence struct {
	cosine      float64 // of the best file or document
	words, docs float64 // what BM25 gives to the best file and document, see search.Likeness
	known       float64 // mean logarithm of the share of files that have a word of the question

	// Of a search that is not limited to the filter.
	compared bool
	score    float64 // of the best file inside, less that of the best one outside
	likeness float64 // the same of cosine + wordShare × words
	share    float64 // of the ranks that are inside, first ones counting more
}

const (
	bestOf    = 10    // results that are looked at
	wordShare = 0.2   // what words count beside the cosine
	rareShare = 0.003 // keeps the logarithm of words without a file finite
)

func evidenceOf(files, docs search.Response) evidence {
	var e evidence
	best := func(resp search.Response, of func(search.Likeness) float64) (most float64) {
		for _, item := range resp.Items[:min(bestOf, len(resp.Items))] {
			most = max(most, of(resp.Likeness[item.DocumentID]))
		}
		return most
	}
	words := func(l search.Likeness) float64 { return l.Words }
	cosine := func(l search.Likeness) float64 { return l.Cosine }
	e.cosine = max(best(files, cosine), best(docs, cosine))
	e.words, e.docs = best(files, words), best(docs, words)
	if len(docs.Items) == 0 { // having no documents tells nothing
		e.docs = e.words
	}
	for _, w := range files.Words {
		e.known += math.Log(float64(w.In)/float64(max(w.Of, 1))+rareShare) / float64(len(files.Words))
	}
	return e
}

// compared is how many results of all repositories are looked at.
const compared = 60

// compare searches all repositories, when a filter chose some, and tells which
// one outside of the filter has the best file.
func (r *run) compare(ctx context.Context, e *evidence) (models.RepoID, error) {
	if r.req.RepoFilter == "" || !r.step(1, "other repositories were searched") {
		return "", nil
	}
	resp, err := r.search.Search(ctx, search.Request{Query: r.question(), Level: models.LevelFile, Limit: new(compared)})
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil: // what is asked of was searched, so it can be told without the others
		r.warn([]models.Warning{{Code: "PARTIAL_RESULTS", Message: "other repositories could not be searched to compare with: " + fault.MessageOf(err)}})
		return "", nil
	}
	var inside, outside, ranks, ranksInside float64
	var likeInside, likeOutside float64
	var other models.RepoID
	for i, item := range resp.Items {
		l := resp.Likeness[item.DocumentID]
		like, rank := l.Cosine+wordShare*l.Words, 1/float64(3+i)
		ranks += rank
		if r.inFilter(item.RepoID) {
			inside, likeInside = max(inside, item.Score), max(likeInside, like)
			ranksInside += rank
			continue
		}
		if other == "" && !item.Weak {
			other = item.RepoID
		}
		e.compared = true
		outside, likeOutside = max(outside, item.Score), max(likeOutside, like)
	}
	r.log = append(r.log, models.Step{Operation: "search_code", Detail: "level file of all repositories, to compare", Items: len(resp.Items)})
	if !e.compared {
		return "", nil
	}
	e.score, e.likeness, e.share = inside-outside, likeInside-likeOutside, ranksInside/ranks
	if outside <= inside {
		other = ""
	}
	return other, nil
}

func (r *run) inFilter(id models.RepoID) bool {
	some, err := filter.Repositories([]models.RepoID{id}, r.req.RepoFilter)
	return err == nil && len(some) > 0
}

// unlikely is above 0 when the question is likelier about something else. The
// weights are those of a logistic regression on the tuning half of bench/ask, by
// the built-in embedder; 2.5% of the questions with an answer there are above 0.
func (e evidence) unlikely() float64 {
	if e.compared {
		return -2.95 - 1.57*e.docs - 0.97*e.known - 0.64*e.score - 2.65*e.likeness - 5*e.share
	}
	return 3.3 - 8.72*e.cosine - 0.44*e.words - 1.85*e.docs - 0.45*e.known
}
