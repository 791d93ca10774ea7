// Package plan turns a question into a query plan: what to look for, what must
// hold of it, and in which form the answer is wanted.
//
// Without a model, rules take from the text what they know for sure: the operators
// of the query language, tags, links, headings and dates in words. What is left is
// what to look for. With a model, the model plans, and the rules stand in when it
// can't.
package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// The forms of an answer.
const (
	MetadataOnly     = "metadata_only"     // pointers to what was found
	SelectiveContext = "selective_context" // its text
)

// A Plan says what to retrieve.
type Plan struct {
	// what to look for, in the query language; may be empty
	SemanticQuery  string             `json:"semantic_query" validate:"max=8000"`
	Filters        []filter.Condition `json:"filters" validate:"max=100"` // all must hold
	ResponseFormat string             `json:"response_format" validate:"omitempty,oneof=metadata_only selective_context"`
}

// A Request is a question.
type Request struct {
	Query string `json:"query" validate:"required,max=8000"`
}

// A Response has exactly one item.
type Response struct {
	models.Result[Plan]

	Query string `json:"query"`
	// Planner is what made the plan: "rules", or the name of a model.
	Planner string `json:"planner"`
}

// A Service plans queries.
type Service struct {
	now   func() time.Time
	model Model  // nil: rules
	name  string // of the model
}

// New returns a Service that plans by rules, for which now is the time.
func New(now func() time.Time) *Service { return &Service{now: now} }

// Plan makes the plan of a question. A mistake in the operators of the question is
// a fault.InvalidRequest.
func (s *Service) Plan(ctx context.Context, req Request) (Response, error) {
	if strings.TrimSpace(req.Query) == "" {
		return Response{}, fault.New(fault.InvalidRequest, "query is required: say what to look for")
	}
	p, planner, warnings, err := s.plan(ctx, req.Query)
	if err != nil {
		return Response{}, err
	}
	resp := Response{Result: models.OKResult([]Plan{p}), Query: req.Query, Planner: planner}
	resp.Meta.Warnings = warnings
	resp.Meta.FreshnessState = models.Fresh // nothing was looked up
	return resp, nil
}

func (s *Service) plan(ctx context.Context, text string) (Plan, string, []models.Warning, error) {
	if s.model != nil {
		return s.ask(ctx, text)
	}
	p, err := Rules(text, s.now())
	return p, byRules, append(doubts(p.SemanticQuery), oddKinds(p.Filters)...), err
}

var (
	fieldLike = pattern.NewLazy(`(?:^|[\s(-])([A-Za-z_]{3,}):[^\s:/]`)
	dateLike  = pattern.NewLazy(`(?:^|\s)(\d{1,2}/\d{1,2}/\d{4})(?:$|[\s.,?!)])`)

	fields = []string{
		"repo", "file", "path", "lang", "sym", "kind", "tag", "case", "created", "modified", "language", "symbol", "title",
		"heading", "level", "tags",
	}
)

// slip reports whether a word is a field, or one of five letters or more with a slip of the pen.
func slip(word, field string) bool {
	letters := func(s string) string {
		all := []byte(s)
		slices.Sort(all)
		return string(all)
	}
	return word == field || len(word) >= 5 &&
		(letters(word) == letters(field) || levenshtein.ComputeDistance(word, field) == 1)
}

// doubts says of what is looked for by its words what may have been meant as a
// condition.
func doubts(words string) (warnings []models.Warning) {
	warn := func(format string, args ...any) {
		warnings = append(warnings, models.Warning{Code: "PLAN_WORDS", Message: fmt.Sprintf(format, args...)})
	}
	for _, m := range fieldLike().FindAllStringSubmatch(words, -1) {
		name := strings.ToLower(m[1])
		if name == "repo" || name == "sym" { // searches take them
			continue
		}
		if slices.ContainsFunc(fields, func(field string) bool { return slip(name, field) }) {
			warn("%s: is no condition here, and was taken for words; those there are: repo: file: lang: sym: kind: tag: "+
				"case:, created: and modified: with a date", m[1])
		}
	}
	for _, m := range dateLike().FindAllStringSubmatch(words, -1) {
		warn("%s was taken for words: its day and month are not clear; write the date as 2006-01-31", m[1])
	}
	return warnings
}

// oddKinds says which kinds are almost a usual one.
func oddKinds(filters []filter.Condition) (warnings []models.Warning) {
	for _, c := range filters {
		warnings = append(warnings, oddKinds(c.Parts)...)
		kind, _ := c.Value.(string)
		if c.Field != filter.SymbolKind {
			continue
		}
		if near := filter.NearestKinds(kind); len(near) > 0 {
			warnings = append(warnings, models.Warning{
				Code: "PLAN_KIND",
				Message: fmt.Sprintf("kind:%s is no usual kind; %s %s", kind, models.TheNearest(len(near)),
					strings.Join(near, ", ")),
			})
		}
	}
	return warnings
}

const byRules = "rules"

// Query is the condition that all filters hold, nil if there are none. What is
// wrong with one is a fault.InvalidRequest.
func (p Plan) Query() (fts.Query, error) {
	if len(p.Filters) == 0 {
		return nil, nil
	}
	q, err := filter.Condition{Operator: filter.And, Parts: p.Filters}.Query()
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	return q, nil
}
