package llm

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/modelserver"
)

// lacks are the parts of the protocol that a server refused.
type lacks map[part]bool

// A part of the protocol that not every server takes.
type part string

const (
	streamOptions part = "stream_options"
	temperature   part = "temperature"
	maxTokens     part = "max_tokens" // newer models of OpenAI want max_completion_tokens
	jsonSchema    part = "json_schema"
	jsonObject    part = "json_object"
	tools         part = "tools"
)

// signs are what a refusal speaks of, and the parts that may be meant; the first
// of them that was sent and is not lacking yet is left out next time.
var signs = []struct {
	word  string
	parts []part
}{
	{"stream_options", []part{streamOptions}},
	{"max_completion_tokens", []part{maxTokens}},
	{"max_tokens", []part{maxTokens}},
	{"temperature", []part{temperature}},
	{"schema", []part{jsonSchema}},
	{"response_format", []part{jsonSchema, jsonObject}},
	{"json", []part{jsonSchema, jsonObject}},
	{"tool", []part{tools}},
}

func (c *Client) lacks() lacks {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.lacking)
}

// learn reports whether an error is the refusal of a part that the request can
// do without.
func (c *Client) learn(err error, req Request, lacking lacks) bool {
	f, ok := errors.AsType[*modelserver.Failure](err)
	if !ok || f.Status != http.StatusBadRequest && f.Status != http.StatusUnprocessableEntity &&
		f.Status != http.StatusNotImplemented {
		return false
	}
	message := strings.ToLower(f.Message)
	for _, s := range signs {
		if !strings.Contains(message, s.word) {
			continue
		}
		for _, p := range s.parts {
			if !lacking[p] && req.has(p) {
				c.mu.Lock()
				c.lacking[p] = true
				c.mu.Unlock()
				return true
			}
		}
	}
	return false
}

// has reports whether a request makes use of a part.
func (r Request) has(p part) bool {
	switch p {
	case tools:
		return len(r.Tools) > 0
	case jsonSchema, jsonObject:
		return r.Schema != nil
	case maxTokens:
		return r.MaxTokens > 0
	}
	return true
}

// body is a request in OpenAI's form, without what is lacking.
func body(model string, req Request, lacking lacks) map[string]any {
	b := map[string]any{"model": model, "stream": true}
	if !lacking[streamOptions] {
		b["stream_options"] = map[string]any{"include_usage": true}
	}
	if !lacking[temperature] {
		b["temperature"] = 0
	}
	if req.MaxTokens > 0 {
		name := "max_tokens"
		if lacking[maxTokens] {
			name = "max_completion_tokens"
		}
		b[name] = req.MaxTokens
	}
	switch {
	case req.Schema == nil:
	case !lacking[jsonSchema]:
		b["response_format"] = map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": "reply", "strict": false, "schema": req.Schema},
		}
	case !lacking[jsonObject]:
		b["response_format"] = map[string]any{"type": "json_object"}
	}
	messages := req.Messages
	if lacking[tools] {
		messages = told(req)
	} else if len(req.Tools) > 0 {
		b["tools"] = toolsOf(req.Tools)
		if req.Answer {
			b["tool_choice"] = "none"
		}
	}
	if req.Schema != nil && lacking[jsonSchema] {
		messages = append(slices.Clip(messages),
			Message{Role: User, Text: "Reply with JSON of this schema only:\n" + string(req.Schema)})
	}
	b["messages"] = messagesOf(messages)
	return b
}

type wireTool struct {
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters"`
}

func toolsOf(tools []Tool) []wireTool {
	out := make([]wireTool, len(tools))
	for i, t := range tools {
		out[i] = wireTool{"function", wireFunction{t.Name, t.About, t.Parameters}}
	}
	return out
}

type wireMessage struct {
	Role    Role       `json:"role"`
	Content string     `json:"content"`
	Calls   []wireCall `json:"tool_calls,omitempty"`
	CallID  string     `json:"tool_call_id,omitempty"`
}

type wireCall struct {
	ID       string        `json:"id"`
	Type     string        `json:"type"`
	Function wireArguments `json:"function"`
}

type wireArguments struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func messagesOf(messages []Message) []wireMessage {
	out := make([]wireMessage, len(messages))
	for i, m := range messages {
		out[i] = wireMessage{Role: m.Role, Content: m.Text, CallID: m.CallID}
		for _, c := range m.Calls {
			args := c.Arguments
			if !json.Valid([]byte(args)) { // servers refuse the whole conversation for it
				args = "{}"
			}
			out[i].Calls = append(out[i].Calls, wireCall{c.ID, "function", wireArguments{c.Name, args}})
		}
	}
	return out
}

// told is the conversation of a request for a server without tools: they are
// described in a message, and calls and results are texts. Replies that are
// calls are found by rescue.
func told(req Request) []Message {
	var out []Message
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			m.Text += "\n" + `{"name": "` + c.Name + `", "arguments": ` + c.Arguments + "}"
		}
		if m.Role == ToolRole {
			m.Role, m.Text = User, "Result of the call:\n"+m.Text
		}
		out = append(out, Message{Role: m.Role, Text: m.Text})
	}
	if len(req.Tools) == 0 || req.Answer {
		return out
	}
	list, _ := json.Marshal(toolsOf(req.Tools)) // see Size
	rules := `To call a tool, reply with {"name": "TOOL", "arguments": {…}} only. The tools:` + "\n" + string(list)
	if len(out) > 0 && out[0].Role == System { // templates of models want one at most, and it first
		out[0].Text += "\n\n" + rules
		return out
	}
	return append([]Message{{Role: System, Text: rules}}, out...)
}
