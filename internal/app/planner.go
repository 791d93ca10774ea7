package app

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/rag/plan"
)

// newPlanner plans by the model of the settings, or by rules if they name none.
func newPlanner(c config.LLM) *plan.Service {
	p := plan.New(time.Now)
	if model := newModel(c); model != nil {
		p.By(completer{model}, model.Name())
	}
	return p
}

// A completer is a model that completes prompts.
type completer struct{ model llm.Model }

// Complete implements plan.Model.
func (c completer) Complete(ctx context.Context, prompt string, schema json.RawMessage,
	check func([]byte) error,
) ([]byte, error) {
	req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: prompt}}, Schema: schema}
	return llm.Structured(ctx, c.model, req, check)
}
