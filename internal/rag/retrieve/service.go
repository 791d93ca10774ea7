// Package retrieve carries out a query plan: it finds more than is wanted, keeps
// the best of each file, and packages that as pointers or as text within a budget.
package retrieve

import (
	"context"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/plan"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// A Planner makes the plan of a question.
type Planner interface {
	Plan(ctx context.Context, req plan.Request) (plan.Response, error)
}

// A Searcher finds documents.
type Searcher interface {
	Query(ctx context.Context, req search.Request) (search.Response, error)
	// Hold returns a context under which searches see the same files.
	Hold(ctx context.Context, repoFilter string) (over context.Context, release func(), err error)
}

// An Index has the documents that were found, and those that link to them.
type Index interface {
	Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error)
	Search(ctx context.Context, req fts.Request) (fts.Result, error)
}

// A Repositories resolves the names of repositories.
type Repositories interface {
	Match(ctx context.Context, filter string) ([]models.Repository, error)
}

// A LineReader reads lines of a file as it is now, 1-indexed and inclusive.
type LineReader interface {
	Lines(ctx context.Context, repo models.RepoID, path string, start, end int) (string, []models.Warning, error)
}

// A Service retrieves context.
type Service struct {
	planner Planner
	search  Searcher
	index   Index
	repos   Repositories
	lines   LineReader
}

// New returns a Service over these.
func New(p Planner, s Searcher, i Index, r Repositories, l LineReader) *Service {
	return &Service{p, s, i, r, l}
}

const (
	defaultLimit  = 10
	defaultTokens = 8000
	overFetch     = 20 // hits a level at least, and four times the items
)

// Retrieve finds the context that a plan asks for.
func (s *Service) Retrieve(ctx context.Context, req Request) (Response, error) {
	resp, err := s.planned(ctx, req)
	if err != nil {
		return Response{}, err
	}
	ctx, release, err := s.search.Hold(ctx, req.RepoFilter)
	if err != nil {
		return Response{}, fmt.Errorf("retrieve: %w", err)
	}
	defer release()
	r := &retrieval{
		Service: s, req: req, plan: resp.Plan, limit: models.Or(req.Limit, defaultLimit),
		tokens: models.Or(req.MaxTokens, defaultTokens),
	}
	if err := r.run(ctx, &resp); err != nil {
		return Response{}, fmt.Errorf("retrieve: %w", err)
	}
	return resp, nil
}

// planned is a response with the plan alone.
func (s *Service) planned(ctx context.Context, req Request) (Response, error) {
	resp := Response{Result: models.OKResult([]Item{})}
	switch {
	case req.Plan != nil && req.Query != "":
		return resp, fault.New(fault.InvalidRequest, "give a query or a plan, not both")
	case req.Plan != nil:
		resp.Plan = *req.Plan
		if resp.Plan.SemanticQuery == "" && len(resp.Plan.Filters) == 0 {
			return resp, fault.New(fault.InvalidRequest, "the plan is empty; give a semantic_query, filters or both")
		}
	case req.Query == "":
		return resp, fault.New(fault.InvalidRequest, "query is required: say what to look for, or give a plan")
	default:
		made, err := s.planner.Plan(ctx, plan.Request{Query: req.Query})
		if err != nil {
			return resp, err
		}
		resp.Plan, resp.Planner, resp.Meta.Warnings = made.Items[0], made.Planner, made.Meta.Warnings
	}
	if resp.Plan.Filters == nil {
		resp.Plan.Filters = []filter.Condition{}
	}
	if resp.Plan.ResponseFormat == "" {
		resp.Plan.ResponseFormat = plan.MetadataOnly
	}
	resp.ResponseFormat = resp.Plan.ResponseFormat
	return resp, nil
}

// A retrieval is the state of one request.
type retrieval struct {
	*Service

	req           Request
	plan          plan.Plan
	limit, tokens int

	asked   []filter.Condition // the filters as they were carried out
	levels  []models.Level
	hits    []hit
	kept    []*kept
	dropped []Dropped
}

// A hit is a document that was found, where the search put it.
type hit struct {
	models.Document

	level models.Level
	score float64
	weak  bool
}

func (r *retrieval) run(ctx context.Context, resp *Response) error {
	where, err := r.where(ctx)
	if err != nil {
		return err
	}
	if err := r.find(ctx, where, resp); err != nil {
		return err
	}
	r.dedupe()
	if err := r.pack(ctx, resp); err != nil {
		return err
	}
	r.say(resp)
	if r.req.Explain {
		resp.Explain = r.explain()
	}
	return nil
}

// where is the filter of the plan, nil for none. Repositories may be given by the
// last segments of their ids.
func (r *retrieval) where(ctx context.Context) (fts.Query, error) {
	p := r.plan
	p.Filters = slices.Clone(p.Filters)
	for i := range p.Filters {
		if err := r.resolve(ctx, &p.Filters[i]); err != nil {
			return nil, err
		}
	}
	r.asked = p.Filters
	where, err := p.Query()
	if err != nil || where == nil {
		return where, err
	}
	return wholeNotes(ctx, r.index, where, p.Filters)
}

// resolve puts ids in place of the names of repositories, and beside the name of a
// note that is linked to what else it is linked by.
func (r *retrieval) resolve(ctx context.Context, c *filter.Condition) error {
	c.Parts = slices.Clone(c.Parts)
	for i := range c.Parts {
		if err := r.resolve(ctx, &c.Parts[i]); err != nil {
			return err
		}
	}
	names := map[filter.Field]func(context.Context, string) ([]string, error){
		filter.RepoID: r.repositories,
		filter.Wikilinks: func(ctx context.Context, text string) ([]string, error) {
			return linkNames(ctx, r.index, text)
		},
	}[c.Field]
	several := map[filter.Operator]filter.Operator{
		filter.Eq: filter.In, filter.In: filter.In, filter.Contains: filter.In, filter.Ne: filter.Nin, filter.Nin: filter.Nin,
	}[c.Operator]
	if names == nil || several == "" || c.Field == filter.RepoID && c.Operator == filter.Contains {
		return nil
	}
	given, ok := c.Value.([]any)
	if !ok {
		given = []any{c.Value}
	}
	meant := []any{}
	for _, name := range given {
		text, ok := name.(string)
		if !ok || text == "" {
			return nil // the filter says what is wrong
		}
		found, err := names(ctx, text)
		if err != nil {
			return err
		}
		for _, one := range found {
			meant = append(meant, one)
		}
	}
	c.Operator, c.Value = several, meant
	return nil
}

// repositories are the ids that a name means.
func (r *retrieval) repositories(ctx context.Context, name string) ([]string, error) {
	found, err := r.repos.Match(ctx, name)
	ids := make([]string, len(found))
	for i, repo := range found {
		ids[i] = string(repo.RepoID)
	}
	return ids, err
}

// explain tells how the plan became items.
func (r *retrieval) explain() *Explanation {
	e := &Explanation{Levels: r.levels, Hits: []Hit{}, Dropped: append([]Dropped{}, r.dropped...)}
	if len(r.asked) > 0 {
		e.Filter = &filter.Condition{Operator: filter.And, Parts: r.asked}
	}
	for _, h := range r.hits {
		e.Hits = append(e.Hits, Hit{h.ID, h.level, h.FilePath, h.score, h.weak})
	}
	return e
}
