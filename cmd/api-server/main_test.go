package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi/apitest"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// TestMain lets the test binary be the parser process that servers start.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == app.ParseWorker {
		main()
		return
	}
	os.Exit(m.Run())
}

// patience is how long a test waits for the server to do something.
const patience = 10 * time.Minute

// A program is the server, running in this process.
type program struct {
	t      *testing.T
	url    string
	store  string
	stop   context.CancelFunc // as SIGTERM
	ended  chan error
	stderr bytes.Buffer // complete once ended
}

var serverURL = regexp.MustCompile(`http://(?:[0-9.]+|\[[0-9a-f:]+\]):\d+`)

// start runs the server on a free port and waits until it says where.
func start(t *testing.T, store string, args ...string) *program {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	p := &program{t: t, store: store, stop: stop, ended: make(chan error, 1)}
	said, stdout := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.ended <- run(ctx, append([]string{"--addr", "127.0.0.1:0", "--store", "embedded:" + store}, args...), noEnv, stdout,
			&p.stderr)
		_ = stdout.Close()
	}()
	t.Cleanup(func() { // its folders go next
		stop()
		<-done
	})
	line := make([]byte, 200)
	n, _ := said.Read(line)
	if p.url = serverURL.FindString(string(line[:n])); p.url == "" {
		t.Fatalf("the server said %q and ended with %v", line[:n], <-p.ended)
	}
	return p
}

// wait is what run returned.
func (p *program) wait() error {
	p.t.Helper()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(patience):
		p.t.Fatal("the server does not end")
	}
	return nil
}

// call sends a request and checks the reply against the API document.
func (p *program) call(method, path, contentType, body string) (int, models.Result[json.RawMessage]) {
	p.t.Helper()
	status, text := p.raw(method, path, contentType, body)
	var reply models.Result[json.RawMessage]
	if err := json.Unmarshal(text, &reply); err != nil {
		p.t.Fatalf("%s %s: %q: %v", method, path, text, err)
	}
	return status, reply
}

// raw is call with the bytes of the reply.
func (p *program) raw(method, path, contentType, body string) (int, []byte) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	apitest.Check(p.t, method, path, resp.StatusCode, text)
	return resp.StatusCode, text
}

func (p *program) post(path, body string) (int, models.Result[json.RawMessage]) {
	p.t.Helper()
	return p.call(http.MethodPost, path, "application/json", body)
}

// indexed waits until a repository is searchable.
func (p *program) indexed(id string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		_, reply := p.call(http.MethodGet, "/api/index/jobs?repo_id="+id, "", "")
		for _, item := range reply.Items {
			var job index.Job
			if err := json.Unmarshal(item, &job); err != nil {
				p.t.Fatal(err)
			}
			if job.State == index.JobDone {
				return
			}
			if job.State.Final() {
				p.t.Fatalf("the job ended as %s", item)
			}
		}
		select {
		case <-ctx.Done():
			p.t.Fatalf("%s was not indexed within %v", id, patience)
		case <-tick.C:
		}
	}
}

func noEnv(string) string { return "" }

