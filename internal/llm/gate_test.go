package llm_test

import (
	"io"
	"net/http"
	"testing"
)

// Marks that an answer is about are no thoughts, also after a reply that began in one.
func TestMarksThatAreShown(t *testing.T) {
	fenced := "Thoughts are dropped:\n```\n</think>\n```\nAll before goes.\n```\n<think>x</think>\n```"
	for _, tc := range []struct{ name, before, text, want string }{
		{"in code", "", fenced, fenced},
		{"in a line, after a thought", "Hm.\n</think>\nOne.", "The mark `</think>` ends it.", "The mark `</think>` ends it."},
		{"in code, after a thought", "Hm.\n</think>\nOne.", fenced, fenced},
		{"a thought after a thought", "Hm.\n</think>\nOne.", "Hm, so.\n</think>\nTwo.", "Two."},
	} {
		text := tc.before
		c := client(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, events(delta(text), stop))
		})
		if tc.before != "" {
			if _, err := c.Chat(t.Context(), question, nil); err != nil {
				t.Fatal(err)
			}
		}
		text = tc.text
		reply, err := c.Chat(t.Context(), question, nil)
		if err != nil || reply.Text != tc.want {
			t.Errorf("%s: %q, %v, want %q", tc.name, reply.Text, err, tc.want)
		}
	}
}
