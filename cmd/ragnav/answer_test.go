package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/llm/llmtest"
	"github.com/ragnav/ragnav/internal/parallel"
)

// reader is a language model that reads, answers, and lies once.
func reader(t *testing.T) *llmtest.Server {
	return llmtest.New(
		t,
		llmtest.Turn{Calls: []llm.Call{
			{ID: "call_a", Name: "get_file", Arguments: `{"repo_id":"clock","file_path":"retry/retry.go"}`},
			{ID: "call_b", Name: "outline", Arguments: `{"repo_id":"clock","file_path":"clock/parse.go"}`},
		}},
		llmtest.Turn{Text: "`Do` calls a function until it works [clock/retry/retry.go:4-7].\n" +
			"It sleeps for a minute in between [clock/retry/retry.go:90-99]."},
	)
}

// withModel has the shell's programs ask a language model.
func (sh shell) withModel(s *llmtest.Server) shell {
	sh.env["RAGNAV_LLM_URL"], sh.env["RAGNAV_LLM_MODEL"] = s.URL, "scripted"
	return sh
}

const retried = "how are things done again?"

var (
	perRun    = regexp.MustCompile(`"(?:request_id|took_ms|created|last_indexed_at|id|prompt_tokens)":("[^"]*"|[0-9.e-]+)`)
	extracted = regexp.MustCompile(`"levels_searched":\[[^\]]*\],"steps":\[.*?(\{"operation":"get_file","detail":"\{)`)
)

// same is a transcript without what differs from run to run, and without what
// the extractive answer looked at.
func same(text string) string {
	text = extracted.ReplaceAllString(text, `"steps":[…,$1`)
	return perRun.ReplaceAllStringFunc(text, func(m string) string {
		name, _, _ := strings.Cut(m, ":")
		return name + `:"*"`
	})
}

// The answer of a language model, through all that asks: what is read, said,
// checked and dropped.
func TestAnswers(t *testing.T) {
	sh := newShell(t).withModel(reader(t))
	sh.run("index", writeRepo(t, "clock", clockRepo))
	t.Run("ask", func(t *testing.T) {
		out, errs, exit := sh.try("ask", "-r", "clock", retried)
		compare(t, fmt.Sprintf("%s-- stderr, exit %d --\n%s", out, exit, errs))
	})
	t.Run("json", func(t *testing.T) { compare(t, same(sh.run("ask", "--json", retried))) })
	t.Run("text", func(t *testing.T) { compare(t, sh.run("ask", "--text", retried)) })
	t.Run("chat", func(t *testing.T) {
		compare(t, sh.dictate(t, retried+"\n\n/nonsense is a question too\n/new\nand now?\n/exit\nnever"))
	})
}

// dictate is what `ragnav chat` says to these lines.
func (sh shell) dictate(t *testing.T, lines string) string {
	t.Helper()
	var out, errs bytes.Buffer
	s := cli.NewSession(term.New(&out, &errs, sh.getenv), sh.getenv)
	root := newRoot(s)
	root.SetArgs([]string{"chat", "-r", "clock"})
	root.SetIn(strings.NewReader(lines))
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return out.String() + "-- stderr --\n" + errs.String()
}

// A chat tells the model what was said before, until it begins anew.
func TestChatHistory(t *testing.T) {
	model := reader(t)
	sh := newShell(t).withModel(model)
	sh.run("index", writeRepo(t, "clock", clockRepo))
	sh.dictate(t, "first question of things done again?\nsecond, how does it do so?\n/new\nthird, does it do so again?\n")
	var told []string
	for _, body := range model.Asked() {
		var req struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal([]byte(body), &req); err != nil {
			t.Fatal(err)
		}
		if last := req.Messages[len(req.Messages)-1]; !strings.HasPrefix(last.Content, "Question: ") {
			continue // it has read since
		}
		text := ""
		for _, m := range req.Messages[1:] {
			text += m.Role + " "
			for _, n := range []string{"first", "second", "third"} {
				if strings.Contains(m.Content, n+" question") || strings.Contains(m.Content, n+",") {
					text += n + " "
				}
			}
		}
		told = append(told, strings.TrimSpace(text))
	}
	if got := strings.Join(told, " | "); got != "user first | user first assistant user second | user third" {
		t.Errorf("the model was told %s", got)
	}
}

