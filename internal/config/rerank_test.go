package config_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/config"
)

func TestRerank(t *testing.T) {
	c, err := config.Resolve(nil, env(t.TempDir(), map[string]string{
		"RAGNAV_RERANK_URL": "http://127.0.0.1:8080/rerank", "RAGNAV_RERANK_MODEL": "bge-reranker-v2-m3",
		"RAGNAV_RERANK_API_KEY": "sk-very-secret", "RAGNAV_RERANK_TOP": "50",
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := config.Rerank{
		URL: "http://127.0.0.1:8080/v1", Model: "bge-reranker-v2-m3", APIKey: "sk-very-secret", Top: 50, Characters: 1000,
		Timeout: 3 * time.Second,
	}
	if diff := cmp.Diff(want, c.Rerank); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := fmt.Sprintf("%v %+v", c, c.Rerank); strings.Contains(text, "very-secret") {
		t.Errorf("the key is printed: %s", text)
	}
	for name, value := range map[string]string{
		"RAGNAV_RERANK_URL": "localhost:8080", "RAGNAV_RERANK_TOP": "101", "RAGNAV_RERANK_CHARS": "99",
		"RAGNAV_RERANK_TIMEOUT": "never",
	} {
		_, err := config.Resolve(nil, env(t.TempDir(), map[string]string{name: value}))
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}
