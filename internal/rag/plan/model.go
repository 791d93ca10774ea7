package plan

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Model completes a prompt with JSON of a schema that check finds nothing wrong
// with. What check finds is told to the model, which tries again, up to three times
// in all; then the error wraps the last finding.
type Model interface {
	Complete(ctx context.Context, prompt string, schema json.RawMessage, check func(reply []byte) error) ([]byte, error)
}

// By has a model of that name make the plans.
func (s *Service) By(m Model, name string) { s.model, s.name = m, name }

// patience is how long a model may take for a plan.
const patience = 30 * time.Second

//go:embed prompt.tmpl
var promptText string

var prompt = template.Must(template.New("prompt").Funcs(template.FuncMap{"json": inJSON}).Parse(promptText))

func inJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

// ask has the model plan. One that is not there is replaced by the rules, one that
// makes no valid plan by a plan of meaning only; both with a warning.
func (s *Service) ask(ctx context.Context, text string) (Plan, string, []models.Warning, error) {
	var b strings.Builder
	if err := prompt.Execute(&b, promptOf(text, s.now())); err != nil {
		return Plan{}, "", nil, fmt.Errorf("write the prompt of the planner: %w", err)
	}
	var p Plan
	var wrong error
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := s.model.Complete(within, b.String(), schema(), func(reply []byte) error {
		p, wrong = decode(reply)
		return wrong
	})
	switch {
	case err == nil:
		return p, s.name, nil, nil
	case ctx.Err() != nil:
		return Plan{}, "", nil, ctx.Err()
	case wrong == nil || !errors.Is(err, wrong):
		p, ruled := Rules(text, s.now())
		return p, byRules, []models.Warning{{
			Code:    string(fault.LLMUnavailable),
			Message: "planned by rules: " + fault.MessageOf(err),
		}}, ruled
	}
	p = Plan{SemanticQuery: text, Filters: []filter.Condition{}, ResponseFormat: MetadataOnly}
	return p, s.name, []models.Warning{{Code: "PLAN_DEFAULT", Message: fmt.Sprintf(
		"the model made no valid plan (%s); searched by meaning only, without filters", fault.MessageOf(wrong))}}, nil
}

type promptData struct {
	Query, Today string
	Operators    []filter.Operator
}

func promptOf(text string, today time.Time) promptData {
	return promptData{text, today.Format("Monday, 2006-01-02"), filter.Operators()}
}

// decode reads the plan of a model and checks all of it.
func decode(reply []byte) (Plan, error) {
	var p Plan
	d := json.NewDecoder(bytes.NewReader(reply))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		if f, ok := errors.AsType[*fault.Error](err); ok {
			return p, f
		}
		return p, fault.Wrap(fault.InvalidRequest, err,
			"it is not one JSON object with semantic_query, filters and response_format: %v", err)
	}
	if !slices.Contains([]string{MetadataOnly, SelectiveContext}, p.ResponseFormat) {
		return p, fault.New(fault.InvalidRequest, "response_format is %q; it is %s or %s", p.ResponseFormat, MetadataOnly,
			SelectiveContext)
	}
	if p.Filters == nil {
		p.Filters = []filter.Condition{}
	}
	if len(p.SemanticQuery) > maxQuery {
		return p, fault.New(fault.InvalidRequest, "semantic_query is longer than %d bytes", maxQuery)
	}
	if strings.TrimSpace(p.SemanticQuery) == "" && len(p.Filters) == 0 {
		return p, fault.New(fault.InvalidRequest, "there is neither a semantic_query nor a filter")
	}
	if _, err := query.Parse(p.SemanticQuery); err != nil {
		return p, fault.New(fault.InvalidRequest, "semantic_query: %s", fault.MessageOf(err))
	}
	_, err := p.Query()
	return p, err
}

const maxQuery = 2000
