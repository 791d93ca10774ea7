package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/llm/scripted"
	"github.com/ragnav/ragnav/internal/rag/agent"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A model reads over several hops, and what it says is cited.
func TestAnswer(t *testing.T) {
	m := script(
		scripted.Calls("search_code", `{"query":"retry"}`, "get_file", readClient),
		scripted.Calls("where_used", `{"repo_id":"app","symbol":"Retry"}`),
		scripted.Says("Sending is tried three times [o/app/client.go:4].\n\n"+
			"- The loop is in `Retry` [o/app/client.go:6-10].\n"+
			"- Serve calls it. [serve.go:3-5]\n\nGaps:\n- Whether it waits in between.\n"))
	resp, events := asked(t, files(), agent.Options{Model: m}, ask.Request{})
	a := resp.Items[0]
	want := models.Answer{
		Answer: "Sending is tried three times [1].\n\n- The loop is in `Retry` [2].\n- Serve calls it [3].",
		Citations: []models.Citation{
			{N: 1, RepoID: "o/app", FilePath: "client.go", StartLine: 4, EndLine: 4, Verified: true},
			{N: 2, RepoID: "o/app", FilePath: "client.go", StartLine: 6, EndLine: 10, Verified: true},
			{N: 3, RepoID: "o/app", FilePath: "serve.go", StartLine: 3, EndLine: 5, Verified: true},
		},
		Gaps: []string{"Whether it waits in between."}, Confidence: 1, LevelsSearched: []models.Level{models.LevelSymbol},
		Steps: []models.Step{
			{Operation: "search_code", Detail: "q", Items: 1},
			{Operation: "search_code", Detail: `{"query":"retry"}`, Items: 1},
			{Operation: "get_file", Detail: readClient, Items: 1},
			{Operation: "where_used", Detail: `{"repo_id":"app","symbol":"Retry"}`, Items: 1},
		},
		Usage: a.Usage,
	}
	if diff := cmp.Diff(want, a); diff != "" || a.Usage.Model != "scripted" || a.Usage.PromptTokens == 0 {
		t.Errorf("usage %+v, answer (-want +got):\n%s", a.Usage, diff)
	}
	var names []string
	for _, e := range events {
		if name, _ := e.Parts(); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	order := "plan tool_call tool_result tool_call tool_result citation delta citation delta citation delta usage"
	if got := strings.Join(names, " "); got != order {
		t.Errorf("events %s\nwant   %s", got, order)
	}
	if first := m.Asked()[0].Messages[1].Text; !strings.Contains(first, "**Retry**") || len(m.Asked()[0].Tools) < 7 {
		t.Errorf("it starts from %q with %d tools", first, len(m.Asked()[0].Tools))
	}
}

// What is wrong with a call is told to the model, which goes on.
func TestCalls(t *testing.T) {
	for name, tc := range map[string]struct {
		call, args string
		req        ask.Request
		want       string
	}{
		"no such tool": {call: "rm", args: `{}`, want: `ERROR INVALID_REQUEST: there is no tool "rm"`},
		"no JSON": {
			call: "get_file", args: `{"repo_id":`,
			want: "ERROR INVALID_REQUEST: the arguments of get_file must be one JSON object",
		},
		"no object": {call: "get_file", args: `[1]`, want: "must be one JSON object"},
		"no such argument": {
			call: "get_file", args: `{"repo_id":"o/app","pth":"a"}`,
			want: `get_file has no argument "pth"; it has`,
		},
		"no such file": {
			call: "get_file", args: `{"repo_id":"o/app","file_path":"x.go"}`,
			want: "ERROR PATH_NOT_FOUND: o/app has no file x.go",
		},
		"a repository by its end": {
			call: "get_file", args: `{"repo_id":"app","file_path":"serve.go"}`,
			want: "4\t\tRetry()",
		},
		"no repository of several": {call: "get_file", args: `{"file_path":"serve.go"}`, want: "repo_id is required"},
		"the one of the question": {
			call: "get_file", args: `{"file_path":"serve.go"}`,
			req: ask.Request{RepoFilter: "o/app"}, want: "4\t\tRetry()",
		},
		"out of the question": {
			call: "get_file", args: `{"repo_id":"o/other","file_path":"secret.go"}`,
			req: ask.Request{RepoFilter: "o/app"}, want: "ERROR REPO_NOT_FOUND",
		},
		"its search": {
			call: "search_code", args: `{"query":"x","repo_filter":"o/other"}`,
			req: ask.Request{RepoFilter: "o/app"}, want: "ERROR REPO_NOT_FOUND",
		},
		"lists are for whoever asks all": {
			call: "list_repos", args: `{}`, req: ask.Request{RepoFilter: "o/app"},
			want: "there is no tool",
		},
		"a panic": {call: "search_code", args: `{"query":"panic"}`, want: "ERROR INTERNAL"},
		"numbers as text": {
			call: "get_file",
			args: `{"repo_id":"o/app","file_path":"serve.go","start_line":"4","end_line":4.0}`, want: "4\t\tRetry()",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := script(scripted.Calls(tc.call, tc.args), scripted.Says("It is in [o/app/client.go:6-10]."))
			resp, events := asked(t, files(), agent.Options{Model: m}, tc.req)
			messages := m.Asked()[1].Messages
			if got := messages[len(messages)-1]; got.Role != llm.ToolRole || !strings.Contains(got.Text, tc.want) ||
				strings.Contains(got.Text, "s3cret") {
				t.Errorf("the model was told %q, want %q", got.Text, tc.want)
			}
			if len(resp.Meta.Warnings) > 0 || len(resp.Items[0].Citations) != 1 {
				t.Errorf("warnings %v, answer %+v", resp.Meta.Warnings, resp.Items[0])
			}
			at := slices.IndexFunc(events, func(e ask.Event) bool { return e.ToolResult != nil })
			if res := events[at].ToolResult; res.Error != strings.Contains(tc.want, "ERROR") &&
				!strings.Contains(tc.want, "4\t") && !res.Error {
				t.Errorf("result %+v", res)
			}
		})
	}
}

