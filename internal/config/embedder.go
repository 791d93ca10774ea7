package config

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/modelserver"
)

// EmbedderOpenAI is the Embedder that asks a server.
const EmbedderOpenAI = "openai"

// Embedding is how a server that makes vectors is reached and asked, of an
// embedder "openai".
type Embedding struct {
	URL            string // of the API, without /embeddings
	Model          string
	APIKey         Secret
	Dims           int     // components of a vector; 0 for what the model makes
	QueryPrefix    *string // before a text that asks; nil for the model's own
	DocumentPrefix *string // before a text that may be found, likewise
	// the server is told which of both a text is, and puts the prefix itself; nil for the model's way
	InputType   *bool
	MaxTokens   int // of one text, longer ones are cut into several; 0 for the model's
	Batch       int // texts in a request, at most
	Concurrency int // requests at once, at most
	Timeout     time.Duration
}

// noPrefix is how a setting says that nothing stands before a text.
const noPrefix = "none"

func embeddingSettings() []Setting {
	return []Setting{
		{
			Flag: "embedder", Env: "RAGNAV_EMBEDDER", Default: "builtin", Values: "builtin, openai",
			Usage: "what turns text into vectors: the built-in table, or a server with OpenAI's API (RAGNAV_EMBED_URL, " +
				"RAGNAV_EMBED_MODEL)",
			set: oneOf(func(c *Config) *string { return &c.Embedder }, "builtin", EmbedderOpenAI),
		},
		{
			Env: "RAGNAV_EMBED_URL", Values: "http://HOST[:PORT]/v1 or https://…",
			Usage: "API of the server that makes vectors: Ollama, LM Studio, llama.cpp, vLLM, TEI, OpenAI",
			set:   setEmbedURL,
		},
		{
			Env: "RAGNAV_EMBED_MODEL", Values: "a model of that server",
			Usage: "that makes the vectors", set: func(c *Config, v string) error { c.Embedding.Model = v; return nil },
		},
		{
			Env: "RAGNAV_EMBED_API_KEY", Values: "a key of that server",
			Usage: "sent as \"Authorization: Bearer KEY\"",
			set:   func(c *Config, v string) error { c.Embedding.APIKey = Secret(v); return nil },
		},
	}
}

// embeddingDetails are the settings that follow from the model, unless they are set.
func embeddingDetails() []Setting {
	return []Setting{
		{
			Env: "RAGNAV_EMBED_DIMS", Values: "1 to 4096",
			Usage: "components of a vector (default: what the model makes)",
			set:   embedNumber(func(e *Embedding) *int { return &e.Dims }, 1, 4096),
		},
		{
			Env: "RAGNAV_EMBED_QUERY_PREFIX", Values: `text, \n for a line's end, none`,
			Usage: "stands before a query (default: what the model was trained with)",
			set:   prefix(func(e *Embedding) **string { return &e.QueryPrefix }),
		},
		{
			Env: "RAGNAV_EMBED_DOCUMENT_PREFIX", Values: `text, \n for a line's end, none`,
			Usage: "stands before a text to be found (default: what the model was trained with)",
			set:   prefix(func(e *Embedding) **string { return &e.DocumentPrefix }),
		},
		{
			Env: "RAGNAV_EMBED_INPUT_TYPE", Values: "true, false",
			Usage: "send input_type, query or document, in place of prefixes (default: by the model)",
			set: func(c *Config, v string) error {
				if v == "" {
					return nil
				}
				on, err := parseSwitch(v)
				c.Embedding.InputType = &on
				return err
			},
		},
		{
			Env: "RAGNAV_EMBED_MAX_TOKENS", Values: "64 to 65536",
			Usage: "of one text; longer ones are cut and their vectors averaged (default: the model's)",
			set:   embedNumber(func(e *Embedding) *int { return &e.MaxTokens }, 64, 1<<16),
		},
		{
			Env: "RAGNAV_EMBED_BATCH", Default: "32", Values: "1 to 2048",
			Usage: "texts in one request", set: embedNumber(func(e *Embedding) *int { return &e.Batch }, 1, 2048),
		},
		{
			Env: "RAGNAV_EMBED_CONCURRENCY", Default: "4", Values: "1 to 64",
			Usage: "requests at the same time", set: embedNumber(func(e *Embedding) *int { return &e.Concurrency }, 1, 64),
		},
		{
			Env: "RAGNAV_EMBED_TIMEOUT", Default: "2m", Values: "100ms to 1h",
			Usage: "how long to wait for one request of an index run; a query waits 3s",
			set:   duration(func(c *Config) *time.Duration { return &c.Embedding.Timeout }),
		},
	}
}

func embedNumber(field func(*Embedding) *int, low, high int) func(*Config, string) error {
	return func(c *Config, v string) error {
		if v == "" {
			return nil
		}
		n, err := strconv.Atoi(v)
		if err != nil || n < low || n > high {
			return errors.New("not a number in range")
		}
		*field(&c.Embedding) = n
		return nil
	}
}

func setEmbedURL(c *Config, v string) (err error) {
	if v != "" {
		c.Embedding.URL, err = modelserver.Base(v)
	}
	return err
}

func prefix(field func(*Embedding) **string) func(*Config, string) error {
	return func(c *Config, v string) error {
		switch v {
		case "":
			return nil
		case noPrefix:
			v = ""
		}
		*field(&c.Embedding) = new(strings.ReplaceAll(v, `\n`, "\n"))
		return nil
	}
}

// checkEmbedder tells what is missing for an embedder that is a server.
func checkEmbedder(embedder string, embedding Embedding) error {
	if embedder != EmbedderOpenAI || embedding.URL != "" && embedding.Model != "" {
		return nil
	}
	return errors.New("--embedder (RAGNAV_EMBEDDER): openai needs RAGNAV_EMBED_URL and RAGNAV_EMBED_MODEL, in the " +
		"environment or the --config file, " +
		"such as http://127.0.0.1:11434/v1 and nomic-embed-text")
}
