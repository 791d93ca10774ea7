package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tmaxmax/go-sse"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/modelserver"
)

const (
	maxReply = 8 << 20 // bytes of a reply on the wire
	maxText  = 1 << 16 // bytes of its text; a model that never stops is cut there
	maxCalls = 64      // in one reply; what is behind them is left out
)

// A completion is a reply, or a part of one.
type completion struct {
	Choices []struct {
		Delta   wireDelta `json:"delta"`
		Message wireDelta `json:"message"`
		Finish  string    `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type wireDelta struct {
	Content wireText `json:"content"`
	Calls   []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// A wireText is a text, or the texts in a list of parts; what the model thinks is
// in parts of another type.
type wireText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *wireText) UnmarshalJSON(data []byte) error {
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(data, &parts) != nil {
		return json.Unmarshal(data, (*string)(t))
	}
	for _, p := range parts {
		if p.Type == "text" {
			*t += wireText(p.Text)
		}
	}
	return nil
}

// A builder puts a reply together.
type builder struct {
	key    string // of the server, which is not to be shown
	text   gate
	calls  []Call
	at     map[int]int // index on the wire → place in calls
	usage  Usage
	finish string
}

// stream reads events until the reply's end.
func (b *builder) stream(in io.Reader) error {
	for event, err := range sse.Read(in, &sse.ReadConfig{MaxEventSize: maxReply}) {
		if err != nil {
			return broken(err)
		}
		if event.Data == "[DONE]" {
			return nil
		}
		if err := b.add([]byte(event.Data)); err != nil {
			return err
		}
		if b.text.raw.Len() > maxText {
			b.finish = "length"
			return nil
		}
	}
	if b.finish == "" {
		return broken(io.ErrUnexpectedEOF)
	}
	return nil
}

// whole reads a reply that is no stream.
func (b *builder) whole(in io.Reader) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return broken(err)
	}
	if err := b.add(text); err != nil {
		return err
	}
	if b.finish == "" && b.text.empty() && len(b.calls) == 0 {
		return broken(errors.New("it has neither text nor calls"))
	}
	return nil
}

func (b *builder) add(data []byte) error {
	var c completion
	if err := json.Unmarshal(data, &c); err != nil {
		return broken(fmt.Errorf("what came is no JSON of a completion: %w", err))
	}
	if len(c.Error) > 0 && !bytes.Equal(c.Error, []byte("null")) {
		says := modelserver.Message(data, b.key)
		return fault.Wrap(fault.LLMUnavailable, &brokenError{errors.New(says)}, "the language model failed in the middle: %s",
			says)
	}
	if c.Usage != nil {
		b.usage = Usage{Prompt: c.Usage.Prompt, Completion: c.Usage.Completion}
	}
	if len(c.Choices) == 0 {
		return nil
	}
	choice := c.Choices[0]
	for _, d := range []wireDelta{choice.Delta, choice.Message} {
		b.text.write(string(d.Content))
		b.addCalls(d)
	}
	if choice.Finish != "" {
		b.finish = choice.Finish
	}
	return nil
}

// addCalls adds calls, or parts of them. A part belongs to the call of its
// index; another id is another call, also under an index that was there before,
// as some servers number them all 0. Without an index, a part without a name
// belongs to the last call.
func (b *builder) addCalls(d wireDelta) {
	for _, part := range d.Calls {
		last := len(b.calls) - 1
		at, known := last, last >= 0 && part.Function.Name == ""
		if part.Index != nil {
			at, known = b.at[*part.Index], b.has(*part.Index)
		}
		if known && part.ID != "" && b.calls[at].ID != "" && part.ID != b.calls[at].ID {
			known = false
		}
		if !known {
			if len(b.calls) == maxCalls {
				continue
			}
			b.calls = append(b.calls, Call{})
			at = len(b.calls) - 1
			if part.Index != nil {
				if b.at == nil {
					b.at = map[int]int{}
				}
				b.at[*part.Index] = at
			}
		}
		c := &b.calls[at]
		if part.ID != "" {
			c.ID = part.ID
		}
		if c.Name != part.Function.Name { // some repeat it in each part
			c.Name += part.Function.Name
		}
		c.Arguments += argumentsOf(part.Function.Arguments)
	}
}

func (b *builder) has(index int) bool { _, ok := b.at[index]; return ok }

// meant is the arguments of a call as they were meant: none are an empty object;
// some servers send such a one, or all of them, before they send them in parts; some
// models write the object in a string. What is anything else stays.
func meant(arguments string) string {
	if strings.TrimSpace(arguments) == "" {
		return "{}"
	}
	last := json.RawMessage("{}")
	for dec := json.NewDecoder(strings.NewReader(arguments)); dec.More(); {
		var next json.RawMessage
		if dec.Decode(&next) != nil || string(last) != "{}" && !bytes.Equal(last, next) {
			return arguments
		}
		last = next
	}
	var text string
	if json.Unmarshal(last, &text) == nil && json.Valid([]byte(text)) {
		return text
	}
	return string(last)
}

// argumentsOf is the text of arguments, which are a string, or from some servers
// the object itself.
func argumentsOf(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) || json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// reply is what has come. Calls that were written as text are calls; every call
// has an id.
func (b *builder) reply() Reply {
	text, calls := b.text.end(len(b.calls) > 0, b.finish == "length")
	calls = append(b.calls, calls...)
	seen := map[string]bool{}
	for i := range calls {
		c := &calls[i]
		if c.ID == "" || seen[c.ID] {
			c.ID = fmt.Sprintf("call_%d", i+1)
		}
		seen[c.ID] = true
		c.Arguments = meant(c.Arguments)
	}
	return Reply{Text: strings.TrimSpace(text), Calls: calls, Cut: b.finish == "length", Usage: b.usage}
}
