// Package ask answers a question about the indexed code. Without a language
// model the answer is extractive: the spans that fit the question best, quoted
// from the files as they are now, each with a citation whose lines were
// compared with those that were indexed.
package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/redact"
)

// A Searcher finds documents.
type Searcher interface {
	Search(ctx context.Context, req search.Request) (search.Response, error)
	// Hold returns a context under which searches see the same files.
	Hold(ctx context.Context, repoFilter string) (over context.Context, release func(), err error)
}

// A Library returns documents by id.
type Library interface {
	Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error)
}

// A LineReader reads lines start to end, 1-indexed and inclusive, of a file as
// it is now, as the lines were when they were hashed for the index. Lines that
// it can't have unchanged are an error. Warnings tell when it has no working
// tree to read them from.
type LineReader interface {
	Lines(ctx context.Context, repo models.RepoID, path string, start, end int) (string, []models.Warning, error)
}

// A Service answers questions.
type Service struct {
	search Searcher
	docs   Library
	lines  LineReader
}

// New returns a Service that answers from these sources.
func New(s Searcher, docs Library, lines LineReader) *Service {
	return &Service{search: s, docs: docs, lines: lines}
}

const (
	defaultCitations = 5
	defaultSteps     = 20
)

// Ask answers one question. The reply has exactly one item.
func (s *Service) Ask(ctx context.Context, req Request) (Response, error) {
	r := &run{Service: s, req: req, citations: defaultCitations, steps: defaultSteps}
	if b := req.Budget; b != nil {
		r.citations, r.steps = or(b.MaxCitations, r.citations), or(b.MaxSteps, r.steps)
	}
	ctx, release, err := s.search.Hold(ctx, req.RepoFilter)
	if err != nil {
		return Response{}, fmt.Errorf("ask: %w", err)
	}
	defer release()
	answer, err := r.answer(ctx)
	if err != nil {
		return Response{}, fmt.Errorf("ask: %w", err)
	}
	resp := Response{Result: models.OKResult([]models.Answer{answer}), Query: req.Query}
	resp.Meta.Warnings = r.warnings
	if r.head != nil {
		resp.Meta.IndexStatus, resp.Meta.FreshnessState = r.head.IndexStatus, r.head.FreshnessState
		resp.Meta.StaleFiles, resp.Meta.StaleFileCount = r.head.StaleFiles, r.head.StaleFileCount
	}
	if answer.OutOfScope {
		resp.Meta.Message = new("nothing in the index fits the question; try other words, or index the repository that holds the answer")
	}
	return resp, nil
}

// A run is the state of answering one question.
type run struct {
	*Service

	req              Request
	citations, steps int // what is left of the budget
	log              []models.Step
	gaps             []string
	warnings         []models.Warning
	head             *models.Meta // of the searches
}

func (r *run) answer(ctx context.Context) (models.Answer, error) {
	levels, spans, err := r.spans(ctx)
	if err != nil {
		return models.Answer{}, err
	}
	var quotes []quote
	for _, sp := range spans {
		if len(quotes) == r.citations || !r.step("budget used up before every span was read") {
			break
		}
		q, ok, err := r.quote(ctx, sp)
		if err != nil {
			return models.Answer{}, err
		}
		if ok {
			quotes = append(quotes, q)
		}
	}
	a := models.Answer{
		Answer: compose(quotes, len(r.gaps)), Citations: citations(quotes), Gaps: append([]string{}, r.gaps...),
		OutOfScope: len(quotes)+len(r.gaps) == 0, LevelsSearched: levels, Steps: r.log,
	}
	return a, nil
}

// step takes one step of the budget; when none is left it notes why.
func (r *run) step(gap string) bool {
	if r.steps == 0 {
		r.gaps = append(r.gaps, gap)
		return false
	}
	r.steps--
	return true
}

// quote reads a span again. A span whose lines are no longer those that were
// indexed is not quoted: it becomes a gap. A span that does not speak of the
// question, however near its vector, is not quoted either.
func (r *run) quote(ctx context.Context, d models.Document) (quote, bool, error) {
	text, warnings, err := r.lines.Lines(ctx, d.RepoID, d.FilePath, d.StartLine, d.EndLine)
	place := fmt.Sprintf("%s %s:%d-%d", d.RepoID, d.FilePath, d.StartLine, d.EndLine)
	r.log = append(r.log, models.Step{Operation: "get_file", Detail: place, Items: 1})
	if ctx.Err() != nil {
		return quote{}, false, ctx.Err()
	}
	if err != nil {
		r.gaps = append(r.gaps, place+" could not be read: "+fault.MessageOf(err))
		return quote{}, false, nil
	}
	for _, w := range warnings {
		if !slices.Contains(r.warnings, w) {
			r.warnings = append(r.warnings, w)
		}
	}
	if models.HashText(text) != d.ContentHash {
		r.gaps = append(r.gaps, place+" changed since it was indexed and was left out; index the repository again")
		return quote{}, false, nil
	}
	text, _ = redact.Text(strings.TrimSuffix(text, "\n"))
	q := newQuote(r.question(), d, text)
	return q, q.speaksOf(r.question()), nil
}

func or(v *int, def int) int {
	if v == nil {
		return def
	}
	return *v
}
