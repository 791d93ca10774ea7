package llm

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
)

// attempts is how often a model may try to write what fits.
const attempts = 3

// Structured is a reply that is JSON of the request's schema and that check
// finds nothing wrong with; what it does find is told to the model, which tries
// again. After three replies the error is LLM_UNAVAILABLE and wraps the last
// finding.
func Structured(ctx context.Context, m Model, req Request, check func(text []byte) error) ([]byte, error) {
	var wrong error
	for range attempts {
		reply, err := m.Chat(ctx, req, nil)
		if err != nil {
			return nil, err
		}
		text := object(reply.Text)
		if wrong = check(text); wrong == nil {
			return text, nil
		}
		req.Messages = append(slices.Clip(req.Messages),
			Message{Role: Assistant, Text: reply.Text},
			Message{Role: User, Text: "That is not right: " + wrong.Error() + ". Reply with the corrected JSON only."})
	}
	return nil, fault.Wrap(fault.LLMUnavailable, wrong,
		"the language model did not write what was asked for in %d attempts", attempts)
}

// object is the first JSON value in a text, without fences and prose around it;
// the text itself if there is none.
func object(text string) []byte {
	for i := range text {
		if text[i] != '{' && text[i] != '[' {
			continue
		}
		var v json.RawMessage
		if json.NewDecoder(strings.NewReader(text[i:])).Decode(&v) == nil {
			return v
		}
	}
	return []byte(text)
}
