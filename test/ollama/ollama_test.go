package ollama

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/llm"
)

// The environment says where the programs are. Without Ollama there is no test.
const (
	envOllama = "RAGNAV_TEST_OLLAMA" // the program, as built from github.com/ollama/ollama
	envBin    = "RAGNAV_TEST_BIN"    // the folder with ragnav and api-server
)

const answer = "Sending is tried three times [1]. It never gives up. [no source]"

// server starts an Ollama with the models and returns its address.
func server(t *testing.T) string {
	t.Helper()
	program := os.Getenv(envOllama)
	if program == "" {
		t.Skipf("SKIPPED: no Ollama; build github.com/ollama/ollama and name the program by %s", envOllama)
	}
	home := t.TempDir()
	addr := free(t)
	env := append(os.Environ(), "OLLAMA_HOST="+addr, "OLLAMA_MODELS="+filepath.Join(home, "models"), "HOME="+home,
		"OLLAMA_NUM_PARALLEL=1")
	start(t, env, io.Discard, program, "serve")
	await(t, "http://"+addr+"/api/version")
	for _, m := range models() {
		weights, file := filepath.Join(home, m.name+".gguf"), filepath.Join(home, m.name)
		write(t, weights, m.model.file())
		write(t, file, fmt.Appendf(nil, "FROM %s\nTEMPLATE \"\"\"%s\"\"\"\nPARAMETER num_ctx 8192\n", weights, m.template))
		cmd := exec.CommandContext(t.Context(), program, "create", m.name, "-f", file)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("ollama create: %v\n%s", err, out)
		}
	}
	return "http://" + addr
}

// A client that leaves ends the work of the model: the next request, for which
// there is no other place, is served.
func TestCancel(t *testing.T) {
	c := llm.New(llm.Settings{URL: server(t) + "/v1", Model: "endless"})
	req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "x"}}}
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		said := 0
		_, err := c.Chat(ctx, req, func(string) {
			if said++; said == 3 {
				cancel()
			}
		})
		if cancel(); err == nil || said < 3 {
			t.Fatalf("%v after %d pieces", err, said)
		}
	}
}

// The programs, with the model: it searches, reads, answers, and lies once.
func TestPrograms(t *testing.T) {
	url := server(t)
	bin, dir := os.Getenv(envBin), t.TempDir()
	root := filepath.Join(dir, "app")
	write(t, filepath.Join(root, "client.go"),
		[]byte("package app\n\n// Limit bounds retries.\nconst Limit = 3\n\nfunc Retry() {\n\tfor range Limit {\n"+
			"\t\tsend()\n\t}\n}\n"))
	env := append(os.Environ(), "RAGNAV_STORE=embedded:"+filepath.Join(dir, "data"), "RAGNAV_LLM_URL="+url,
		"RAGNAV_LLM_MODEL=scripted")
	ragnav := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "ragnav"), args...)
		cmd.Env = env
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("ragnav %v: %v\n%s", args, err, errs.String())
		}
		return string(out) + errs.String()
	}
	ragnav("index", root)
	const question = "how often is sending tried again?"
	holds(t, "ragnav ask", ragnav("ask", question), answer, "[1] app client.go:4  (checked)",
		"app/client.go:400-410 was not read", "search_code", "get_file")
	holds(t, "ragnav ask --json", ragnav("ask", "--json", question), answer, `"model":"scripted"`, `"confidence":0.5`)

	addr := free(t)
	start(t, append(env, "RAGNAV_ADDR="+addr), io.Discard, filepath.Join(bin, "api-server"))
	await(t, "http://"+addr+"/healthz")
	rest := "http://" + addr + "/api/rag/"
	body := `{"query":"` + question + `"}`
	holds(t, "REST", post(t, rest, "application/json", body), answer, "CITATIONS_DROPPED")
	holds(t, "SSE", post(t, rest, "text/event-stream", body), "event: plan", "event: tool_call", `"name":"get_file"`,
		"event: citation", "event: done", answer)
	chat := `{"model":"ragnav","stream":%v,"messages":[{"role":"user","content":"` + question + `"}]}`
	holds(t, "chat", post(t, "http://"+addr+"/v1/chat/completions", "*/*", fmt.Sprintf(chat, false)), answer,
		"`app/client.go:4-4`")
	stream := post(t, "http://"+addr+"/v1/chat/completions", "*/*", fmt.Sprintf(chat, true))
	holds(t, "chat stream", strings.Join(contents(stream), ""), answer)
	holds(t, "ragnav chat", ragnav("ask", question), answer) // through the server
}

var content = regexp.MustCompile(`"content":"([^"]*)"`)

func contents(stream string) (texts []string) {
	for _, m := range content.FindAllStringSubmatch(stream, -1) {
		texts = append(texts, m[1])
	}
	return texts
}

func holds(t *testing.T, what, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%s has no %q:\n%s", what, w, got)
		}
	}
}

func post(t *testing.T, url, accept, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// start runs a program until the test ends.
func start(t *testing.T, env []string, out io.Writer, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			_ = cmd.Process.Kill() // has ended, or the system knows no such signal
		}
		_ = cmd.Wait()
	})
}

// await asks until a server answers.
func await(t *testing.T, url string) {
	t.Helper()
	end := time.Now().Add(30 * time.Second)
	for {
		resp, err := http.Get(url)
		if err == nil {
			_ = resp.Body.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // between two polls
	}
}

func free(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	return ln.Addr().String()
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
