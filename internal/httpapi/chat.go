package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/valid"
)

// chatModel is ragnav as a model of OpenAI's API. Behind a slash there may be
// a repository, or a glob, to ask about.
const chatModel = "ragnav"

// What of a conversation is asked with.
const (
	maxQuestion = 2000 // runes
	maxHistory  = 50
	maxMessage  = 20_000 // runes
)

// A chatRequest is what is read of a request for a completion. The rest is
// what clients send to any model, and means nothing here: also tools, which need
// not be called.
type chatRequest struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
	Stream   bool          `json:"stream"`
	Options  struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`

	N      *int            `json:"n"`
	Choice json.RawMessage `json:"tool_choice"`
	Format struct {
		Type string `json:"type"`
	} `json:"response_format"`
}

// possible refuses what a client could not do without and there is not here.
func (c chatRequest) possible() error {
	switch {
	case c.N != nil && *c.N != 1:
		return fault.New(fault.InvalidRequest, "n is %d, but a question has one answer; leave n out", *c.N)
	case c.Format.Type != "" && c.Format.Type != "text":
		return fault.New(fault.InvalidRequest, "response_format %.40q: answers are text; leave it out", c.Format.Type)
	case bytes.HasPrefix(c.Choice, []byte("{")) || bytes.Equal(c.Choice, []byte(`"required"`)):
		return fault.New(fault.InvalidRequest, "tool_choice: tools are not called here, only answers given; leave it out")
	}
	return nil
}

type chatMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// text is a content: a string, or the texts among its parts.
func (m chatMessage) text() string {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(m.Content, &parts) // images and the like have no text
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	return strings.Join(texts, "\n")
}

// question is what the last message of the user asks, after those before it.
// Messages of the system are for models that need to be told who they are.
func (c chatRequest) question() (ask.Request, error) {
	var req ask.Request
	if err := c.possible(); err != nil {
		return req, err
	}
	name, filter, _ := strings.Cut(c.Model, "/")
	if name != chatModel {
		return req, fault.New(fault.InvalidRequest,
			"there is no model %.60q; it is %q, or %q with a repository behind it: see /v1/models", c.Model, chatModel,
			chatModel+"/")
	}
	req.RepoFilter = filter
	for _, m := range c.Messages {
		if text := strings.TrimSpace(m.text()); text != "" && (m.Role == "user" || m.Role == "assistant") {
			req.History = append(req.History, ask.Message{Role: m.Role, Content: lastRunes(text, maxMessage)})
		}
	}
	last := len(req.History) - 1
	if last < 0 || req.History[last].Role != "user" {
		return req, fault.New(fault.InvalidRequest, "messages must end with one of the user that has a text")
	}
	req.Query = lastRunes(req.History[last].Content, maxQuestion)
	if req.Query == req.History[last].Content { // else all of it is told before the question
		req.History = req.History[:last]
	}
	req.History = req.History[max(0, len(req.History)-maxHistory):]
	return req, valid.Check(&req)
}

func lastRunes(s string, n int) string {
	runes := []rune(s)
	return string(runes[max(0, len(runes)-n):])
}

// A completion is a reply, or a chunk of one.
type completion struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   *chatUsage   `json:"usage,omitempty"`
}

type chatChoice struct {
	Index   int       `json:"index"`
	Message *chatText `json:"message,omitempty"`
	Delta   *chatText `json:"delta,omitempty"`
	Finish  *string   `json:"finish_reason"`
}

type chatText struct {
	Role    string `json:"role,omitempty"`
	Content string `json:"content"`
}

type chatUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

func usageOf(u models.Usage) *chatUsage {
	return &chatUsage{u.PromptTokens, u.CompletionTokens, u.PromptTokens + u.CompletionTokens}
}

// chatCompletions is ask in the form of OpenAI's chat completions, so that any
// chat program can use it: the answer, and behind it its sources.
func chatCompletions(d Deps) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := chat{d: d, completion: completion{ID: "chatcmpl-" + callOf(r).id, Created: time.Now().Unix()}}
		c.events = events{Stream: d.Stream.withDefaults(), w: w, r: r, conn: http.NewResponseController(w)}
		var in chatRequest
		if err := readChat(w, r, &in); err != nil {
			c.fail(r.Context(), err)
			return
		}
		c.Model = in.Model
		req, err := in.question()
		switch {
		case err != nil:
			c.fail(r.Context(), err)
		case in.Stream:
			c.stream(r.Context(), req, in.Options.Usage)
		default:
			c.whole(r.Context(), req)
		}
	}
}

// readChat decodes a body as the clients of chat models send it.
func readChat(w http.ResponseWriter, r *http.Request, in *chatRequest) error {
	if err := checkMediaType(r.Header); err != nil {
		return err
	}
	text, err := readBody(w, r)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, in); err != nil {
		return fault.Wrap(fault.InvalidRequest, err,
			"the body is no request for a chat completion: it takes model and messages")
	}
	return nil
}

// A chat is one completion on its way.
type chat struct {
	completion
	events

	d Deps
}

func (c *chat) whole(ctx context.Context, req ask.Request) {
	defer unhurried(c.w)()
	resp, err := op.Ask.By(ctx, c.d.Ops, req)
	if err != nil {
		c.fail(ctx, err)
		return
	}
	a := resp.Items[0]
	c.Object, c.Usage = "chat.completion", usageOf(a.Usage)
	c.Choices = []chatChoice{{Message: &chatText{"assistant", a.Answer + sources(resp)}, Finish: new("stop")}}
	writePlain(c.w, http.StatusOK, c.completion)
}

func (c *chat) stream(ctx context.Context, req ask.Request, usage bool) {
	resp, _, err := follow(ctx, c.d, req, &c.events, func(event ask.Event) error {
		switch {
		case event.Plan != nil:
			return c.chunk(&chatText{Role: "assistant"}, nil)
		case event.Delta != nil:
			return c.chunk(&chatText{Content: event.Delta.Text}, nil)
		}
		return nil
	})
	if err != nil {
		c.fail(ctx, err)
		return
	}
	if text := sources(resp); text != "" {
		_ = c.chunk(&chatText{Content: text}, nil) // these fail when the client has gone
	}
	_ = c.chunk(&chatText{}, new("stop"))
	if usage {
		c.Choices, c.Usage = []chatChoice{}, usageOf(resp.Items[0].Usage)
		_ = c.data(c.completion)
	}
	_ = c.send("data: [DONE]\n\n")
}

func (c *chat) chunk(delta *chatText, finish *string) error {
	c.Object, c.Choices = "chat.completion.chunk", []chatChoice{{Delta: delta, Finish: finish}}
	return c.data(c.completion)
}

func (c *chat) data(v any) error {
	var data bytes.Buffer
	if err := models.Encode(&data, v); err != nil {
		return err
	}
	return c.send("data: " + data.String() + "\n")
}

// sources is what stands behind an answer: where its marks lead, what it lacks,
// and what weakens it.
func sources(resp ask.Response) string {
	var b strings.Builder
	a := resp.Items[0]
	section := func(title string, n int, line func(i int) string) {
		for i := range n {
			if i == 0 {
				b.WriteString("\n\n**" + title + "**\n")
			}
			b.WriteString("\n- " + line(i))
		}
	}
	section("Sources", len(a.Citations), func(i int) string {
		c := a.Citations[i]
		return fmt.Sprintf("[%d] %s", c.N, ask.Code(fmt.Sprintf("%s/%s:%d-%d", c.RepoID, c.FilePath, c.StartLine, c.EndLine)))
	})
	section("Not covered", len(a.Gaps), func(i int) string { return ask.Inert(a.Gaps[i]) })
	section("Warnings", len(resp.Meta.Warnings), func(i int) string { return ask.Inert(resp.Meta.Warnings[i].Message) })
	return b.String()
}

// fail tells an error: in the stream, if it has begun.
func (c *chat) fail(ctx context.Context, err error) {
	if stopping(ctx).Err() != nil && fault.CodeOf(err) == fault.Canceled {
		err = stopped(err)
	}
	if !c.begun {
		writeError(c.w, c.r, c.d.Log, err)
		return
	}
	code, message := classify(ctx, err)
	if code == fault.Internal {
		logFailure(c.d.Log, c.r, code, err)
	}
	callOf(c.r).errorCode = string(code)
	_ = c.data(chatError(code, message)) // it fails when the client has gone
}

// chatPaths is where errors are told as OpenAI's API does.
const chatPaths = "/v1/"

func chatError(code fault.Code, message string) any {
	kind := "invalid_request_error"
	if code.Row().HTTP >= http.StatusInternalServerError {
		kind = "server_error"
	}
	return map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": code}}
}

// writePlain sends a reply that is no envelope.
func writePlain(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = models.Encode(w, v) // it fails when the client has gone
}

// chatModels lists ragnav, and ragnav asked about each repository alone.
func chatModels(d Deps) http.HandlerFunc {
	type model struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int    `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	return func(w http.ResponseWriter, r *http.Request) {
		known, err := op.Repos.By(r.Context(), d.Ops, repos.Request{Limit: new(1000)})
		if err != nil {
			writeError(w, r, d.Log, err)
			return
		}
		list := []model{{chatModel, "model", 0, chatModel}}
		for _, item := range known.Items {
			list = append(list, model{chatModel + "/" + string(item.RepoID), "model", 0, chatModel})
		}
		writePlain(w, http.StatusOK, map[string]any{"object": "list", "data": list})
	}
}