// While a chat waits for a question others can write to the index.
func TestChatLetsOthersWrite(t *testing.T) {
	sh, root := newShell(t), writeRepo(t, "clock", clockRepo)
	sh.run("index", root)
	questions, asking := io.Pipe()
	var out, errs bytes.Buffer
	s := cli.NewSession(term.New(&out, &errs, sh.getenv), sh.getenv)
	chat := newRoot(s)
	chat.SetArgs([]string{"chat"})
	chat.SetIn(questions)
	done := make(chan error, 1)
	go func() { done <- chat.ExecuteContext(t.Context()) }()
	ask := func(question string) {
		t.Helper()
		if _, err := io.WriteString(asking, question+"\n"); err != nil {
			t.Error(err)
		}
	}
	ask("how are timestamps parsed?")
	ask("") // is read when the first one is answered
	sh.run("index", root)
	ask("how are retries done?")
	if err := asking.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := out.String(); !strings.Contains(got, "clock/parse.go") || !strings.Contains(got, "retry/retry.go") {
		t.Errorf("not both questions are answered:\n%s%s", got, errs.String())
	}
}

// Where nobody sees that a question failed, the exit code tells it; with --json each
// has its reply.
func TestChatFailures(t *testing.T) {
	sh := newShell(t)
	sh.run("index", writeRepo(t, "clock", clockRepo))
	for _, test := range []struct {
		lines string
		flags []string
		exit  int
		says  string
	}{
		{lines: "what is it?", flags: []string{"-r", "watch"}, exit: 3, says: `no repository matches "watch"`},
		{lines: "what is it?\n/exit\n", flags: []string{"-r", "watch"}, exit: 3, says: `no repository matches "watch"`},
		{lines: "/help\n/?\n", says: "/help is no command; there are /new and /exit"},
		{lines: strings.Repeat("x", 1<<20+1), exit: 2, says: "a line is longer than 1048576 bytes"},
		{lines: "why?\nhow?\n", flags: []string{"--json", "-r", "watch"}, exit: 3, says: "REPO_NOT_FOUND"},
	} {
		var out, errs bytes.Buffer
		s := cli.NewSession(term.New(&out, &errs, sh.getenv), sh.getenv)
		root := newRoot(s)
		args := append([]string{"chat"}, test.flags...)
		root.SetArgs(args)
		root.SetIn(strings.NewReader(test.lines))
		exit := s.Exit(t.Context(), root, args, root.ExecuteContext(t.Context()))
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		said := out.String() + errs.String()
		if exit != test.exit || strings.Count(said, test.says) != max(1, strings.Count(out.String(), "\n")) {
			t.Errorf("%.60q: exit %d, want %d: %.600s", test.lines, exit, test.exit, said)
		}
	}
}

// The same over HTTP, and how long an answer may take is not the limit of other requests.
func TestAnswersOverHTTP(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it starts a server")
	}
	sh := newShell(t).withModel(reader(t))
	server := sh.serve()
	sh.run("index", writeRepo(t, "clock", clockRepo))
	body := `{"query":"` + retried + `"}`
	chat := `{"model":"ragnav/clock","stream":true,"messages":[{"role":"user","content":"` + retried + `"}]}`
	t.Run("REST", func(t *testing.T) { compare(t, same(server.send(t, "POST", "/api/rag/", body))) })
	t.Run("SSE", func(t *testing.T) { compare(t, same(server.events(t, "/api/rag/", body))) })
	t.Run("chat", func(t *testing.T) { compare(t, same(server.events(t, "/v1/chat/completions", chat))) })
	t.Run("through", func(t *testing.T) {
		out, errs, exit := sh.try("ask", "-r", "clock", retried)
		compare(t, fmt.Sprintf("%s-- stderr, exit %d --\n%s", out, exit, errs))
	})
}

