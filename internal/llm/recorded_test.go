package llm_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ragnav/ragnav/internal/llm"
)

// record names a server, http://127.0.0.1:11434/v1, whose traffic is recorded
// anew: go test ./internal/llm -run Recorded -record URL. test/ollama says which
// models it must have.
var record = flag.String("record", "", "URL of a real server to record")

var toolbox = []llm.Tool{{Name: "search_code", About: "finds code", Parameters: map[string]any{
	"type": "object", "properties": map[string]any{
		"query": map[string]any{"type": "string"},
		"level": map[string]any{"type": "string"},
	},
}}}

// The conversations that were had with real servers. Files in testdata/recorded
// are named after them.
var conversations = map[string]struct {
	model string
	talk  func(t *testing.T, c *llm.Client)
}{
	"ollama-calls": {"scripted", func(t *testing.T, c *llm.Client) {
		req := llm.Request{
			Messages: []llm.Message{{Role: llm.User, Text: "how often is sending tried?"}}, Tools: toolbox,
			MaxTokens: 100,
		}
		first := chat(t, c, req)
		if len(first.Calls) != 1 || first.Calls[0].Name != "search_code" || first.Calls[0].Arguments == "" ||
			first.Text != "" || first.Usage.Estimated {
			t.Fatalf("first reply %+v", first)
		}
		for range 2 { // the model answers behind the second result
			req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: first.Calls},
				llm.Message{Role: llm.ToolRole, CallID: first.Calls[0].ID, Text: "it is in client.go"})
		}
		if last := chat(t, c, req); !strings.HasPrefix(last.Text, "Sending is tried three times [app/client.go:4].") ||
			len(last.Calls) != 0 {
			t.Errorf("last reply %+v", last)
		}
	}},
	"ollama-no-tools": {"plain", func(t *testing.T, c *llm.Client) {
		req := llm.Request{
			Messages: []llm.Message{{Role: llm.User, Text: "how often is sending tried?"}}, Tools: toolbox,
			MaxTokens: 100,
		}
		if got := chat(t, c, req); len(got.Calls) != 1 || got.Calls[0].Arguments != `{"query": "retry", "level": "symbol"}` {
			t.Errorf("a call as text is %+v", got)
		}
	}},
	"ollama-no-model": {"missing", func(t *testing.T, c *llm.Client) {
		_, err := c.Chat(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "x"}}}, nil)
		if err == nil || !strings.Contains(err.Error(),
			"check RAGNAV_LLM_MODEL and RAGNAV_LLM_URL: model 'missing' not found") {
			t.Errorf("got %v", err)
		}
	}},
	"ollama-length": {"endless", func(t *testing.T, c *llm.Client) {
		if got := chat(t, c, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "x"}}, MaxTokens: 5}); !got.Cut ||
			!strings.HasPrefix(got.Text, "and on") {
			t.Errorf("got %+v", got)
		}
	}},
}

func chat(t *testing.T, c *llm.Client, req llm.Request) llm.Reply {
	t.Helper()
	var text strings.Builder
	got, err := c.Chat(t.Context(), req, func(s string) { text.WriteString(s) })
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(text.String()) != got.Text {
		t.Errorf("handed on %q of %q", text.String(), got.Text)
	}
	return got
}

// Real servers' traffic, as it was: the requests are what is sent today, the
// replies are read as what they were.
func TestRecorded(t *testing.T) {
	for name, conversation := range conversations {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", "recorded", name+".txtar")
			tape := &tape{t: t}
			url := "http://model/v1"
			if *record != "" {
				url = *record
			} else {
				a, err := txtar.ParseFile(file)
				if err != nil {
					t.Fatal(err)
				}
				tape.Archive = a
			}
			conversation.talk(t, llm.New(llm.Settings{URL: url, Model: conversation.model, HTTP: &http.Client{Transport: tape}}))
			if *record == "" {
				return
			}
			if err := os.WriteFile(file, txtar.Format(tape.Archive), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A tape plays exchanges, or records them.
type tape struct {
	*txtar.Archive

	t *testing.T
	n int
}

// RoundTrip implements http.RoundTripper.
func (p *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	sent = indented(scrub(sent))
	if *record != "" {
		return p.record(r, sent)
	}
	if 2*p.n+1 >= len(p.Files) {
		p.t.Fatalf("the recording has %d requests only", p.n)
	}
	if diff := cmp.Diff(string(p.Files[2*p.n].Data), string(sent)); diff != "" {
		p.t.Errorf("request %d (-recorded +sent):\n%s", p.n+1, diff)
	}
	var status int
	var media string
	head, body, _ := bytes.Cut(p.Files[2*p.n+1].Data, []byte("\n"))
	if _, err := fmt.Sscan(string(head), &status, &media); err != nil {
		p.t.Fatal(err)
	}
	p.n++
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {media}},
		Body: io.NopCloser(bytes.NewReader(body)),
	}, nil
}

func (p *tape) record(r *http.Request, sent []byte) (*http.Response, error) {
	out := r.Clone(r.Context())
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(sent)), int64(len(sent))
	resp, err := http.DefaultTransport.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	body = scrub(body)
	if p.Archive == nil {
		p.Archive = &txtar.Archive{Comment: []byte("Recorded by TestRecorded -record; ids and times are scrubbed.\n")}
	}
	p.n++
	head := fmt.Sprintf("%d %s\n", resp.StatusCode, resp.Header.Get("Content-Type"))
	p.Files = append(p.Files, txtar.File{Name: fmt.Sprintf("request-%d.json", p.n), Data: sent},
		txtar.File{Name: fmt.Sprintf("reply-%d", p.n), Data: append([]byte(head), body...)})
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

var (
	ids   = regexp.MustCompile(`"(id|tool_call_id)":( ?)"(call_|chatcmpl-)[^"]*"`)
	times = regexp.MustCompile(`"created":\d+`)
)

func scrub(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("registry.ollama.ai/library/"), nil)
	return times.ReplaceAll(ids.ReplaceAll(text, []byte(`"$1":$2"${3}0"`)), []byte(`"created":0`))
}

func indented(text []byte) []byte {
	var b bytes.Buffer
	if json.Indent(&b, text, "", " ") != nil {
		return text
	}
	return append(b.Bytes(), '\n')
}
