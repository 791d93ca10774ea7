package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi/chat"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/ask/inert"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

// A completion is a reply, or a chunk of one.
type completion struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   any          `json:"usage,omitempty"` // a *chatUsage, or null in chunks before it
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
		c := chatReply{d: d, completion: completion{ID: "chatcmpl-" + callOf(r).id, Created: time.Now().Unix()}}
		c.events = events{Stream: d.Stream.withDefaults(), w: w, r: r, conn: http.NewResponseController(w)}
		in, err := readChat(w, r)
		if err != nil {
			c.fail(r.Context(), err)
			return
		}
		c.Model = in.Model
		req, limit, err := in.Question()
		c.limit, c.unread, c.json = limit, in.Unread(), in.Object()
		reply, isChore := in.Chore()
		switch {
		case err != nil:
			c.fail(r.Context(), err)
		case isChore:
			c.chore(reply, in.Stream, in.Options.Usage)
		case in.Stream:
			c.stream(r.Context(), req, in.Options.Usage)
		default:
			c.whole(r.Context(), req)
		}
	}
}

func readChat(w http.ResponseWriter, r *http.Request) (in chat.Request, err error) {
	if err := checkMediaType(r.Header); err != nil {
		return in, err
	}
	text, err := readBody(w, r)
	if err != nil {
		return in, err
	}
	return chat.Read(text)
}

// A chatReply is one completion on its way.
type chatReply struct {
	completion
	events

	d      Deps
	limit  *chat.Limit
	unread []string // types of parts of the question that were not looked at
	json   bool     // the client wants an object
}

func (c *chatReply) whole(ctx context.Context, req ask.Request) {
	defer unhurried(c.w)()
	resp, err := op.Ask.By(ctx, c.d.Ops, req)
	if err != nil {
		c.fail(ctx, err)
		return
	}
	a, text := resp.Items[0], c.rest(resp)
	if !c.json {
		text = a.Answer + text
	}
	c.reply(text, a.Usage)
}

func (c *chatReply) reply(text string, used models.Usage) {
	text = c.limit.Take(text) + c.limit.Rest()
	c.Object, c.Usage = "chat.completion", usageOf(used)
	c.Choices = []chatChoice{{Message: &chatText{"assistant", text}, Finish: new(c.limit.Reason())}}
	writePlain(c.w, http.StatusOK, c.completion)
}

// chore sends a reply for which nothing was searched.
func (c *chatReply) chore(reply string, stream, usage bool) {
	if !stream {
		c.reply(reply, models.Usage{})
		return
	}
	if usage {
		c.Usage = json.RawMessage("null")
	}
	_ = c.chunk(&chatText{Role: "assistant"}, nil) // these fail when the client has gone
	_ = c.more(reply)
	c.end(models.Usage{}, usage)
}

// errEnough ends an answer of which a client wants no more.
var errEnough = errors.New("the answer has reached the limit that the client set")

func (c *chatReply) stream(ctx context.Context, req ask.Request, usage bool) {
	if usage {
		c.Usage = json.RawMessage("null")
	}
	var used models.Usage
	resp, _, err := follow(ctx, c.d, req, &c.events, func(event ask.Event) error {
		switch {
		case event.Plan != nil:
			return c.chunk(&chatText{Role: "assistant"}, nil)
		case event.Usage != nil:
			used = *event.Usage
		case event.Delta != nil && !c.json:
			return c.more(event.Delta.Text)
		}
		return nil
	})
	switch enough := c.limit.Reached(); {
	case err != nil && (!enough || ctx.Err() != nil):
		c.fail(ctx, err)
		return
	case err == nil:
		used = resp.Items[0].Usage
		_ = c.more(c.rest(resp)) // it fails when the client has gone
	}
	c.end(used, usage)
}

// end sends what is behind the text of a stream.
func (c *chatReply) end(used models.Usage, usage bool) {
	if text := c.limit.Rest(); text != "" {
		_ = c.chunk(&chatText{Content: text}, nil) // these fail when the client has gone
	}
	_ = c.chunk(&chatText{}, new(c.limit.Reason()))
	if usage {
		c.Choices, c.Usage = []chatChoice{}, usageOf(used)
		_ = c.data(c.completion)
	}
	_ = c.send("data: [DONE]\n\n")
}

// more sends what the limit lets through, and fails when that was the last of it.
func (c *chatReply) more(text string) error {
	if text = c.limit.Take(text); text != "" {
		if err := c.chunk(&chatText{Content: text}, nil); err != nil {
			return err
		}
	}
	if c.limit.Reached() {
		return errEnough
	}
	return nil
}

func (c *chatReply) chunk(delta *chatText, finish *string) error {
	c.Object, c.Choices = "chat.completion.chunk", []chatChoice{{Delta: delta, Finish: finish}}
	return c.data(c.completion)
}

func (c *chatReply) data(v any) error {
	var data bytes.Buffer
	if err := models.Encode(&data, v); err != nil {
		return err
	}
	return c.send("data: " + data.String() + "\n")
}

