package httpapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const chatPath = "/v1/chat/completions"

func said(text string) string {
	return fmt.Sprintf(`{"model":"ragnav","temperature":0.7,"messages":[{"role":"user","content":%q}]}`, text)
}

// Transcripts, as chat programs see them.
func TestChat(t *testing.T) {
	weak := func(_ context.Context, req ask.Request, on func(ask.Event)) (ask.Response, error) {
		resp := ask.Response{
			Query:  req.Query,
			Result: models.OKResult([]models.Answer{{Answer: "Extractive.", Gaps: []string{"The rest."}}}),
		}
		resp.Meta.Warnings = []models.Warning{{
			Code:    "LLM_UNAVAILABLE",
			Message: "the answer is extractive: no language model answers",
		}}
		on(ask.Event{Plan: &ask.Plan{}})
		on(ask.Event{Delta: &ask.Delta{Text: "Extractive."}})
		return resp, nil
	}
	lost := func(_ context.Context, _ ask.Request, on func(ask.Event)) (ask.Response, error) {
		on(ask.Event{Plan: &ask.Plan{Model: "m"}})
		return ask.Response{}, fault.New(fault.RAGUnavailable, "the store does not answer")
	}
	never := func(context.Context, ask.Request, func(ask.Event)) (ask.Response, error) {
		return ask.Response{}, fault.New(fault.Overloaded, "the server does as much of this as it can")
	}
	stream := func(text string) string {
		return strings.Replace(text, `"temperature"`, `"stream":true,"temperature"`, 1)
	}
	for name, test := range map[string]struct {
		body   string
		answer answering
	}{
		"whole":  {body: said("what does it do?")},
		"stream": {body: stream(said("what does it do?"))},
		"stream_usage": {body: `{"model":"ragnav/a/b","stream":true,"stream_options":{"include_usage":true},` +
			`"messages":[{"role":"user","content":[{"type":"text","text":"what?"}]}]}`},
		"weak":          {body: stream(said("what does it do?")), answer: weak},
		"lost":          {body: stream(said("what does it do?")), answer: lost},
		"overloaded":    {body: stream(said("what does it do?")), answer: never},
		"no_such_model": {body: `{"model":"gpt-4","messages":[{"role":"user","content":"x"}]}`},
		"no_question": {body: `{"model":"ragnav","messages":[{"role":"system","content":"x"},` +
			`{"role":"assistant","content":"y"}]}`},
		"no_json": {body: `{"model":`},
	} {
		t.Run(name, func(t *testing.T) {
			d := deps()
			if test.answer != nil {
				d = asking(test.answer)
			}
			compare(t, do(t, d, request{method: "POST", path: chatPath, body: test.body}))
		})
	}
}

func TestChatModels(t *testing.T) {
	compare(t, do(t, deps(), request{method: "GET", path: "/v1/models"}))
}

// What a client would wait for in vain is refused; what it need not have is passed over.
func TestChatOddClients(t *testing.T) {
	const messages = `"model":"ragnav","messages":[{"role":"user","content":"a?"}]`
	for body, want := range map[string]string{
		`{` + messages + `,"n":2}`:                                       "n is 2",
		`{` + messages + `,"response_format":{"type":"json_object"}}`:    "answers are text",
		`{` + messages + `,"tools":[{}],"tool_choice":"required"}`:       "tools are not called here",
		`{` + messages + `,"tool_choice":{"type":"function"}}`:           "tools are not called here",
		`{"model":"gpt-4o","messages":[{"role":"user","content":"a?"}]}`: "see /v1/models",
		`{"model":"ragnav","messages":[]}`:                               "must end with one of the user",
		`{"model":"ragnav"}`:                                             "must end with one of the user",
		`{"model":"ragnav","messages":[{"role":"user","content":null}]}`: "must end with one of the user",
		`{"model":"ragnav","messages":[{"role":"user","content":[{}]}]}`: "must end with one of the user",
		`{"model":"ragnav","messages":"a?"}`:                             "no request for a chat completion",
		`{` + messages + `,"n":1,"tools":[{}],"tool_choice":"auto","stream_options":null,"stop":["x"],` +
			`"response_format":{"type":"text"}}`: "",
		`{` + messages + `,"n":null,"stream":null,"tool_choice":null,"response_format":null,"temperature":0}`: "",
	} {
		d := deps()
		bind(d, op.Ask, func(context.Context, ask.Request) (ask.Response, error) {
			return ask.Response{Result: models.OKResult([]models.Answer{{Answer: "x"}})}, nil
		})
		w := do(t, d, request{method: "POST", path: chatPath, body: body})
		if ok := w.Code == 200; ok != (want == "") || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %q", body, w.Code, w.Body, want)
		}
	}
}

// What a conversation asks.
func TestChatQuestion(t *testing.T) {
	long := strings.Repeat("é", 3000)
	for name, test := range map[string]struct {
		messages, model string
		want            ask.Request
	}{
		"with what was before": {
			messages: `{"role":"system","content":"be ` +
				`nice"},{"role":"user","content":"a?"},{"role":"assistant","content":"b"},` +
				`{"role":"user","content":[{"type":"image_url"},{"type":"text","text":" c? "}]}`,
			model: "ragnav",
			want: ask.Request{
				Query:   "c?",
				History: []ask.Message{{Role: "user", Content: "a?"}, {Role: "assistant", Content: "b"}},
			},
		},
		"about one repository": {
			messages: `{"role":"user","content":"a?"}`, model: "ragnav/o/r",
			want: ask.Request{Query: "a?", RepoFilter: "o/r", History: []ask.Message{}},
		},
		"a long one is also told whole": {
			messages: fmt.Sprintf(`{"role":"user","content":%q}`, long), model: "ragnav",
			want: ask.Request{Query: long[:4000], History: []ask.Message{{Role: "user", Content: long}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got ask.Request
			d := deps()
			bind(d, op.Ask, func(_ context.Context, req ask.Request) (ask.Response, error) {
				got = req
				return ask.Response{Result: models.OKResult([]models.Answer{{Answer: "x"}})}, nil
			})
			if w := do(t, d, request{
				method: "POST", path: chatPath,
				body: fmt.Sprintf(`{"model":%q,"messages":[%s]}`, test.model, test.messages),
			}); w.Code != 200 {
				t.Fatal(w.Body)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}
