// Package chat is what ragnav understands of a request for a chat completion, as
// OpenAI's API has them: the question, where its answer is to end, and what chat
// programs ask for themselves, which is answered without a search. Package httpapi
// takes such requests and gives the replies.
package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/valid"
)

// Model is ragnav as a model of OpenAI's API. Behind a slash there may be
// a repository, or a glob, to ask about.
const Model = "ragnav"

// What of a conversation is asked with.
const (
	maxQuestion = 2000 // runes
	maxHistory  = 50
	maxMessage  = 20_000 // runes
)

// Bounds of what a client may want of an answer.
const (
	maxStops     = 16
	defaultReply = 1200    // tokens of an extractive answer
	leastReply   = 200     // that one is made for
	sourceTokens = 250     // of ten sources
	maxReply     = 1 << 24 // tokens; more is no limit
)

// A Request is what is read of a request for a completion. The rest is
// what clients send to any model, and means nothing here: also tools, which need
// not be called.
type Request struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
	Stream   bool      `json:"stream"`
	Options  struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`

	Stop          json.RawMessage `json:"stop"`
	MaxTokens     *int            `json:"max_tokens"`
	MaxCompletion *int            `json:"max_completion_tokens"` // the newer name
	N             *int            `json:"n"`
	Logprobs      bool            `json:"logprobs"`
	Modalities    []string        `json:"modalities"`
	Choice        json.RawMessage `json:"tool_choice"`
	Call          json.RawMessage `json:"function_call"` // the older name
	Format        struct {
		Type string `json:"type"`
	} `json:"response_format"`
}

// Read decodes a body as the clients of chat models send it.
func Read(body []byte) (r Request, err error) {
	err = json.Unmarshal(body, &r)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return r, refused(wrong.Field, "%.60s can't be a JSON %s here", wrong.Field, wrong.Value)
	}
	if err != nil {
		return r, fault.Wrap(fault.InvalidRequest, err,
			"the body is no request for a chat completion: it takes model and messages")
	}
	return r, nil
}

// formatObject is the response_format of answers as objects.
const formatObject = "json_object"

// Object reports whether the client wants an object.
func (r Request) Object() bool { return r.Format.Type == formatObject }

// refused is the error of a parameter.
func refused(param, format string, args ...any) error {
	err := fault.New(fault.InvalidRequest, format, args...)
	err.Fields = map[string]string{param: err.Message}
	return err
}

// possible refuses what a client could not do without and there is not here.
func (r Request) possible() error {
	forced := func(choice json.RawMessage) bool {
		var of struct {
			Allowed struct {
				Mode string `json:"mode"`
			} `json:"allowed_tools"`
		}
		_ = json.Unmarshal(choice, &of) // a word has no mode
		return bytes.HasPrefix(choice, []byte("{")) && of.Allowed.Mode != "auto" || bytes.Equal(choice, []byte(`"required"`))
	}
	const noTools = "%s: tools are not called here, only answers given; leave it out"
	switch {
	case r.N != nil && *r.N != 1:
		return refused("n", "n is %d, but a question has one answer; leave n out", *r.N)
	case !slices.Contains([]string{"", "text", formatObject}, r.Format.Type):
		return refused("response_format", "response_format %.40q: answers are text, or with %q an object of answer, "+
			"citations, gaps, out_of_scope, confidence and warnings, which a schema can't change", r.Format.Type, formatObject)
	case forced(r.Choice):
		return refused("tool_choice", noTools, "tool_choice")
	case forced(r.Call):
		return refused("function_call", noTools, "function_call")
	case r.Logprobs:
		return refused("logprobs", "logprobs: the tokens of an answer have no probabilities here; leave it out")
	case slices.ContainsFunc(r.Modalities, func(m string) bool { return m != "text" }):
		return refused("modalities", "modalities: answers are text; leave it out")
	}
	for i, m := range r.Messages {
		if !slices.Contains([]string{"system", "developer", "user", "assistant", "tool", "function"}, m.Role) {
			return refused(fmt.Sprintf("messages[%d].role", i),
				"messages[%d].role is %.40q; it is system, developer, user, assistant or tool", i, m.Role)
		}
		if _, _, err := m.text(); err != nil {
			return refused(fmt.Sprintf("messages[%d].content", i),
				"messages[%d].content is neither a text nor a list of parts like {\"type\": \"text\", \"text\": \"…\"}", i)
		}
	}
	return nil
}

type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// text is a content: a string, or the texts among its parts. Images and the like
// have none: unread are the types of such parts.
func (m message) text() (text string, unread []string, err error) {
	if len(m.Content) == 0 || json.Unmarshal(m.Content, &text) == nil {
		return text, nil, nil
	}
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(m.Content, &parts); err != nil {
		return "", nil, fmt.Errorf("content: %w", err)
	}
	var texts []string
	for _, p := range parts {
		if p.Text != nil {
			texts = append(texts, *p.Text)
		} else if p.Type != "" && !slices.Contains(unread, p.Type) {
			unread = append(unread, p.Type)
		}
	}
	return strings.Join(texts, "\n"), unread, nil
}

// Question is what the last message of the user asks, after those before it, and
// where the answer is to end. Messages of the system are for models that need to be
// told who they are.
func (r Request) Question() (req ask.Request, l *Limit, err error) {
	if req, err = r.question(); err == nil {
		l, err = r.limit(&req)
	}
	return req, l, err
}

func (r Request) question() (ask.Request, error) {
	var req ask.Request
	if err := r.possible(); err != nil {
		return req, err
	}
	filter, err := filterOf(r.Model)
	if err != nil {
		return req, err
	}
	req.RepoFilter = filter
	for _, m := range r.Messages {
		text, _, _ := m.text() // possible has looked at it
		if text = strings.TrimSpace(text); text != "" && (m.Role == "user" || m.Role == "assistant") {
			req.History = append(req.History, ask.Message{Role: m.Role, Content: lastRunes(text, maxMessage)})
		}
	}
	last := len(req.History) - 1
	if last < 0 || req.History[last].Role != "user" {
		return req, refused("messages", "messages must end with one of the user that has a text")
	}
	req.Query = lastRunes(asked(req.History[last].Content), maxQuestion)
	if req.Query == req.History[last].Content { // else all of it is told before the question
		req.History = req.History[:last]
	}
	req.History = req.History[max(0, len(req.History)-maxHistory):]
	return req, valid.Check(&req)
}

// asked is the question in a text to which a chat program has added what it found
// itself: Open WebUI sends its files before, in tags.
func asked(text string) string {
	const ends = "</context>"
	at := strings.LastIndex(text, ends)
	before, _, found := strings.Cut(text[:max(at, 0)], "<context>")
	if before = strings.TrimSpace(before); !found || before != "" && !strings.HasPrefix(before, "### Task:") {
		return text
	}
	behind := text[at+len(ends):]
	if _, query, ok := strings.Cut(behind, "<user_query>"); ok {
		behind, _, _ = strings.Cut(query, "</user_query>")
	}
	if behind = strings.TrimSpace(behind); behind != "" {
		return behind
	}
	return text
}

// filterOf is what a model is asked about: a filter of repositories.
func filterOf(model string) (string, error) {
	name, filter, _ := strings.Cut(model, "/")
	if name != Model {
		return "", fault.New(fault.RepoNotFound, "there is no model %.60q; it is %q, or %q with a repository behind it: "+
			"see /v1/models", model, Model, Model+"/")
	}
	return filter, nil
}

// Unread are the types of what the question has besides text.
func (r Request) Unread() []string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == "user" {
			_, unread, _ := m.text() // possible has looked at it
			return unread
		}
	}
	return nil
}

// limit is where a client wants the answer to end. An extractive one is made to
// fit, as far as it can.
func (r Request) limit(req *ask.Request) (*Limit, error) {
	l := &Limit{left: -1}
	for i, n := range []*int{r.MaxTokens, r.MaxCompletion} {
		param := []string{"max_tokens", "max_completion_tokens"}[i]
		switch {
		case n == nil || *n == -1 || *n > maxReply: // -1 is what some servers take for none
		case *n < 1:
			return nil, refused(param, "%s is %d, but an answer has at least one token; leave it out for no limit", param, *n)
		case l.left < 0 || l.left > bytesOf(*n):
			l.left = bytesOf(*n)
			if fit := max(leastReply, *n-sourceTokens); fit < defaultReply {
				req.Budget = &ask.Budget{MaxReplyTokens: &fit}
			}
		}
	}
	if len(r.Stop) == 0 || bytes.Equal(r.Stop, []byte("null")) {
		return l, nil
	}
	var stop string
	if json.Unmarshal(r.Stop, &stop) == nil {
		l.stops = []string{stop}
	} else if err := json.Unmarshal(r.Stop, &l.stops); err != nil || len(l.stops) > maxStops {
		return nil, refused("stop", "stop is a text, or a list of at most %d", maxStops)
	}
	l.stops = slices.DeleteFunc(l.stops, func(s string) bool { return s == "" })
	return l, nil
}

func lastRunes(s string, n int) string {
	runes := []rune(s)
	return string(runes[max(0, len(runes)-n):])
}