// repository writes a small repository with everything that can go wrong in one.
func repository(t *testing.T) string {
	t.Helper()
	base := t.TempDir()
	root := filepath.Join(base, "odd")
	for path, text := range map[string]string{
		"odd/main.go":       "package main\n\n// main says hello.\nfunc main() {\n\tprintln(\"hello\")\n}\n",
		"odd/latin1.go":     "package main\n\n// caf\xe9 brews coffee.\nfunc brew() {}\n",
		"odd/image.png":     "\x89PNG\r\n\x1a\n\x00\x00",
		"odd/empty.go":      "",
		"odd/docs/guide.md": "# Guide\n\nHow to say hello.\n",
		"secret.txt":        "outside\n",
	} {
		full := filepath.Join(base, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join("..", "secret.txt"), filepath.Join(root, "link.txt")); err != nil {
		t.Fatal(err)
	}
	return root
}

// Bad input is answered by the envelope and the code that the contract names.
func TestBadInput(t *testing.T) {
	root := repository(t)
	p := start(t, filepath.Join(t.TempDir(), "data"), root)
	p.indexed("odd")
	gone := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(gone, 0o755); err != nil {
		t.Fatal(err)
	}
	p.post("/api/index", fmt.Sprintf(`{"targets":[%q],"no_graph":true}`, gone))
	p.indexed("gone")
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	const json = "application/json"
	file := func(path, more string) string {
		return fmt.Sprintf(`{"repo_id":"odd","file_path":%s%s}`, path, more)
	}
	for _, test := range []struct {
		name, path, contentType, body string
		status                        int
		code                          fault.Code
		message                       string // a part of it
	}{
		{"malformed JSON", "/api/rag/search", json, `{"query":`, 400, fault.InvalidRequest, "line 1"},
		{"unknown field", "/api/rag/search", json, `{"query":"x","lvl":"file"}`, 400, fault.InvalidRequest, "lvl"},
		{"wrong type", "/api/rag/search", json, `{"query":"x","limit":"5"}`, 400, fault.InvalidRequest, "limit"},
		{
			"10 MB", "/api/rag/search", json, `{"query":"` + strings.Repeat("x", 10<<20) + `"}`, 413, fault.BodyTooLarge,
			"limit",
		},
		{"not JSON", "/api/rag/search", "text/plain", `query=x`, 415, fault.UnsupportedMediaType, "application/json"},
		{
			"limit 0", "/api/rag/search", json, `{"query":"x","limit":0}`, 400, fault.InvalidRequest,
			"limit must be at least 1",
		},
		{
			"level", "/api/rag/search", json, `{"query":"x","level":"class"}`, 400, fault.InvalidRequest,
			"level must be one of symbol",
		},
		{"cursor", "/api/rag/search", json, `{"query":"x","cursor":"nonsense"}`, 400, fault.InvalidRequest, "cursor"},
		{
			"unknown repository", "/api/rag/search", json, `{"query":"x","repo_filter":"no/such"}`, 404, fault.RepoNotFound,
			"no/such",
		},
		{
			"unknown repository of a file", "/api/rag/file", json, `{"repo_id":"no/such","file_path":"a"}`, 404,
			fault.RepoNotFound, "no/such",
		},
		{"..", "/api/rag/file", json, file(`"../secret.txt"`, ""), 400, fault.InvalidPath, ".."},
		{".. in a folder", "/api/rag/structure", json, `{"repo_id":"odd","path":"docs/../.."}`, 400, fault.InvalidPath, ".."},
		{"absolute", "/api/rag/file", json, file(`"/etc/passwd"`, ""), 400, fault.InvalidPath, "absolute"},
		{"symlink out of the tree", "/api/rag/file", json, file(`"link.txt"`, ""), 400, fault.InvalidPath, "symlink"},
		{"NUL", "/api/rag/file", json, file(`"a\u0000b"`, ""), 400, fault.InvalidPath, "NUL"},
		{"binary", "/api/rag/file", json, file(`"image.png"`, ""), 422, fault.BinaryFile, "image/png"},
		{"past the end", "/api/rag/file", json, file(`"main.go"`, `,"start_line":99`), 416, fault.LineOutOfRange, "6"},
		{
			"end before start", "/api/rag/file", json, file(`"main.go"`, `,"start_line":3,"end_line":2`), 400,
			fault.InvalidRequest, "end_line",
		},
		{"no such file", "/api/rag/file", json, file(`"nope.go"`, ""), 404, fault.PathNotFound, "nope.go"},
		{
			"a commit without git", "/api/rag/file", json, file(`"main.go"`, `,"commit":"0123456"`), 400, fault.InvalidRequest,
			"leave commit out",
		},
		{"folder is gone", "/api/rag/structure", json, `{"repo_id":"gone"}`, 404, fault.PathNotFound, "gone"},
		{
			"index no folder", "/api/index", json, `{"targets":["/no/such/folder"]}`, 404, fault.PathNotFound,
			"/no/such/folder",
		},
		{
			"index nothing", "/api/index", json, `{"targets":[]}`, 400, fault.InvalidRequest,
			"targets must have at least 1 entry",
		},
		{"no route", "/api/rag/searches", json, `{}`, 404, fault.PathNotFound, "no route"},
		{"other method", "/api/rag/repos", json, `{}`, 405, fault.MethodNotAllowed, "GET"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &program{t: t, url: p.url}
			status, reply := p.call(http.MethodPost, test.path, test.contentType, test.body)
			if status != test.status || reply.Meta.ErrorCode == nil || *reply.Meta.ErrorCode != string(test.code) {
				t.Fatalf("status %d, %+v; want %d %s", status, reply.Meta, test.status, test.code)
			}
			if !strings.Contains(*reply.Meta.Message, test.message) {
				t.Errorf("message %q has no %q", *reply.Meta.Message, test.message)
			}
		})
	}
}

