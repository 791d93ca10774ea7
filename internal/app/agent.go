package app

import (
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/rag/agent"
)

// newModel is the language model of the settings, nil if they name none.
func newModel(c config.LLM) llm.Model {
	if c.URL == "" {
		return nil
	}
	return llm.New(llm.Settings{URL: c.URL, Model: c.Model, Key: string(c.APIKey)})
}

// newAgent is what answers questions by the operations of a.
func newAgent(a *App) *agent.Service {
	c := a.cfg.LLM
	return agent.New(agent.Options{
		Extract: consistent(a, a.ask.Ask), Ops: &a.Table, Model: newModel(c),
		Limits: agent.Limits{Time: c.Timeout, Tokens: c.Tokens, Context: c.Context},
	})
}
