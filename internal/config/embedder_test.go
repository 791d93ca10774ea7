package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/config"
)

func TestEmbedding(t *testing.T) {
	c, err := config.Resolve(nil, env(t.TempDir(), map[string]string{
		"RAGNAV_EMBEDDER": "openai", "RAGNAV_EMBED_URL": "http://127.0.0.1:11434/v1/embeddings/",
		"RAGNAV_EMBED_MODEL":   "qwen3-embedding",
		"RAGNAV_EMBED_API_KEY": "sk-very-secret", "RAGNAV_EMBED_DIMS": "512",
		"RAGNAV_EMBED_QUERY_PREFIX":    `Instruct: find\nQuery: `,
		"RAGNAV_EMBED_DOCUMENT_PREFIX": "none", "RAGNAV_EMBED_INPUT_TYPE": "false", "RAGNAV_EMBED_MAX_TOKENS": "512",
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := config.Embedding{
		URL: "http://127.0.0.1:11434/v1", Model: "qwen3-embedding", APIKey: "sk-very-secret", Dims: 512,
		QueryPrefix: new("Instruct: find\nQuery: "), DocumentPrefix: new(""), InputType: new(false),
		MaxTokens: 512, Batch: 32, Concurrency: 4, Timeout: 2 * time.Minute,
	}
	if diff := cmp.Diff(want, c.Embedding); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEmbeddingProblems(t *testing.T) {
	for name, tc := range map[string]struct {
		env  map[string]string
		want string
	}{
		"no model": {
			map[string]string{"RAGNAV_EMBED_URL": "http://h/v1"},
			"needs RAGNAV_EMBED_URL and RAGNAV_EMBED_MODEL",
		},
		"no address": {map[string]string{"RAGNAV_EMBED_URL": "localhost:11434"}, "not the URL of a server"},
		"key in the address": {
			map[string]string{"RAGNAV_EMBED_URL": "https://me:s3cret@h/v1"},
			"credentials don't belong in the URL",
		},
		"no dims":          {map[string]string{"RAGNAV_EMBED_DIMS": "0"}, "RAGNAV_EMBED_DIMS: not a number in range"},
		"too many dims":    {map[string]string{"RAGNAV_EMBED_DIMS": "5000"}, "allowed: 1 to 4096"},
		"batch of nothing": {map[string]string{"RAGNAV_EMBED_BATCH": "0"}, "RAGNAV_EMBED_BATCH"},
		"input type":       {map[string]string{"RAGNAV_EMBED_INPUT_TYPE": "query"}, "RAGNAV_EMBED_INPUT_TYPE"},
	} {
		t.Run(name, func(t *testing.T) {
			tc.env["RAGNAV_EMBEDDER"] = "openai"
			_, err := config.Resolve(nil, env(t.TempDir(), tc.env))
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%v, want %q and no secret", err, tc.want)
			}
		})
	}
}
