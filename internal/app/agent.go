package app

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/rag/agent"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// newModel is the language model of the settings, nil if they name none.
func newModel(c config.LLM) llm.Model {
	if c.URL == "" {
		return nil
	}
	return llm.New(llm.Settings{URL: c.URL, Model: c.Model, Key: string(c.APIKey)})
}

// modelLimit is for how long a language model may think about nothing.
const modelLimit = 20 * time.Second

// checkModel has the language model say something.
func checkModel(ctx context.Context, cfg config.Config) models.Check {
	const name = "language_model"
	m := newModel(cfg.LLM)
	if m == nil {
		return models.Passed(name, "none: answers are extractive; RAGNAV_LLM_URL and RAGNAV_LLM_MODEL name one")
	}
	ctx, cancel := context.WithTimeout(ctx, modelLimit)
	defer cancel()
	_, err := m.Chat(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Say OK."}}, MaxTokens: 16}, nil)
	if err != nil {
		return models.Degraded(name, "answers are extractive: %s", reason(err))
	}
	return models.Passed(name, "%s at %s", m.Name(), cfg.LLM.URL)
}

// newAgent is what answers questions by the operations of a.
func newAgent(a *App) *agent.Service {
	c := a.cfg.LLM
	return agent.New(agent.Options{
		Extract: consistent(a, a.ask.Ask), Ops: &a.Table, Model: newModel(c),
		Limits: agent.Limits{Time: c.Timeout, Tokens: c.Tokens, Context: c.Context},
	})
}

// summaryLimit is for how long a language model may write one summary.
const summaryLimit = 2 * time.Minute

// A teller has a language model write summaries.
type teller struct{ model llm.Model }

// Summarise implements index.Summariser.
func (t teller) Summarise(ctx context.Context, prompt string, limit int) (string, int, error) {
	ctx, cancel := context.WithTimeout(ctx, summaryLimit)
	defer cancel()
	reply, err := t.model.Chat(ctx, llm.Request{
		Messages: []llm.Message{{Role: llm.User, Text: prompt}}, Schema: json.RawMessage(records.SummarySchema),
		MaxTokens: limit,
	}, nil)
	return reply.Text, reply.Usage.Prompt + reply.Usage.Completion, err
}
