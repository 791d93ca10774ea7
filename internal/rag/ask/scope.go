package ask

import (
	"context"
	"regexp"
	"slices"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
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

// Judge has answers say which questions are about something else.
func (s *Service) Judge(g Gauge) { s.gauge = g }

// foreign reports whether the question is one about something else than what was
// searched, and notes which repository outside of the filter it rather is about.
// Without a gauge, where files were not looked at, or where there are few words to
// tell by, all results being weak says so. What is asked about the repository
// itself is never foreign.
func (r *run) foreign(ctx context.Context, replies map[models.Level]search.Response, quotes []quote) (bool, error) {
	files, docs := replies[models.LevelFile], replies[models.LevelDoc]
	switch {
	case len(replies) == 0, aboutItself.MatchString(r.question()):
		return false, nil
	case r.gauge == nil || len(files.Words) < tellingWords:
		return allWeak(replies), nil
	}
	e, err := r.evidence(ctx, wordsOf(files, docs), quotes)
	if err != nil {
		return false, err
	}
	e.docs = docWords(files, docs)
	other, err := r.compare(ctx, &e)
	if err != nil || !e.unlikely(asksSomething.MatchString(r.question())) {
		return false, err
	}
	r.other = other
	return true, nil
}

// tellingWords is how many words that can be searched by tell what a question is
// about.
const tellingWords = 2

var aboutItself = regexp.MustCompile(
	`(?i)^\W*(what|how|where|which|describe|explain|summari[sz]e|give)\b.{0,40}\b(this|the) (code ` +
		`?base|repo(sitory)?|project|library|package)\b|^\W*\w*\W*overview\b`)

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
func (r *run) compare(ctx context.Context, e *evidence) (models.RepoID, error) {
	if r.req.RepoFilter == "" || !r.step(0, "other repositories were searched") {
		return "", nil
	}
	resp, err := r.search.Search(ctx, search.Request{Query: r.question(), Level: models.LevelFile, Limit: new(compared)})
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil: // what is asked of was searched, so it can be told without the others
		r.warn([]models.Warning{{
			Code:    "PARTIAL_RESULTS",
			Message: "other repositories could not be searched to compare with: " + fault.MessageOf(err),
		}})
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
		if !e.compared && like >= aboutOther {
			other = item.RepoID
		}
		e.compared = true
		outside, likeOutside = max(outside, item.Score), max(likeOutside, like)
	}
	r.log = append(r.log, models.Step{
		Operation: "search_code", Detail: "level file of all repositories, to compare",
		Items: len(resp.Items),
	})
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
