package web

import (
	"encoding/json"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
)

func TestSteps(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"query":"a \"b\"","level":"symbol","limit":3}`:   `f a "b" · symbol · 3`,
		`{"repo_id":"o/a","spans":[{"file_path":"x.go"}]}`: `f o/a · [{"file_path":"x.go"}]`,
		`{}`:            `f`,
		`[1]`:           `f [1]`,
		`{"query":"a" `: `f a`,
	} {
		if got := called(ask.ToolCall{Name: "f", Arguments: json.RawMessage(arguments)}); got != want {
			t.Errorf("%s is told as %q, want %q", arguments, got, want)
		}
	}
	for head, want := range map[string]string{
		`OK RAG_GRAPH FRESH · 5 of 6 hits · next: search_code {"cursor":"x"}`: "→ 5 of 6 hits",
		"OK RAG_GRAPH STALE · 1 hit":                                          "→ OK RAG_GRAPH STALE · 1 hit",
		"ERROR PATH_NOT_FOUND: no x.go":                                       "→ ERROR PATH_NOT_FOUND: no x.go",
	} {
		if got := gave(ask.ToolResult{Head: head}); got != want {
			t.Errorf("%q is told as %q, want %q", head, got, want)
		}
	}
}
