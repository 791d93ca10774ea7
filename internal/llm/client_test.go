package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/llm"
)

var question = llm.Request{
	Messages: []llm.Message{{Role: llm.User, Text: "where is it?"}},
	Tools: []llm.Tool{
		{Name: "search_code", About: "finds", Parameters: map[string]any{"type": "object", "properties": map[string]any{
			"query": map[string]any{"type": "string"}, "limit": map[string]any{"type": "integer"},
		}}},
		{Name: "get_file", About: "reads"},
	},
}

// events writes a stream of these data lines.
func events(data ...string) string {
	return "data: " + strings.Join(data, "\n\ndata: ") + "\n\n"
}

func delta(content string) string {
	text, _ := json.Marshal(content)
	return `{"choices":[{"index":0,"delta":{"role":"assistant","content":` + string(text) + `},"finish_reason":null}]}`
}

func call(fields string) string {
	return `{"choices":[{"index":0,"delta":{"tool_calls":[{` + fields + `}]},"finish_reason":null}]}`
}

const (
	stop  = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	usage = `{"choices":[],"usage":{"prompt_tokens":40,"completion_tokens":7}}`
	done  = "[DONE]"
)

// Replies in the ways in which servers are known to send them.
func TestReplies(t *testing.T) {
	search := llm.Call{ID: "a", Name: "search_code", Arguments: `{"query":"auth"}`}
	for name, tc := range map[string]struct {
		body   string
		plain  bool // no stream
		want   llm.Reply
		handed string // the pieces, separated by |
	}{
		"text": {
			body: events(delta("It is "), delta("here."), stop, usage, done), handed: "It is |here.",
			want: llm.Reply{Text: "It is here.", Usage: llm.Usage{Prompt: 40, Completion: 7}},
		},
		"comments, an empty delta, no end mark": {
			body: ": keep-alive\n\n" + events(delta(""), delta("here"), stop), handed: "here", want: llm.Reply{Text: "here"},
		},
		"cut by the limit": {
			body: events(delta("It"), `{"choices":[{"delta":{},"finish_reason":"length"}]}`, done), handed: "It",
			want: llm.Reply{Text: "It", Cut: true},
		},
		"never ends": {
			body: events(delta(strings.Repeat("on ", 1<<17))), handed: strings.Repeat("on ", 1<<17),
			want: llm.Reply{Text: strings.Repeat("on ", 1<<17-1) + "on", Cut: true},
		},
		"not streamed": {
			body: `{"choices":[{"message":{"content":"here"},"finish_reason":"stop"}]}`, plain: true, handed: "here",
			want: llm.Reply{Text: "here"},
		},
		"call in parts": {
			body: events(call(`"index":0,"id":"a","type":"function","function":{"name":"search_code","arguments":""}`),
				call(`"index":0,"function":{"arguments":"{\"query\":"}`), call(`"index":0,"function":{"arguments":"\"auth\"}"}`),
				stop, done),
			want: llm.Reply{Calls: []llm.Call{search}},
		},
		"parts of two calls in turn": {
			body: events(call(`"index":0,"id":"a","function":{"name":"search_code","arguments":"{\"que"}`),
				call(`"index":1,"id":"b","function":{"name":"get_file","arguments":"{}"}`),
				call(`"index":0,"function":{"arguments":"ry\":\"auth\"}"}`), stop),
			want: llm.Reply{Calls: []llm.Call{search, {ID: "b", Name: "get_file", Arguments: "{}"}}},
		},
		"whole calls that all have index 0": {
			body: events(call(`"index":0,"id":"a","function":{"name":"search_code","arguments":"{\"query\":\"auth\"}"}`),
				call(`"index":0,"id":"b","function":{"name":"get_file","arguments":"{}"}`), stop, done),
			want: llm.Reply{Calls: []llm.Call{search, {ID: "b", Name: "get_file", Arguments: "{}"}}},
		},
		"no index, no id, arguments as an object": {
			body: events(call(`"function":{"name":"search_code","arguments":{"query":"auth"}}`),
				call(`"function":{"name":"get_file"}`), stop),
			want: llm.Reply{Calls: []llm.Call{
				{ID: "call_1", Name: "search_code", Arguments: `{"query":"auth"}`},
				{ID: "call_2", Name: "get_file", Arguments: "{}"},
			}},
		},
		"text before a call": {
			body: events(delta("Let me look."),
				call(`"index":0,"id":"a","function":{"name":"search_code","arguments":"{\"query\":\"auth\"}"}`), stop),
			want: llm.Reply{Text: "Let me look.", Calls: []llm.Call{search}}, handed: "Let me look.",
		},
		"call as JSON": {
			body: events(delta(`{"name": "search`), delta(`_code", "parameters": {"query":"auth"}}`), stop),
			want: llm.Reply{Calls: []llm.Call{{ID: "call_1", Name: "search_code", Arguments: `{"query":"auth"}`}}},
		},
		"calls as a fenced list": {
			body: events(delta("```json\n"),
				delta(`[{"name":"search_code","arguments":{"query":"auth"}},{"function":{"name":"get_file","arguments":"{}"}}]`),
				delta("\n```"), stop),
			want: llm.Reply{Calls: []llm.Call{
				{ID: "call_1", Name: "search_code", Arguments: `{"query":"auth"}`},
				{ID: "call_2", Name: "get_file", Arguments: "{}"},
			}},
		},
		"calls with marks, behind prose": {
			body: events(delta("I look.\n"),
				delta("<tool_call>\n{\"name\":\"get_file\",\"arguments\":{}}\n</tool_call>\n"+
					"<tool_call>{\"name\":\"search_code\"}</tool_call>"), stop),
			want: llm.Reply{Calls: []llm.Call{
				{ID: "call_1", Name: "get_file", Arguments: "{}"},
				{ID: "call_2", Name: "search_code", Arguments: "{}"},
			}},
			// what was handed on can't be taken back
			handed: "I look.\n|<tool_call>\n{\"name\":\"get_file\",\"arguments\":{}}\n</tool_call>\n" +
				"<tool_call>{\"name\":\"search_code\"}</tool_call>",
		},
		"call as a function mark": {
			body: events(delta(`<function=get_file>{"repo_id":"a/b"}</function>`), stop),
			want: llm.Reply{Calls: []llm.Call{{ID: "call_1", Name: "get_file", Arguments: `{"repo_id":"a/b"}`}}},
		},
		"JSON that calls nothing": {
			body: events(delta(`{"name":"rm","arguments":{}}`), stop), want: llm.Reply{Text: `{"name":"rm","arguments":{}}`},
			handed: `{"name":"rm","arguments":{}}`,
		},
		"thoughts": {
			body: events(delta("<thi"), delta("nk>It may be"), delta(" here</th"), delta("ink>\n\nIt is "), delta("<b>."), stop),
			want: llm.Reply{Text: "It is <b>."}, handed: "It is |<b>.",
		},
		"thoughts that the server began, a call behind them": {
			body:   events(delta("I could look.\n</thi"), delta(`nk>{"name":"get_file"}`), stop),
			want:   llm.Reply{Calls: []llm.Call{{ID: "call_1", Name: "get_file", Arguments: "{}"}}},
			handed: "I could look.\n|</think>\n",
		},
		"marks of thoughts that the text is about": {
			body:   events(delta("It cuts `<think>` off, "), delta("and ends at </think>."), stop),
			want:   llm.Reply{Text: "It cuts `<think>` off, and ends at </think>."},
			handed: "It cuts `<think>` off, |and ends at </think>.",
		},
		"a text in parts, and a thought": {
			body: events(`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}}]}`,
				`{"choices":[{"delta":{"content":[{"type":"text","text":"It is "},{"type":"text","text":"here"}]}}]}`, stop),
			want: llm.Reply{Text: "It is here"}, handed: "It is here",
		},
		"an empty object before the arguments": {
			body: events(call(`"index":0,"id":"a","function":{"name":"search_code","arguments":"{}"}`),
				call(`"index":0,"function":{"arguments":"{\"query\":\"auth\"}"}`), stop),
			want: llm.Reply{Calls: []llm.Call{search}},
		},
		"arguments in a string": {
			body: events(call(`"index":0,"id":"a","function":{"name":"search_code",`+
				`"arguments":"\"{\\\"query\\\":\\\"auth\\\"}\""}`), stop),
			want: llm.Reply{Calls: []llm.Call{search}},
		},
		"arguments that are no JSON stay": {
			body: events(call(`"index":0,"id":"a","function":{"name":"search_code","arguments":"{} auth"}`), stop),
			want: llm.Reply{Calls: []llm.Call{{ID: "a", Name: "search_code", Arguments: "{} auth"}}},
		},
		"calls as parameters in tags": {
			body: events(delta("<tool_call>\n<function=search_code>\n<parameter=query>\n12\n</parameter>\n<parameter=limit>\n"+
				"3\n</parameter>\n</function>\n</tool_call>"), stop),
			want: llm.Reply{Calls: []llm.Call{{ID: "call_1", Name: "search_code", Arguments: `{"limit":3,"query":"12"}`}}},
		},
		"names before their arguments": {
			body: events(delta(`[TOOL_CALLS]get_file[ARGS]{}[TOOL_CALLS]search_code{"query":"auth"}`), stop),
			want: llm.Reply{Calls: []llm.Call{
				{ID: "call_1", Name: "get_file", Arguments: "{}"},
				{ID: "call_2", Name: "search_code", Arguments: `{"query":"auth"}`},
			}},
		},
		"reasoning in a field of its own": {
			body: events(`{"choices":[{"delta":{"reasoning_content":"hm","reasoning":"hm"}}]}`, delta("here"), stop),
			want: llm.Reply{Text: "here"}, handed: "here",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := client(t, func(w http.ResponseWriter, _ *http.Request) {
				if !tc.plain {
					w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
				}
				_, _ = io.WriteString(w, tc.body)
			})
			var handed []string
			got, err := c.Chat(t.Context(), question, func(s string) { handed = append(handed, s) })
			if err != nil {
				t.Fatal(err)
			}
			if got.Usage.Estimated {
				got.Usage = llm.Usage{}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("reply (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.handed, strings.Join(handed, "|")); diff != "" {
				t.Errorf("handed on (-want +got):\n%s", diff)
			}
		})
	}
}