// Whoever asks and leaves ends the model's work.
func TestLeavingEndsTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it starts a server")
	}
	model := llmtest.New(t, llmtest.Turn{Text: "It is ", Silent: true})
	sh := newShell(t).withModel(model)
	server := sh.serve()
	sh.run("index", writeRepo(t, "clock", clockRepo))
	for _, request := range []struct{ path, accept, body string }{
		{"/api/rag/", "application/json", `{"query":"` + retried + `"}`},
		{"/api/rag/", "text/event-stream", `{"query":"` + retried + `"}`},
		{
			"/v1/chat/completions", "*/*",
			`{"model":"ragnav","stream":true,"messages":[{"role":"user","content":"` + retried + `"}]}`,
		},
	} {
		ctx, leave := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.url+request.path, strings.NewReader(request.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", request.accept)
		before := len(model.Asked())
		ended := parallel.Start(func() error {
			resp, err := http.DefaultClient.Do(req)
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
			return err
		})
		for len(model.Asked()) == before {
			time.Sleep(time.Millisecond) // between two polls
		}
		leave()
		<-model.Left()
		if err := <-ended; err == nil {
			t.Errorf("%v: the reply ended", request)
		}
	}
}

// events is the stream that a request gets.
func (p *process) events(t *testing.T, path, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%s, %v", resp.Header.Get("Content-Type"), err)
	}
	return string(text)
}

// What a model's server does wrong is the extractive answer and a word why.
func TestModelFaults(t *testing.T) {
	read := llmtest.Turn{Calls: []llm.Call{{
		ID: "c", Name: "get_file",
		Arguments: `{"repo_id":"clock","file_path":"retry/retry.go"}`,
	}}}
	for name, tc := range map[string]struct {
		turns []llmtest.Turn
		says  string
		whole bool // the answer is the model's
	}{
		"overloaded": {turns: []llmtest.Turn{{Status: 429, Text: "slow down"}}, says: "has too much to do (HTTP 429)"},
		"broken":     {turns: []llmtest.Turn{{Status: 500, Text: "out of memory"}}, says: "HTTP 500): out of memory"},
		"no model":   {turns: []llmtest.Turn{{Status: 404, Text: "model not found"}}, says: "check RAGNAV_LLM_MODEL"},
		"silent":     {turns: []llmtest.Turn{read, {Silent: true}}, says: "took too long"},
		"endless":    {turns: []llmtest.Turn{read}, says: "goes on calling tools"},
		"cut":        {turns: []llmtest.Turn{read, {Text: "It calls ", Cut: true}}, says: "broke off"},
		"cut behind": {
			turns: []llmtest.Turn{
				read,
				{Text: "It is done again [clock/retry/retry.go:5].\nAnd then ", Cut: true},
			}, says: "the answer breaks off",
			whole: true,
		},
		"no calls": {turns: []llmtest.Turn{
			{Calls: []llm.Call{{ID: "x", Name: "get_file", Arguments: `{"repo_id":`}}},
			{Text: "It is done again [clock/retry/retry.go:4-7]."},
		}, whole: true},
		"lies only":   {turns: []llmtest.Turn{{Text: "It sleeps [clock/clock/parse.go:400]."}}, says: "could be checked"},
		"not English": {turns: []llmtest.Turn{{Text: "\x00\xff�"}}, says: "could be checked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sh := newShell(t).withModel(llmtest.New(t, tc.turns...))
			sh.env["RAGNAV_LLM_TIMEOUT"] = "1500ms"
			sh.run("index", "--no-graph", writeRepo(t, "clock", clockRepo))
			out, errs, exit := sh.try("ask", "--json", "how does retry call a function until it works?")
			if exit != 0 || !strings.Contains(out, tc.says) || strings.Contains(out, `"citations":[]`) {
				t.Errorf("exit %d: %s%s", exit, out, errs)
			}
			if extractive := strings.Contains(out, "the answer is extractive"); extractive == tc.whole {
				t.Errorf("extractive %v: %s", extractive, out)
			}
		})
	}
}
