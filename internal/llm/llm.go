// Package llm talks to language models. Client speaks the chat completions of
// OpenAI's API, as Ollama, LM Studio, llama.cpp, vLLM and OpenAI serve them;
// package scripted is a model for tests.
package llm

import (
	"context"
	"encoding/json"
)

// ThoughtEnd is a line of the text that is handed on which says that all before it
// was a thought, and no part of the reply: there was nothing to tell it by.
const ThoughtEnd = "</think>"

// A Model continues conversations. Its methods may be called concurrently.
type Model interface {
	// Name is what its server calls the model.
	Name() string
	// Chat returns the next message of the assistant. Text is handed to text as it
	// arrives, if that is not nil. Errors are *fault.Error or those of ctx; the
	// reply then is what had come before.
	Chat(ctx context.Context, req Request, text func(string)) (Reply, error)
}

// A Request is a conversation to be continued.
type Request struct {
	Messages []Message
	Tools    []Tool // that the reply may call
	// Answer keeps the tools, which the conversation speaks of, from being called.
	Answer bool
	// Schema is the JSON Schema of the reply's text; nil for prose. Not every
	// server holds a model to it: see Structured.
	Schema    json.RawMessage
	MaxTokens int // of the reply; 0 for the server's own limit
}

// A Role is who says a message.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// A Message is one turn.
type Message struct {
	Role   Role
	Text   string
	Calls  []Call // of the assistant
	CallID string // of a tool: the call that this is the result of
}

// A Tool is a function that a model may call.
type Tool struct {
	Name       string
	About      string
	Parameters map[string]any // a JSON Schema of an object
}

// A Call is one call of a tool. Arguments are as the model wrote them: usually,
// but not always, a JSON object that fits the tool's schema.
type Call struct {
	ID        string
	Name      string
	Arguments string
}

// A Reply is a message of the assistant, with calls or a text or both.
type Reply struct {
	Text  string // without what the model thought aloud
	Calls []Call
	Cut   bool // the limit of tokens ended it
	Usage Usage
}

// Usage counts tokens.
type Usage struct {
	Prompt, Completion int
	Estimated          bool // the server did not say
}

// Tokens is how many tokens a text has at most: code has three bytes and more
// for each with the tokenizers of today's models.
func Tokens(text string) int { return (len(text) + 2) / 3 }

// Size is about how many tokens a request has: those of its texts, calls and tools.
func (r Request) Size() int {
	const each = 8 // tokens around a message
	n := Tokens(string(r.Schema))
	for _, m := range r.Messages {
		n += each + Tokens(m.Text)
		for _, c := range m.Calls {
			n += each + Tokens(c.Name) + Tokens(c.Arguments)
		}
	}
	for _, t := range r.Tools {
		schema, _ := json.Marshal(t.Parameters) // what can't be written is not sent either
		n += each + Tokens(t.Name+t.About) + Tokens(string(schema))
	}
	return n
}