// A chatObject is an answer for clients that want an object.
type chatObject struct {
	Answer     string            `json:"answer"`
	Citations  []models.Citation `json:"citations"`
	Gaps       []string          `json:"gaps"`
	OutOfScope bool              `json:"out_of_scope"`
	Confidence float64           `json:"confidence"`
	Warnings   []models.Warning  `json:"warnings"`
}

// rest is what is told when an answer is whole: its sources behind it, or all of
// it as an object.
func (c *chatReply) rest(resp ask.Response) string {
	if !c.json {
		return c.sources(resp)
	}
	a := resp.Items[0]
	list := func(s []string) []string { return append([]string{}, s...) } // never null
	var b strings.Builder
	_ = models.Encode(&b, chatObject{ // such a value can be encoded
		a.Answer, append([]models.Citation{}, a.Citations...), list(a.Gaps), a.OutOfScope, a.Confidence,
		append([]models.Warning{}, c.warnings(resp)...),
	})
	return strings.TrimSpace(b.String())
}

// warnings are those of an answer, and that parts of the question were not read.
func (c *chatReply) warnings(resp ask.Response) []models.Warning {
	if len(c.unread) == 0 {
		return resp.Meta.Warnings
	}
	return append(slices.Clip(resp.Meta.Warnings), models.Warning{
		Message: fmt.Sprintf("of the question only the text was read, not %.100s", strings.Join(c.unread, ", ")),
	})
}

// sources is what stands behind an answer: where its marks lead, what it lacks,
// and what weakens it.
func (c *chatReply) sources(resp ask.Response) string {
	var b strings.Builder
	a, warnings := resp.Items[0], c.warnings(resp)
	section := func(title string, n int, line func(i int) string) {
		for i := range n {
			if i == 0 {
				b.WriteString("\n\n**" + title + "**\n")
			}
			b.WriteString("\n- " + line(i))
		}
	}
	section("Sources", len(a.Citations), func(i int) string {
		of := a.Citations[i]
		lines := fmt.Sprintf("%s/%s:%d-%d", of.RepoID, of.FilePath, of.StartLine, of.EndLine)
		return fmt.Sprintf("[%d] %s", of.N, inert.Code(lines))
	})
	section("Not covered", len(a.Gaps), func(i int) string { return inert.Prose(a.Gaps[i]) })
	section("Warnings", len(warnings), func(i int) string { return inert.Prose(warnings[i].Message) })
	return b.String()
}

// fail tells an error: in the stream, if it has begun.
func (c *chatReply) fail(ctx context.Context, err error) {
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
	_ = c.data(chatError(code, message, nil)) // it fails when the client has gone
}

// chatPaths is where errors are told as OpenAI's API does.
const (
	chatPaths  = "/v1/"
	modelsPath = chatPaths + "models"
)

// chatError is an error in the form of OpenAI's API. The parameter that it is of is
// known if there is one.
func chatError(code fault.Code, message string, fields map[string]string) any {
	kind := "invalid_request_error"
	if code.Row().HTTP >= http.StatusInternalServerError {
		kind = "server_error"
	}
	var param any
	if names := slices.Collect(maps.Keys(fields)); len(names) == 1 {
		param = names[0]
	}
	return map[string]any{"error": map[string]any{"message": message, "type": kind, "param": param, "code": code}}
}

// writePlain sends a reply that is no envelope.
func writePlain(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = models.Encode(w, v) // it fails when the client has gone
}

// A model of the chat API is ragnav, or ragnav asked about one repository.
type model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int    `json:"created"`
	OwnedBy string `json:"owned_by"`
}

func modelOf(id string) model { return model{id, "model", 0, chat.Model} }

// chatModels lists ragnav, and ragnav asked about each repository alone.
func chatModels(d Deps) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		list, err := allModels(r.Context(), d)
		if err != nil {
			writeError(w, r, d.Log, err)
			return
		}
		writePlain(w, http.StatusOK, map[string]any{"object": "list", "data": list})
	}
}

func allModels(ctx context.Context, d Deps) ([]model, error) {
	list := []model{modelOf(chat.Model)}
	for req := (repos.Request{Limit: new(1000)}); ; {
		known, err := op.Repos.By(ctx, d.Ops, req)
		if err != nil {
			return nil, err
		}
		for _, item := range known.Items {
			list = append(list, modelOf(chat.Model+"/"+string(item.RepoID)))
		}
		if req.Cursor = known.Meta.NextCursor; req.Cursor == "" {
			return list, nil
		}
	}
}

// oneModel serves a model of the list.
func oneModel(d Deps) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id := strings.TrimPrefix(r.URL.Path, modelsPath+"/")
		list, err := allModels(r.Context(), d)
		i := slices.IndexFunc(list, func(m model) bool { return m.ID == id })
		if err == nil && i < 0 {
			err = fault.New(fault.RepoNotFound, "there is no model %.200q; GET %s lists those there are", id, modelsPath)
		}
		if err != nil {
			writeError(w, r, d.Log, err)
			return
		}
		writePlain(w, http.StatusOK, list[i])
	}
}