// What is odd in a repository costs only itself, and coverage tells.
func TestOddRepository(t *testing.T) {
	p := start(t, filepath.Join(t.TempDir(), "data"), repository(t))
	p.indexed("odd")
	for path, want := range map[string]models.SkipReason{
		"main.go": "", "latin1.go": "", "docs/guide.md": "",
		"image.png": models.SkipBinary, "empty.go": models.SkipEmpty, "link.txt": models.SkipSymlink,
	} {
		_, reply := p.call(http.MethodGet, "/api/index/coverage?repo_id=odd&path="+path, "", "")
		if len(reply.Items) != 1 {
			t.Errorf("%s: %d items in coverage", path, len(reply.Items))
			continue
		}
		var item index.CoverageItem
		if err := json.Unmarshal(reply.Items[0], &item); err != nil {
			t.Fatal(err)
		}
		if item.Reason != want || item.Indexed != (want == "") {
			t.Errorf("%s: %+v, want reason %q", path, item, want)
		}
	}
	status, reply := p.post("/api/rag/search", `{"query":"brew coffee","level":"symbol"}`)
	if status != 200 || len(reply.Items) == 0 || !strings.Contains(string(reply.Items[0]), "latin1.go") {
		t.Errorf("a file that is not UTF-8 is not found: %d %s", status, reply.Items)
	}
}

// An empty repository is searchable: nothing is found, and the reply says so.
func TestEmptyRepository(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	p := start(t, filepath.Join(t.TempDir(), "data"), empty)
	p.indexed("empty")
	status, reply := p.post("/api/rag/search", `{"query":"anything"}`)
	if status != 200 || len(reply.Items) != 0 || reply.Meta.Message == nil {
		t.Errorf("status %d, %+v", status, reply)
	}
}

// A request under way when the server is told to stop gets its reply; then the
// server ends without an error, and its address and its lock are gone.
func TestDrain(t *testing.T) {
	p := start(t, filepath.Join(t.TempDir(), "data"))
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	const body = `{"query":"x"}`
	_, _ = fmt.Fprintf(conn,
		"POST /api/rag/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"+
			"Content-Length: %d\r\n\r\n", len(body))
	buf := make([]byte, 1000)
	n, err := conn.Read(buf) // "100 Continue": the request is being served
	if err != nil || !strings.Contains(string(buf[:n]), "100 Continue") {
		t.Fatalf("read %q: %v", buf[:n], err)
	}
	p.stop()
	_, _ = io.WriteString(conn, body)
	reply, _ := io.ReadAll(conn)
	if !strings.HasPrefix(string(reply), "HTTP/1.1 409") {
		t.Errorf("reply %q, want the 409 of an empty index", reply)
	}
	if err := p.wait(); err != nil {
		t.Errorf("run: %v", err)
	}
	if _, got := app.OwnerOf(p.store); got != "" {
		t.Errorf("still announced at %s", got)
	}
}

// What keeps the server from starting is told with the exit code of the contract.
func TestRefusals(t *testing.T) {
	busy := start(t, filepath.Join(t.TempDir(), "data"))
	for _, test := range []struct {
		name string
		args []string
		exit int
		want []string
	}{
		{
			"all settings at once",
			[]string{"--addr", "x", "--store", "y", "--log-level", "z"},
			2,
			[]string{"--addr", "--store", "--log-level", "--help"},
		},
		{"unknown flag", []string{"--prot", "1"}, 2, []string{"prot"}},
		{
			"address in use",
			[]string{"--addr", strings.TrimPrefix(busy.url, "http://"), "--store", "embedded:" + t.TempDir()},
			2,
			[]string{"cannot listen on", "--addr"},
		},
		{
			"store in use",
			[]string{"--addr", "127.0.0.1:0", "--store", "embedded:" + busy.store},
			5,
			[]string{busy.store, busy.url},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := run(t.Context(), test.args, noEnv, io.Discard, io.Discard)
			if got := fault.CodeOf(err).Row().Exit; err == nil || got != test.exit {
				t.Fatalf("exit %d with %v, want %d", got, err, test.exit)
			}
			for _, want := range test.want {
				if !strings.Contains(told(err), want) {
					t.Errorf("%q does not mention %q", told(err), want)
				}
			}
		})
	}
}

func TestHelpAndVersion(t *testing.T) {
	for flag, want := range map[string]string{"--help": "RAGNAV_ADDR", "--version": "embedder builtin/"} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{flag}, noEnv, &out, io.Discard); err != nil {
			t.Errorf("%s: %v", flag, err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s says nothing of %s:\n%s", flag, want, &out)
		}
	}
}

// A target that can't be indexed is logged; the server serves all the same.
func TestBadTarget(t *testing.T) {
	p := start(t, filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "nope"))
	if status, _ := p.call(http.MethodGet, "/readyz", "", ""); status != http.StatusOK {
		t.Errorf("readyz: %d", status)
	}
	p.stop()
	if err := p.wait(); err != nil {
		t.Errorf("run: %v", err)
	}
	if !strings.Contains(p.stderr.String(), "index run not started") {
		t.Errorf("log:\n%s", &p.stderr)
	}
}