// A server that opens thoughts itself is known by its first reply: of the next ones
// nothing is handed on that may be a thought.
func TestThoughtsBegunByTheServer(t *testing.T) {
	replies := []string{"Let me think.\n</think>\n\nOne.", "Hm, [a/b:1-2]?\n</think>\n\nTwo.", "Three.", "Four."}
	sent := 0
	c := client(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		text := replies[sent]
		_, _ = io.WriteString(w, events(delta(text[:len(text)/2]), delta(text[len(text)/2:]), stop))
		sent++
	})
	var got, handed []string
	for range replies {
		var all strings.Builder
		reply, err := c.Chat(t.Context(), question, func(s string) { all.WriteString(s) })
		if err != nil {
			t.Fatal(err)
		}
		got, handed = append(got, reply.Text), append(handed, all.String())
	}
	if diff := cmp.Diff([]string{"One.", "Two.", "Three.", "Four."}, got); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Let me think.\n</think>\nOne.", "Two.", "Three.", "Four."}, handed); diff != "" {
		t.Errorf("handed on (-want +got):\n%s", diff)
	}
}

// client asks a server that does this.
func client(t *testing.T, h http.HandlerFunc) *llm.Client {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return llm.New(llm.Settings{URL: srv.URL, Model: "m", Key: "k"})
}

