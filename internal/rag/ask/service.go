// Package ask answers a question about the indexed code. Without a language
// model the answer is extractive: what was found where, and the lines that fit
// the question best, quoted from the files as they are now, each with a citation
// whose lines were compared with those that were indexed.
package ask

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/rag/ask/arrange"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/ask/scope"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// A Searcher finds documents.
type Searcher interface {
	Search(ctx context.Context, req search.Request) (search.Response, error)
	// Hold returns a context under which searches see the same files.
	Hold(ctx context.Context, repoFilter string) (over context.Context, release func(), err error)
	// Meant is the repository that a question about a project as a whole names, or "".
	Meant(ctx context.Context, question string) (models.RepoID, error)
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
	graph  Graph       // may be nil
	gauge  scope.Gauge // may be nil
	manual Manual      // may be nil
}

// New returns a Service that answers from these sources.
func New(s Searcher, docs Library, lines LineReader) *Service {
	return &Service{search: s, docs: docs, lines: lines}
}

// Consult has answers say the commands that do what is asked for.
func (s *Service) Consult(m Manual) { s.manual = m }

// Judge has answers say which questions are about something else.
func (s *Service) Judge(g scope.Gauge) { s.gauge = g }

// The usual budget. Steps are as many as the work takes.
const (
	defaultCitations = 10
	// DefaultTokens is how long an answer is at most, unless a request says so.
	DefaultTokens = 1200
)

// Ask answers one question from what is indexed, without a model. The reply has
// exactly one item.
func (s *Service) Ask(ctx context.Context, req Request) (Response, error) {
	if req.RepoFilter == "" {
		meant, err := s.search.Meant(ctx, req.Query)
		if err != nil {
			return Response{}, fmt.Errorf("ask: %w", err)
		}
		req.RepoFilter = string(meant)
	}
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
	resp.Meta.Warnings = r.notes.warnings
	if head := r.notes.head; head != nil {
		resp.Meta.IndexStatus, resp.Meta.FreshnessState = head.IndexStatus, head.FreshnessState
		resp.Meta.StaleFiles, resp.Meta.StaleFileCount = head.StaleFiles, head.StaleFileCount
	}
	switch {
	case answer.OutOfScope || r.verdict.Unclear:
		resp.Meta.Message = new(r.instead())
	case r.none != "":
		resp.Meta.Message = &r.none
	}
	return resp, nil
}

// A run answers one question: its phases take what those before them made.
type run struct {
	asked      question.Question
	notes      *notes
	finder     finder
	reader     reader
	neighbours neighbours
	follower   follower
	judge      scope.Judge
	handler    handler
	verdict    extract.Verdict
	none       string // why nothing was found
}

func newRun(s *Service, req Request) *run {
	said := make([]question.Turn, len(req.History))
	for i, m := range req.History {
		said[i] = question.Turn{ByUser: m.Role == "user", Text: m.Content}
	}
	asked, notes := question.New(req.Query, req.RepoFilter, req.Level, said), newNotes(req.Budget)
	read := reader{s.docs, s.lines, req.Level, notes}
	find := finder{read, s.search, asked, notes}
	return &run{
		asked: asked, notes: notes, reader: read, finder: find,
		handler:    handler{manual: s.manual, finder: find, reader: read},
		neighbours: neighbours{s.graph, read, notes},
		follower:   follower{s.graph, read, asked, notes},
		judge:      scope.Judge{Search: s.search, Gauge: s.gauge, Asked: asked, Log: notes},
	}
}

func (r *run) answer(ctx context.Context) (models.Answer, error) {
	about, err := r.follower.place(ctx, r.asked.About, r.finder.search)
	if err != nil {
		return models.Answer{}, err
	}
	if answer, ok, err := r.followed(ctx, about); ok || err != nil {
		return answer, err
	}
	if err := r.handler.consult(ctx); err != nil {
		return models.Answer{}, err
	}
	if r.handler.task != nil {
		if c, ok, err := r.handler.handle(ctx); ok || err != nil {
			return r.write(c), err
		}
		r.judge.Asked.OfTask = true
	}
	return r.look(ctx)
}

