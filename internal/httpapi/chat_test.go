package httpapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi"
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
		"stop":        {body: strings.Replace(said("what?"), `"model"`, `"stop":["\n\n","[1"],"model"`, 1)},
		"stream_stop": {body: stream(strings.Replace(said("what?"), `"model"`, `"stop":"oes [1","model"`, 1))},
		"stream_length": {body: strings.Replace(stream(said("what?")), `"model"`,
			`"max_tokens":3,"stream_options":{"include_usage":true},"model"`, 1)},
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

// Clients ask for one model, with slashes as they are or escaped.
func TestChatModel(t *testing.T) {
	for id, want := range map[string]string{
		"ragnav": `"id":"ragnav"`, "ragnav/a/b": `"id":"ragnav/a/b"`, "ragnav%2Fa%2Fb": `"id":"ragnav/a/b"`,
		"gpt-4": `there is no model \"gpt-4\"`, "ragnav/a/c": "there is no model", "": "there is no model",
	} {
		w := do(t, deps(), request{method: "GET", path: "/v1/models/" + id})
		found := strings.HasPrefix(want, `"id"`)
		if ok := w.Code == 200; ok != found || !found && w.Code != 404 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q: %d %s, want %s", id, w.Code, w.Body, want)
		}
	}
}

// Chat programs send some key also where none is wanted.
func TestChatKey(t *testing.T) {
	own := httpapi.Access{OwnToken: "own"}
	for _, test := range []struct {
		access     httpapi.Access
		path, sent string
		want       int
	}{
		{own, "/v1/models", "sk-anything", 200},
		{own, "/v1/models", "own", 200},
		{own, "/version", "sk-anything", 200},
		{own, "/api/other", "sk-anything", 401},
		{httpapi.Access{Token: "right"}, "/v1/models", "sk-anything", 401},
		{httpapi.Access{Token: "right"}, "/v1/models", "right", 200},
		{httpapi.Access{Token: "right", OwnToken: "own"}, "/v1/models", "", 401},
	} {
		d := deps()
		d.Access = test.access
		req := request{method: "GET", path: test.path}
		if test.sent != "" {
			req.header = map[string]string{"Authorization": "Bearer " + test.sent}
		}
		if w := do(t, d, req); w.Code != test.want {
			t.Errorf("%+v: %d %s, want %d", test, w.Code, w.Body, test.want)
		}
	}
}

// Who sent a wrong token reads where the right one is: a server that was given one is not asked for its file.
func TestWrongTokenSaysWhereTheRightOneIs(t *testing.T) {
	for _, test := range []struct {
		access    httpapi.Access
		want, not string
	}{
		{httpapi.Access{OwnToken: "own"}, "the file api-token", "RAGNAV_API_TOKEN"},
		{httpapi.Access{Token: "right", OwnToken: "own"}, "set RAGNAV_API_TOKEN", "api-token"},
	} {
		d := deps()
		d.Access = test.access
		header := map[string]string{"Authorization": "Bearer wrong"}
		w := do(t, d, request{method: "GET", path: "/api/other", header: header})
		said := w.Body.String()
		if w.Code != 401 || !strings.Contains(said, test.want) || strings.Contains(said, test.not) {
			t.Errorf("%+v: %d %s, want 401, %q, not %q", test.access, w.Code, said, test.want, test.not)
		}
	}
}

// An extractive answer is made for what a client takes.
func TestChatFits(t *testing.T) {
	for given, want := range map[string]*int{
		`"max_tokens":10`: new(200), `"max_completion_tokens":1000`: new(750), `"max_tokens":1450`: nil,
		`"max_tokens":800,"max_completion_tokens":1000`: new(550),
		`"max_tokens":9007199254740991`:                 nil, `"max_tokens":null`: nil,
	} {
		var got ask.Request
		d := deps()
		bind(d, op.Ask, func(_ context.Context, req ask.Request) (ask.Response, error) {
			got = req
			return ask.Response{Result: models.OKResult([]models.Answer{{Answer: "x"}})}, nil
		})
		if w := do(t, d, request{method: "POST", path: chatPath, body: `{` + given + `,` + said("a?")[1:]}); w.Code != 200 {
			t.Fatal(w.Body)
		}
		var fits *int
		if got.Budget != nil {
			fits = got.Budget.MaxReplyTokens
		}
		if diff := cmp.Diff(want, fits); diff != "" {
			t.Errorf("%s (-want +got):\n%s", given, diff)
		}
	}
}

