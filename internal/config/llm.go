package config

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/modelserver"
)

// LLM is how a language model is reached and asked; without a URL there is none.
type LLM struct {
	URL     string // of the API, without /chat/completions
	Model   string
	APIKey  Secret
	Timeout time.Duration // of one answer
	Tokens  int           // of one answer, in and out, all requests together
	Context int           // the model's window
	Price   [2]float64    // of a million tokens that it is sent, and writes; 0 if not told
}

func llmSettings() []Setting {
	return []Setting{
		{
			Env: "RAGNAV_LLM_URL", Values: "http://HOST[:PORT]/v1 or https://…",
			Usage: "API of the server whose language model answers questions: Ollama, LM Studio, llama.cpp, vLLM, OpenAI " +
				"(default: none, answers are extractive)",
			set: func(c *Config, v string) (err error) {
				if v != "" {
					c.LLM.URL, err = modelserver.Base(v)
				}
				return err
			},
		},
		{
			Env: "RAGNAV_LLM_MODEL", Values: "a model of that server that can call tools",
			Usage: "that answers", set: func(c *Config, v string) error { c.LLM.Model = v; return nil },
		},
		{
			Env: "RAGNAV_LLM_API_KEY", Values: "a key of that server",
			Usage: "sent as \"Authorization: Bearer KEY\"",
			set:   func(c *Config, v string) error { c.LLM.APIKey = Secret(v); return nil },
		},
		{
			Env: "RAGNAV_LLM_TIMEOUT", Default: "45s", Values: "100ms to 1h",
			Usage: "how long an answer may take before it is the extractive one",
			set:   duration(func(c *Config) *time.Duration { return &c.LLM.Timeout }),
		},
		{
			Env: "RAGNAV_LLM_TOKENS", Default: "40000", Values: "4000 to 1000000",
			Usage: "tokens of one answer, sent and received, all requests together",
			set:   llmNumber(func(l *LLM) *int { return &l.Tokens }),
		},
		{
			Env: "RAGNAV_LLM_PRICE", Values: "IN/OUT, such as 0.15/0.60",
			Usage: "what a million tokens cost that it is sent, and that it writes, for `ragnav index --summarise --dry-run` " +
				"to tell", set: setPrice,
		},
		{
			Env: "RAGNAV_LLM_CONTEXT", Default: "32768", Values: "4000 to 1000000",
			Usage: "the model's window in tokens, as its server has set it up",
			set:   llmNumber(func(l *LLM) *int { return &l.Context }),
		},
	}
}

func setPrice(c *Config, v string) error {
	if v == "" {
		return nil
	}
	in, out, ok := strings.Cut(v, "/")
	for i, part := range []string{in, out} {
		price, err := strconv.ParseFloat(part, 64)
		if !ok || err != nil || price < 0 || price > 1e6 {
			return errors.New("not two prices")
		}
		c.LLM.Price[i] = price
	}
	return nil
}

func llmNumber(field func(*LLM) *int) func(*Config, string) error {
	return func(c *Config, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 4000 || n > 1_000_000 {
			return errors.New("not a number in range")
		}
		*field(&c.LLM) = n
		return nil
	}
}

// checkLLM tells what is missing for a language model.
func checkLLM(llm LLM) error {
	if (llm.URL == "") == (llm.Model == "") {
		return nil
	}
	return errors.New("RAGNAV_LLM_URL and RAGNAV_LLM_MODEL: a language model needs both, such as " +
		"http://127.0.0.1:11434/v1 and qwen3:8b; without both, answers are extractive")
}