// The same call is not done twice, also not beside itself, and a loop of them ends.
func TestRepeatedCalls(t *testing.T) {
	read := scripted.Calls("get_file", readClient, "get_file", `{"file_path":"client.go", "repo_id":"o/app"}`)
	m := script(read, read, read, scripted.Says("Three times [o/app/client.go:4]."))
	resp, events := asked(t, files(), agent.Options{Model: m}, ask.Request{})
	cached := 0
	for _, e := range events {
		if e.ToolResult != nil && e.ToolResult.Cached {
			cached++
		}
	}
	if steps := resp.Items[0].Steps; cached != 5 || len(steps) != 2 {
		t.Errorf("%d from memory, steps %v", cached, steps)
	}
	asked := m.Asked()
	last := asked[len(asked)-1]
	if !last.Answer || !strings.Contains(last.Messages[len(last.Messages)-1].Text, "Answer now") ||
		!strings.Contains(last.Messages[len(last.Messages)-2].Text, "made before") {
		t.Errorf("the last request does not ask for the answer: %+v", last.Messages[len(last.Messages)-1])
	}
}

// Within each budget the last turn is asked for the answer.
func TestBudgets(t *testing.T) {
	different := func(n int) scripted.Turn {
		return scripted.Calls("get_file", fmt.Sprintf(`{"repo_id":"o/app","file_path":"client.go","end_line":%d}`, n))
	}
	for name, tc := range map[string]struct {
		limits agent.Limits
		budget ask.Budget
		turns  int
	}{
		"steps of the request": {budget: ask.Budget{MaxSteps: new(2)}, turns: 2},
		"calls of the request": {budget: ask.Budget{MaxCalls: new(3)}, turns: 4},
		"tokens":               {limits: agent.Limits{Tokens: 10_000}, turns: 2},
		"the window":           {limits: agent.Limits{Context: 4_600}, turns: 1},
		"steps":                {turns: 8},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted.Model{}
			for i := range 20 {
				m.Turns = append(m.Turns, func(ctx context.Context, req llm.Request) (llm.Reply, error) {
					if req.Answer {
						return llm.Reply{Text: "Three times [o/app/client.go:6-10]."}, nil
					}
					return different(i+1)(ctx, req)
				})
			}
			resp, _ := asked(t, files(), agent.Options{Model: m, Limits: tc.limits}, ask.Request{Budget: &tc.budget})
			a := resp.Items[0]
			if len(m.Asked()) != tc.turns || len(a.Citations) != 1 || len(resp.Meta.Warnings) > 0 {
				t.Errorf("%d turns, want %d; %+v, %v", len(m.Asked()), tc.turns, a, resp.Meta.Warnings)
			}
			if spent := a.Usage.PromptTokens + a.Usage.CompletionTokens; tc.limits.Tokens > 0 && spent > tc.limits.Tokens ||
				spent > 40_000 {
				t.Errorf("%d tokens", spent)
			}
		})
	}
}