// What a client would wait for in vain is refused; what it need not have is passed over.
func TestChatOddClients(t *testing.T) {
	const messages = `"model":"ragnav","messages":[{"role":"user","content":"a?"}]`
	for body, want := range map[string]string{
		`{` + messages + `,"n":2}`:                                               "n is 2",
		`{` + messages + `,"response_format":{"type":"json_schema"}}`:            "which a schema can't change",
		`{` + messages + `,"tools":[{}],"tool_choice":"required"}`:               "tools are not called here",
		`{` + messages + `,"tool_choice":{"type":"function"}}`:                   "tools are not called here",
		`{"model":"gpt-4o","messages":[{"role":"user","content":"a?"}]}`:         "see /v1/models",
		`{"model":"ragnav","messages":[]}`:                                       "must end with one of the user",
		`{"model":"ragnav"}`:                                                     "must end with one of the user",
		`{"model":"ragnav","messages":[{"role":"user","content":null}]}`:         "must end with one of the user",
		`{"model":"ragnav","messages":[{"role":"user","content":[{}]}]}`:         "must end with one of the user",
		`{"model":"ragnav","messages":"a?"}`:                                     "messages can't be a JSON string",
		`{"model":"ragnav","messages":["a?"]}`:                                   "messages can't be a JSON string",
		`["a?"]`:                                                                 "no request for a chat completion",
		`{"model":"ragnav","messages":[{"role":"bot","content":"a?"}]}`:          "messages[0].role is \\\"bot\\\"",
		`{"model":"ragnav","messages":[{"role":"user","content":5}]}`:            "messages[0].content is neither",
		`{"model":"ragnav","messages":[{"role":"user","content":[{"text":5}]}]}`: "messages[0].content is neither",
		`{` + messages + `,"stream":"yes"}`:                                      "\"param\":\"stream\"",
		`{` + messages + `,"max_tokens":0}`:                                      "\"param\":\"max_tokens\"",
		`{` + messages + `,"max_completion_tokens":-7}`:                          "max_completion_tokens is -7",
		`{` + messages + `,"max_completion_tokens":1.5}`:                         "can't be a JSON number 1.5",
		`{` + messages + `,"stop":[1]}`:                                          "stop is a text, or a list",
		`{` + messages + `,"logprobs":true}`:                                     "no probabilities",
		`{` + messages + `,"modalities":["text","audio"]}`:                       "answers are text",
		`{` + messages + `,"function_call":{"name":"f"}}`:                        "function_call: tools are not called",
		`{` + messages + `,"max_tokens":-1,"stop":null,"logprobs":false,"modalities":null,` +
			`"functions":[{}],"function_call":"auto","tool_choice":{"type":"allowed_tools",` +
			`"allowed_tools":{"mode":"auto","tools":[]}}}`: "",
		`{"model":"ragnav","messages":[{"role":"developer","content":"be brief"},{"role":"user","content":"b?"},` +
			`{"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","content":"c"},` +
			`{"role":"user","content":"a?"}],"stop":"y","max_tokens":100,"seed":1,"store":false,"metadata":{"a":"b"}}`: "",
		`{` + messages + `,"n":1,"tools":[{}],"tool_choice":"auto","stream_options":null,"stop":["x"],` +
			`"response_format":{"type":"text"}}`: "",
		`{"model":"ragnav","messages":[{"role":"user","content":[{"type":"text","text":"a?"},{"type":"image_url"}]}]}`: "" +
			"only the text was read, not image_url",
		`{` + messages + `,"n":null,"stream":null,"tool_choice":null,"response_format":null,"temperature":0}`: "",
	} {
		d := deps()
		bind(d, op.Ask, func(context.Context, ask.Request) (ask.Response, error) {
			return ask.Response{Result: models.OKResult([]models.Answer{{Answer: "x"}})}, nil
		})
		w := do(t, d, request{method: "POST", path: chatPath, body: body})
		good := want == "" || strings.HasPrefix(want, "only the text")
		if ok := w.Code == 200; ok != good || !strings.Contains(w.Body.String(), want) {
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
