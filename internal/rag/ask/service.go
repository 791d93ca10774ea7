// Package ask answers a question about the indexed code. Without a language
// model the answer is extractive: what was found where, and the lines that fit
// the question best, quoted from the files as they are now, each with a citation
// whose lines were compared with those that were indexed.
package ask

import (
	"context"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
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
	graph  Graph // may be nil
	gauge  Gauge // may be nil
}

// New returns a Service that answers from these sources.
func New(s Searcher, docs Library, lines LineReader) *Service {
	return &Service{search: s, docs: docs, lines: lines}
}

// The usual budget. Steps are as many as the work takes.
const (
	defaultCitations = 10
	// DefaultTokens is how long an answer is at most, unless a request says so.
	DefaultTokens = 1200
)

// Ask answers one question from what is indexed, without a model. The reply has
// exactly one item.
func (s *Service) Ask(ctx context.Context, req Request) (Response, error) {
	r := newRun(s, req)
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
		resp.Meta.Message = new(r.instead())
	}
	return resp, nil
}

// instead says what to do when nothing fits.
func (r *run) instead() string {
	if r.other != "" {
		return fmt.Sprintf("nothing that was searched fits the question, %s does; ask with repo_filter %s, or with other "+
			"words", r.other, r.other)
	}
	return "nothing in the index fits the question; try other words, or index the repository that holds the answer"
}

// A run is the state of answering one question.
type run struct {
	*Service

	req       Request
	citations int
	tokens    int
	steps     int // what is left of them; below 0 without a limit

	log      []models.Step
	levels   []models.Level // that were searched
	gaps     []string
	warnings []models.Warning
	head     *models.Meta       // of the searches
	weights  map[string]float64 // the terms of the question, by rarity
	uses     string             // who uses the best symbol, a sentence
	about    subject            // of a question that follows others
	told     string             // how an answer from the graph begins
	other    models.RepoID      // outside of the filter, which the question is rather about
}

func newRun(s *Service, req Request) *run {
	r := &run{
		Service: s, req: req, citations: defaultCitations, tokens: DefaultTokens, steps: -1,
		weights: map[string]float64{}, levels: []models.Level{},
	}
	r.about, _ = subjectOf(req)
	if b := req.Budget; b != nil {
		r.citations, r.tokens, r.steps = or(b.MaxCitations, r.citations), or(b.MaxReplyTokens, r.tokens),
			or(b.MaxSteps, r.steps)
	}
	return r
}

func (r *run) answer(ctx context.Context) (models.Answer, error) {
	if answer, ok, err := r.followed(ctx, r.about); ok || err != nil {
		return answer, err
	}
	return r.look(ctx)
}

// look answers by what searches find.
func (r *run) look(ctx context.Context) (models.Answer, error) {
	found, err := r.find(ctx)
	if err != nil {
		return models.Answer{}, err
	}
	docs, err := r.documents(ctx, found.places)
	if err != nil {
		return models.Answer{}, err
	}
	if named, ok := r.named(found.places, docs); ok {
		if answer, ok, err := r.followed(ctx, named); ok || err != nil {
			return answer, err
		}
	}
	if found.places, err = r.near(ctx, found.places, docs); err != nil {
		return models.Answer{}, err
	}
	quotes, err := r.read(ctx, found.places, docs)
	if err != nil {
		return models.Answer{}, err
	}
	out, err := r.foreign(ctx, found.replies, quotes)
	if out {
		quotes = quotes[:min(maxNearest, len(quotes))]
	}
	return r.write(composition{
		quotes: quotes, summaries: found.summaries, out: out,
		left: len(found.places) - len(quotes),
	}), err
}

// write writes the answer.
func (r *run) write(c composition) models.Answer {
	c.gaps, c.other, c.room, c.weights, c.uses = r.gaps, r.other, r.room(), r.weights, r.uses
	text := c.text()
	return models.Answer{
		Answer: text, Citations: c.citations(), Gaps: append([]string{}, r.gaps...), OutOfScope: c.out,
		LevelsSearched: r.levels, Steps: r.log,
	}
}

// step takes one step of the budget, of which keep are left for later; when
// there is none it notes what was not done.
func (r *run) step(keep int, undone string) bool {
	if r.steps >= 0 && r.steps <= keep {
		r.gaps = append(r.gaps, "the budget of steps was used up before "+undone)
		return false
	}
	r.steps--
	return true
}

func (r *run) warn(warnings []models.Warning) {
	for _, w := range warnings {
		if !slices.Contains(r.warnings, w) {
			r.warnings = append(r.warnings, w)
		}
	}
}

// headTokens is what the reply's head takes of a budget of tokens.
const headTokens = 60

// room is how many bytes the answer may have, three for a token as package view
// counts them, so that the reply as text is within the budget.
func (r *run) room() int {
	room := 3 * (r.tokens - headTokens)
	for _, gap := range r.gaps {
		room -= len("gap: \n") + len(gap)
	}
	for _, w := range r.warnings {
		room -= len("warning: \n") + len(w.Message)
	}
	return room
}

func or(v *int, def int) int {
	if v == nil {
		return def
	}
	return *v
}