// Whatever a model fails by, there is the extractive answer and a word why, or
// what it had said by then, in time.
func TestFaults(t *testing.T) {
	unavailable := fault.New(fault.LLMUnavailable, "no language model answers at http://model")
	forever := func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
		<-ctx.Done()
		return llm.Reply{}, ctx.Err()
	}
	loop := func(context.Context, llm.Request) (llm.Reply, error) {
		return llm.Reply{Calls: []llm.Call{{ID: "1", Name: "search_code", Arguments: `{"query":"again"}`}}}, nil
	}
	slow := func(ctx context.Context, req llm.Request) (llm.Reply, error) {
		time.Sleep(12 * time.Second)
		if req.Answer {
			return llm.Reply{Text: "Three times [o/app/client.go:4]."}, nil
		}
		return scripted.Calls("get_file", readClient)(ctx, req)
	}
	for name, tc := range map[string]struct {
		turns   []scripted.Turn
		code    fault.Code // of the warning
		says    string
		partial string // the answer, where it is not the extractive one
	}{
		"never there": {
			turns: []scripted.Turn{scripted.Fails("", unavailable)}, code: fault.LLMUnavailable,
			says: "no language model answers",
		},
		"gone in the middle": {
			turns: []scripted.Turn{scripted.Calls("get_file", readClient), scripted.Fails("", unavailable)},
			code:  fault.LLMUnavailable, says: "no language model answers",
		},
		"silent": {turns: []scripted.Turn{forever}, code: fault.Timeout, says: "took too long"},
		"endless calls": {
			turns: []scripted.Turn{loop, loop, loop, loop, loop, loop, loop, loop, loop, loop},
			code:  fault.LLMUnavailable, says: "goes on calling",
		},
		"says nothing": {
			turns: []scripted.Turn{scripted.Says(""), scripted.Says(""), scripted.Says(""), scripted.Says("")},
			code:  fault.LLMUnavailable, says: "answers with nothing",
		},
		"cites nothing": {turns: []scripted.Turn{
			scripted.Says("It is three."), scripted.Says("Three."),
			scripted.Says("It is three, trust me."),
		}, code: fault.LLMUnavailable, says: "could be checked"},
		"an inner error": {
			turns: []scripted.Turn{scripted.Fails("", fmt.Errorf("s3cret"))}, code: fault.LLMUnavailable,
			says: "the answer is extractive",
		},
		"cut in the answer": {
			turns: []scripted.Turn{
				scripted.Calls("get_file", readClient),
				scripted.Fails("Three times [o/app/client.go:4].\nAnd then it [o/app/cl", unavailable),
			},
			partial: "Three times [1].\nAnd then it",
		},
		"slow": {turns: []scripted.Turn{slow, slow, slow, slow}, partial: "Three times [1]."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				from := time.Now()
				resp, _ := asked(t, files(), agent.Options{Model: script(tc.turns...)}, ask.Request{})
				a := resp.Items[0]
				if took := time.Since(from); took > 45*time.Second {
					t.Errorf("it took %v", took)
				}
				if tc.partial != "" {
					if a.Answer != tc.partial || len(a.Citations) != 1 || resp.Meta.Status != models.StatusOK {
						t.Errorf("answer %+v", a)
					}
					return
				}
				w := resp.Meta.Warnings
				if !strings.HasPrefix(a.Answer, "Extractive") || len(w) != 1 || w[0].Code != string(tc.code) ||
					!strings.Contains(w[0].Message, tc.says) || strings.Contains(w[0].Message, "s3cret") {
					t.Errorf("answer %q, warnings %v", a.Answer, w)
				}
			})
		})
	}
}

