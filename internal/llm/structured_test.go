package llm_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/llm/scripted"
)

// A model is told what is wrong with its JSON, three times at most.
func TestStructured(t *testing.T) {
	positive := func(text []byte) error {
		var v struct{ N int }
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
		if v.N < 1 {
			return errors.New("n must be positive")
		}
		return nil
	}
	for name, tc := range map[string]struct {
		says  []string
		want  string
		tells string // in the last request
	}{
		"at once":    {says: []string{`{"n":1}`}, want: `{"n":1}`},
		"in a fence": {says: []string{"Sure [as asked]:\n```json\n{\"n\":2}\n```"}, want: `{"n":2}`},
		"corrected":  {says: []string{`n: 1`, `{"n":0}`, `{"n":3}`}, want: `{"n":3}`, tells: "n must be positive"},
		"never":      {says: []string{`{"n":0}`, `{"n":0}`, `{"n":0}`, `{"n":1}`}, tells: "n must be positive"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted.Model{}
			for _, s := range tc.says {
				m.Turns = append(m.Turns, scripted.Says(s))
			}
			got, err := llm.Structured(t.Context(), m, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "n?"}}},
				positive)
			if string(got) != tc.want || tc.want == "" && fault.CodeOf(err) != fault.LLMUnavailable {
				t.Errorf("got %s, %v; want %s", got, err, tc.want)
			}
			asked := m.Asked()
			messages := asked[len(asked)-1].Messages
			if !strings.Contains(messages[len(messages)-1].Text, tc.tells) || len(asked) > 3 {
				t.Errorf("%d requests, the last one says %q", len(asked), messages[len(messages)-1].Text)
			}
		})
	}
}