// What is wrong with a reply is an error, with what had come before.
func TestBadReplies(t *testing.T) {
	for name, tc := range map[string]struct {
		body, text, fails string
		sent              int
	}{
		"cut in the middle":   {body: events(delta("It is")), text: "It is", fails: "broke off", sent: 1},
		"cut before any text": {body: events(delta("")), fails: "broke off", sent: 2},
		"garbage":             {body: events("}{"), fails: "broke off", sent: 2},
		"nothing at all":      {body: "", fails: "broke off", sent: 2},
		"an error in between": {
			body: events(delta("It"), `{"error":{"message":"out of memory"}}`), text: "It",
			fails: "in the middle: out of memory", sent: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			sent := 0
			c := client(t, func(w http.ResponseWriter, _ *http.Request) {
				sent++
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, tc.body)
			})
			got, err := c.Chat(t.Context(), question, nil)
			if got.Text != tc.text || sent != tc.sent || fault.CodeOf(err) != fault.LLMUnavailable ||
				!strings.Contains(fault.MessageOf(err), tc.fails) {
				t.Errorf("sent %d, %q, %v; want %d, %q, %s", sent, got.Text, err, tc.sent, tc.text, tc.fails)
			}
		})
	}
}

// The content type may be wrong, how a reply begins is not.
func TestFormsOfReplies(t *testing.T) {
	const whole = `{"choices":[{"message":{"content":"It is."},"finish_reason":"stop"}]}`
	for name, tc := range map[string]struct{ media, body, text, fails string }{
		"a stream of text/plain": {media: "text/plain", body: events(delta("It is."), "[DONE]"), text: "It is."},
		"a stream of JSON": {
			media: "application/json", body: ": hello\n\n" + events(delta("It is."), "[DONE]"), text: "It is.",
		},
		"a whole reply for a stream": {media: "text/event-stream", body: "\r\n" + whole, text: "It is."},
		"a whole reply of no type":   {media: "", body: whole, text: "It is."},
		"a page":                     {media: "text/html", body: "\n<html>Log in</html>", fails: "sends a page in place of"},
		"a page for a stream":        {media: "text/event-stream", body: "<html>", fails: "set RAGNAV_LLM_URL"},
		"a key in an error": {
			media: "application/json", body: `{"error":{"message":"bad key ghp_` + "16C7e42F292c6912E7" + `710c838347Ae178B4a"}}`,
			fails: "bad key ****",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := client(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = []string{tc.media}
				_, _ = io.WriteString(w, tc.body)
			})
			got, err := c.Chat(t.Context(), question, nil)
			if got.Text != tc.text || (err == nil) != (tc.fails == "") || !strings.Contains(fault.MessageOf(err), tc.fails) {
				t.Errorf("%q, %v; want %q, %s", got.Text, err, tc.text, tc.fails)
			}
		})
	}
}