// instead says what to do when nothing fits.
func (r *run) instead() string {
	switch other := r.verdict.Other; {
	case r.verdict.Unclear:
		return "the question seems not to be in English, and nothing that was searched has a word of it, so that it " +
			"can't be told whether it is about this code; ask in English, or with names from the code"
	case other != "":
		return fmt.Sprintf("nothing that was searched seems to fit the question, %s does; ask with repo_filter %s, or with "+
			"other words", other, other)
	}
	return "nothing in the index fits the question; try other words, or index the repository that holds the answer"
}

// followed answers from the graph what a question asks of a subject.
func (r *run) followed(ctx context.Context, s question.Subject) (models.Answer, bool, error) {
	t, ok, err := r.follower.follow(ctx, s)
	if err != nil || !ok {
		return models.Answer{}, false, err
	}
	quotes, err := r.reader.read(ctx, t.places, t.docs)
	return r.write(extract.Answer{Quotes: quotes, Left: len(t.places) - len(quotes), Told: t.told}), true, err
}

// look answers by what searches find.
func (r *run) look(ctx context.Context) (models.Answer, error) {
	found, err := r.finder.find(ctx)
	if err != nil {
		return models.Answer{}, err
	}
	docs, err := r.reader.documents(ctx, found.places)
	if err != nil {
		return models.Answer{}, err
	}
	found.places = written(found.places, docs)
	if named, ok := r.follower.named(found.places, docs); ok {
		if answer, ok, err := r.followed(ctx, named); ok || err != nil {
			return answer, err
		}
	}
	if found.places, err = r.neighbours.below(ctx, r.asked.Text(), found.places, docs); err != nil {
		return models.Answer{}, err
	}
	places, uses, err := r.neighbours.near(ctx, found.places, docs)
	if err != nil {
		return models.Answer{}, err
	}
	quotes, err := r.reader.read(ctx, places, docs)
	if err != nil {
		return models.Answer{}, err
	}
	quotes, said, err := r.ordered(ctx, quotes, uses)
	if err != nil {
		return models.Answer{}, err
	}
	v, err := r.judge.Foreign(ctx, found.replies, quotes)
	if v.Out || v.Unclear {
		quotes = extract.Nearest(quotes)
	}
	r.verdict = v
	if len(places)+len(found.summaries) == 0 && !v.Out && !v.Unclear {
		r.none = r.nothing()
	}
	c := extract.Answer{
		None: r.none, Absent: r.asked.Absent(scope.Nowhere(found.replies)),
		Quotes: quotes, Summaries: found.summaries, Uses: said.uses, Both: said.both,
		Verdict: v, Left: len(places) - extract.Files(quotes),
	}
	if intent.AboutProject(r.asked.Text(), r.asked.Filter) {
		c.Folders = extract.Folders(found.summaries)
		if err == nil {
			err = r.introduced(ctx, &c)
		}
	}
	return r.write(c), err
}

// sayings are what an answer says of its first quotes.
type sayings struct {
	uses string // who uses the first
	both string // what the two are that it is asked how they differ
}

// ordered puts first what the question names or cites, and says what parts are of. Uses
// are those of the first quote.
func (r *run) ordered(ctx context.Context, quotes []extract.Quote, uses string) (
	ordered []extract.Quote, said sayings, err error,
) {
	by := arrange.Arranger{Asked: r.asked, Finder: r.finder, Most: r.notes.citations}
	if ordered, said.both, err = by.Arrange(ctx, quotes); err != nil {
		return nil, said, err
	}
	if len(quotes) > 0 && ordered[0].Doc.ID == quotes[0].Doc.ID {
		said.uses = uses
	}
	return ordered, said, r.reader.within(ctx, ordered)
}

// nothing says why searches found nothing; "" if there was none.
func (r *run) nothing() string {
	switch head := r.notes.head; {
	case head == nil:
		return ""
	case r.asked.Filter == "" && intent.AboutProject(r.asked.Text(), ""):
		return "the question is about a project as a whole, and does not say about which one; ask with repo_filter, or by " +
			"its name"
	case head.Message != nil:
		return *head.Message
	}
	return ""
}

// write writes the answer.
func (r *run) write(c extract.Answer) models.Answer {
	n := r.notes
	c.Room, c.Weights = n.room(), n.weights
	text := c.Text()
	return models.Answer{
		Answer: text, Citations: c.Citations(), Gaps: append([]string{}, n.gaps...), OutOfScope: c.Verdict.Out,
		LevelsSearched: n.levels, Steps: n.log,
	}
}
