package app

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/ragnav/ragnav/internal/llm"
)

// Servers that can hold a model to a schema are asked to.
func TestSummariesHaveASchema(t *testing.T) {
	var asked struct {
		Format struct {
			Type   string `json:"type"`
			Schema struct {
				Schema struct {
					Required []string `json:"required"`
				} `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		_, _ = w.Write([]byte(`{"choices":[{"message":{"content":"{\"summary\":\"x\"}"}}]}`))
	}))
	defer s.Close()
	text, _, err := teller{llm.New(llm.Settings{URL: s.URL, Model: "m"})}.Summarise(t.Context(), "say", 100)
	if err != nil || text != `{"summary":"x"}` {
		t.Fatalf("%q, %v", text, err)
	}
	if f := asked.Format; f.Type != "json_schema" || len(f.Schema.Schema.Required) != 1 {
		t.Errorf("asked for %+v", f)
	}
}
