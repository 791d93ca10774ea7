package config

import (
	"errors"
	"strconv"
	"time"

	"github.com/ragnav/ragnav/internal/modelserver"
)

// Rerank is how a server that orders results is reached and asked; without a URL
// there is none.
type Rerank struct {
	URL        string // of the API, without /rerank
	Model      string
	APIKey     Secret
	Top        int // results that are put in order
	Characters int // of each that it is shown
	Timeout    time.Duration
}

func rerankSettings() []Setting {
	return []Setting{
		{
			Env: "RAGNAV_RERANK_URL", Values: "http://HOST[:PORT]/v1 or https://…",
			Usage: "API of a server that orders the first results of questions: TEI, vLLM, llama.cpp, Infinity, LocalAI, " +
				"Jina, Cohere (default: none)",
			set: func(c *Config, v string) (err error) {
				if v != "" {
					c.Rerank.URL, err = modelserver.Base(v)
				}
				return err
			},
		},
		{
			Env: "RAGNAV_RERANK_MODEL", Values: "a model of that server",
			Usage: "that orders, where the server has several",
			set:   func(c *Config, v string) error { c.Rerank.Model = v; return nil },
		},
		{
			Env: "RAGNAV_RERANK_API_KEY", Values: "a key of that server",
			Usage: "sent as \"Authorization: Bearer KEY\"",
			set:   func(c *Config, v string) error { c.Rerank.APIKey = Secret(v); return nil },
		},
		{
			Env: "RAGNAV_RERANK_TOP", Default: "30", Values: "2 to 100",
			Usage: "results that it orders", set: rerankNumber(func(r *Rerank) *int { return &r.Top }, 2, 100),
		},
		{
			Env: "RAGNAV_RERANK_CHARS", Default: "1000", Values: "100 to 32000",
			Usage: "characters of each that it is shown",
			set:   rerankNumber(func(r *Rerank) *int { return &r.Characters }, 100, 32000),
		},
		{
			Env: "RAGNAV_RERANK_TIMEOUT", Default: "3s", Values: "100ms to 1h",
			Usage: "how long a search waits for it",
			set:   duration(func(c *Config) *time.Duration { return &c.Rerank.Timeout }),
		},
	}
}

func rerankNumber(field func(*Rerank) *int, low, high int) func(*Config, string) error {
	return func(c *Config, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < low || n > high {
			return errors.New("not a number in range")
		}
		*field(&c.Rerank) = n
		return nil
	}
}