// A model that calls tools in place of the answer is asked without any; one that
// does both has answered.
func TestLastTurn(t *testing.T) {
	for name, says := range map[string]scripted.Turn{
		"calls as long as it can": func(ctx context.Context, req llm.Request) (llm.Reply, error) {
			if len(req.Tools) > 0 {
				return scripted.Calls("get_file", readClient)(ctx, req)
			}
			return llm.Reply{Text: "Three times [client.go:4]."}, nil
		},
		"says it and calls": func(ctx context.Context, req llm.Request) (llm.Reply, error) {
			reply, err := scripted.Calls("get_file", readClient)(ctx, req)
			if req.Answer {
				reply.Text = "Three times [client.go:4]."
			}
			return reply, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			resp, _ := asked(t, files(), agent.Options{Model: script(says, says, says)},
				ask.Request{Budget: &ask.Budget{MaxSteps: new(2)}})
			if a := resp.Items[0]; a.Answer != "Three times [1]." || len(resp.Meta.Warnings) > 0 {
				t.Errorf("%+v, %v", a, resp.Meta.Warnings)
			}
		})
	}
}

// A client that leaves ends the run.
func TestClientLeaves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := script(func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
		cancel()
		<-ctx.Done()
		return llm.Reply{}, ctx.Err()
	})
	s := agent.New(agent.Options{Model: m, Ops: files().ops(), Extract: found})
	if _, err := s.Ask(ctx, ask.Request{Query: "x"}, nil); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("got %v", err)
	}
}

// A deadline of the request is kept, with time to send the answer.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		m := script(func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
			<-ctx.Done()
			return llm.Reply{}, ctx.Err()
		})
		from := time.Now()
		resp, err := agent.New(agent.Options{Model: m, Ops: files().ops(), Extract: found}).Ask(ctx, ask.Request{Query: "x"},
			nil)
		if err != nil || len(resp.Meta.Warnings) != 1 || time.Since(from) != 8*time.Second {
			t.Errorf("%v after %v: %v", err, time.Since(from), resp.Meta.Warnings)
		}
	})
}

func TestOutOfScope(t *testing.T) {
	resp, _ := asked(t, files(),
		agent.Options{Model: script(scripted.Says("OUT_OF_SCOPE: this is about bread, not code."))},
		ask.Request{Query: "how do I bake bread?"})
	a := resp.Items[0]
	if !a.OutOfScope || a.Answer != "this is about bread, not code. [no source]" || resp.Meta.Message == nil ||
		len(a.Gaps) != 0 {
		t.Errorf("%+v, %v", a, resp.Meta.Message)
	}
}

// Without a model the extractive answer is told as a stream would.
func TestWithoutModel(t *testing.T) {
	resp, events := asked(t, files(), agent.Options{}, ask.Request{})
	if a := resp.Items[0]; len(a.Citations) != 1 || len(events) != 4 || events[0].Plan.Model != "" {
		t.Errorf("%+v, %d events", a, len(events))
	}
}

// The newest turns of a conversation are told, as many as fit.
func TestHistory(t *testing.T) {
	long := strings.Repeat("word ", 1500)
	m := script(scripted.Says("Three times [o/app/client.go:6-10]."))
	asked(t, files(), agent.Options{Model: m},
		ask.Request{History: []ask.Message{
			{Role: "user", Content: long},
			{Role: "user", Content: "and retries?"},
			{Role: "assistant", Content: long},
		}})
	var got []llm.Role
	for _, msg := range m.Asked()[0].Messages {
		got = append(got, msg.Role)
	}
	if diff := cmp.Diff([]llm.Role{llm.System, llm.User, llm.Assistant, llm.User}, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}