// What a server refuses is left out, once and for all.
func TestLessOfTheProtocol(t *testing.T) {
	refused := []string{"stream_options", "temperature", "max_tokens", "json_schema", "json_object", "tools"}
	var bodies []map[string]any
	c := client(t, func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		bodies = append(bodies, body)
		text := fmt.Sprint(body["response_format"])
		for _, part := range refused {
			if _, sent := body[part]; sent || strings.HasPrefix(part, "json") && strings.Contains(text, part) {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = fmt.Fprintf(w, `{"error":{"message":"this model does not support %s"}}`, part)
				return
			}
		}
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"{\"name\":\"get_file\",\"arguments\":{}}"}}]}`)
	})
	req := question
	req.Schema, req.MaxTokens = json.RawMessage(`{"type":"object"}`), 100
	for range 2 {
		got, err := c.Chat(t.Context(), req, nil)
		if err != nil || len(got.Calls) != 1 || got.Calls[0].Name != "get_file" {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if len(bodies) != len(refused)+2 {
		t.Errorf("%d requests, want %d refused and two taken", len(bodies), len(refused))
	}
	last := fmt.Sprint(bodies[len(bodies)-1])
	for _, want := range []string{"max_completion_tokens:100", `search_code`, `Reply with JSON of this schema only`} {
		if !strings.Contains(last, want) {
			t.Errorf("the last request has no %q: %s", want, last)
		}
	}
}

// A caller that leaves ends the work of the server.
func TestCancelReachesTheServer(t *testing.T) {
	ended := make(chan struct{})
	c := client(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // the connection is watched from then on
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, events(delta("It ")))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(ended)
	})
	ctx, cancel := context.WithCancel(t.Context())
	got, err := c.Chat(ctx, question, func(string) { cancel() })
	if !errors.Is(err, context.Canceled) || got.Text != "It" {
		t.Errorf("%+v, %v", got, err)
	}
	<-ended
}

// silence is a server that takes requests, or begins a reply, and says no more.
type silence struct{ begin bool }

func (s silence) RoundTrip(req *http.Request) (*http.Response, error) {
	if !s.begin {
		<-req.Context().Done()
		return nil, context.Cause(req.Context())
	}
	r, w := io.Pipe()
	context.AfterFunc(req.Context(), func() { _ = w.CloseWithError(context.Cause(req.Context())) })
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: r}, nil
}

func TestSilence(t *testing.T) {
	for name, begin := range map[string]bool{"before the reply": false, "within it": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := llm.New(llm.Settings{
					URL: "http://model/v1", Model: "m", Silence: 20 * time.Second,
					HTTP: &http.Client{Transport: silence{begin}},
				})
				from := time.Now()
				_, err := c.Chat(t.Context(), question, nil)
				if fault.CodeOf(err) != fault.LLMUnavailable || !strings.Contains(err.Error(), "silent") ||
					time.Since(from) != 20*time.Second {
					t.Errorf("%v after %v", err, time.Since(from))
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if _, err := c.Chat(ctx, question, nil); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("at a deadline: %v", err)
				}
			})
		})
	}
}

// Whatever a server streams, a reply is read to its end or is an error, and calls
// that were rescued from text are of tools there are.
func FuzzReplies(f *testing.F) {
	f.Add(events(delta("It is "), call(`"index":0,"id":"a","function":{"name":"search_code","arguments":"{}"}`), stop,
		usage, done))
	f.Add(events(call(`"index":9,"function":{"name":"x","arguments":{"a":1}}`), call(`"index":-1`), call(`"id":"b"`),
		stop))
	f.Add(events(delta("<think><think></think>"), delta("<tool_call>{\"name\":\"get_file\"}"), delta("[TOOL_CALLS][{}]"),
		stop))
	f.Add(events(`{"choices":[{"delta":null,"message":{"content":"[{\"tool_calls\":[{\"function\":{\"name\":\"get_file\"}}]}]"}}]}`, stop))
	f.Add("data\n\ndata: {\"error\":\"x\"}\n\n")
	f.Fuzz(func(t *testing.T, body string) {
		var handed strings.Builder
		c := llm.New(llm.Settings{URL: "http://model/v1", Model: "m", HTTP: &http.Client{Transport: replying(body)}})
		got, err := c.Chat(t.Context(), question, func(s string) { handed.WriteString(s) })
		for _, call := range got.Calls {
			if call.ID == "" || call.Arguments == "" {
				t.Errorf("a call without id or arguments: %+v", call)
			}
		}
		if err == nil && len(got.Calls) == 0 && strings.TrimSpace(handed.String()) != got.Text {
			t.Errorf("handed on %q of %q", handed.String(), got.Text)
		}
	})
}

// replying is a server whose every reply is a stream of this text.
type replying string

func (r replying) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(strings.NewReader(string(r))),
	}, nil
}
