package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/test/cbtest"
)

// One pass through everything, in this process, as a newcomer would go.
func TestJourney(t *testing.T) {
	t.Run("embedded", func(t *testing.T) { journey(t, newShell(t)) })
	t.Run("couchbase", func(t *testing.T) { journey(t, newClusterShell(t, cbtest.Start(t, cbtest.Options{}))) })
}

func journey(t *testing.T, sh shell) {
	root := writeRepo(t, "clock", clockRepo)
	for _, step := range []struct {
		name string
		args []string
		want []string // in the output, in any order
	}{
		{
			"preview",
			[]string{"index", "--dry-run", root},
			[]string{"clock would have 5 files", "2 skipped: ", "5 changed", "+ clock/parse.go", "- .env"},
		},
		{"index", []string{"index", root}, []string{"clock is searchable: ", "2 skipped: ", " texts embedded, 0 reused"}},
		{"nothing changed", []string{"index", root}, []string{"0 changed, 0 removed"}},
		{
			"symbol",
			[]string{"search", "--level", "symbol", "parse an RFC 3339 timestamp"},
			[]string{"1. clock clock/parse.go:6-9  ParseStamp (func)"},
		},
		{"file", []string{"search", "exponential", "backoff"}, []string{"1. clock retry/retry.go"}},
		{"module", []string{"search", "--level", "module", "time stamps"}, []string{"1. clock clock (module)"}},
		{"repo", []string{"search", "--level", "repo", "time stamps"}, []string{"1. clock (repo)"}},
		{"doc", []string{"search", "--level", "doc", "retries"}, []string{"1. clock README.md:5-7"}},
		{
			"structure",
			[]string{"structure", "clock"},
			[]string{"├── clock/", "README.md", "Markdown", "not indexed", "readme:"},
		},
		{
			"file lines",
			[]string{"file", "clock", "clock/parse.go:7-9"},
			[]string{"func ParseStamp(s string) (time.Time, error) {\n\treturn time.Parse(time.RFC3339, s)\n}\n"},
		},
		{"repos", []string{"repos"}, []string{"REPOSITORY", "clock", "Go"}},
		{
			"coverage",
			[]string{"coverage", "clock", "--only", "skipped"},
			[]string{"- logo.bin", "binary", "- .env", "secret"},
		},
		{"ask", []string{"ask", "how is an RFC 3339 timestamp parsed?"}, []string{"[1]", "`clock/parse.go:"}},
		{"doctor", []string{"doctor"}, []string{"ok    git: ", "ok    store: ", "ok    repository clock: "}},
		{"version", []string{"version"}, []string{"embedder  builtin/", "schema    1"}},
		{"completion", []string{"__complete", "structure", ""}, []string{"clock\n"}},
		{
			"levels complete",
			[]string{"__complete", "search", "--level", ""},
			[]string{"symbol\nfile\nmodule\nrepo\ndoc\nauto\n"},
		},
		{"remove", []string{"remove", "clock"}, []string{"removed clock with "}},
	} {
		out := sh.run(step.args...)
		for _, want := range step.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: ragnav %s: no %q in\n%s", step.name, strings.Join(step.args, " "), want, out)
			}
		}
	}
	if _, errs, exit := sh.try("search", "x"); exit != 5 || !strings.Contains(errs, "nothing is indexed yet") {
		t.Errorf("search after remove: exit %d, %q; want 5", exit, errs)
	}
}

// What fails fails with the code of the contract.
func TestExitCodes(t *testing.T) {
	sh, root := newShell(t), writeRepo(t, "clock", clockRepo)
	sh.run("index", "--quiet", root)
	for _, test := range []struct {
		name string
		args []string
		exit int
		code string
	}{
		{"unknown repository", []string{"structure", "nope"}, 3, "REPO_NOT_FOUND"},
		{"unknown path", []string{"file", "clock", "nope.go"}, 3, "PATH_NOT_FOUND"},
		{"unknown job", []string{"jobs", "nope"}, 3, "JOB_NOT_FOUND"},
		{"outside", []string{"file", "clock", "../x"}, 2, "INVALID_PATH"},
		{"binary", []string{"file", "clock", "logo.bin"}, 2, "BINARY_FILE"},
		{"past the end", []string{"file", "clock", "go.mod:99"}, 2, "LINE_OUT_OF_RANGE"},
		{"no such folder", []string{"index", filepath.Join(root, "nope")}, 3, "PATH_NOT_FOUND"},
		{"no server", []string{"repos", "--server", "127.0.0.1:1"}, 6, "RAG_UNAVAILABLE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, errs, exit := sh.try(append(test.args, "--json")...)
			var reply models.Result[struct{}]
			if err := json.Unmarshal([]byte(out), &reply); err != nil {
				t.Fatalf("printed %q: %v", out, err)
			}
			if exit != test.exit || reply.Meta.ErrorCode == nil || *reply.Meta.ErrorCode != test.code {
				t.Errorf("exit %d, %s%s; want %d %s", exit, out, errs, test.exit, test.code)
			}
		})
	}
}

// requests are the same question to the command line and to the REST API.
var requests = []struct {
	args               []string
	method, path, body string
}{
	{[]string{"repos"}, "GET", "/api/rag/repos", ""},
	{
		[]string{"search", "RFC 3339", "--level", "symbol", "--explain"},
		"POST", "/api/rag/search",
		`{"query":"RFC 3339","level":"symbol","explain":true}`,
	},
	{
		[]string{"search", "no <such> & thing", "--limit", "2"},
		"POST", "/api/rag/search",
		`{"query":"no <such> & thing","limit":2}`,
	},
	{
		[]string{"structure", "clock", "clock", "--include-summaries"},
		"POST", "/api/rag/structure",
		`{"repo_id":"clock","path":"clock","include_summaries":true}`,
	},
	{
		[]string{"file", "clock", "go.mod:1-2"},
		"POST", "/api/rag/file",
		`{"repo_id":"clock","file_path":"go.mod","start_line":1,"end_line":2}`,
	},
	{
		[]string{"file", "clock", "go.mod", "--commit", "0123456"},
		"POST", "/api/rag/file",
		`{"repo_id":"clock","file_path":"go.mod","commit":"0123456"}`,
	},
	{[]string{"ask", "how", "do", "retries", "work?"}, "POST", "/api/rag/", `{"query":"how do retries work?"}`},
	{
		[]string{"index", "--dry-run", "--only", "skipped", "/nowhere"},
		"POST", "/api/index",
		`{"targets":["/nowhere"],"dry_run":true,"only":"skipped"}`,
	},
	{[]string{"coverage", "clock", "--limit", "3"}, "GET", "/api/index/coverage?repo_id=clock&limit=3", ""},
	{[]string{"file", "clock", "../x"}, "POST", "/api/rag/file", `{"repo_id":"clock","file_path":"../x"}`},
	{[]string{"search", "x", "--limit", "101"}, "POST", "/api/rag/search", `{"query":"x","limit":101}`},
	{[]string{"structure", "nope"}, "POST", "/api/rag/structure", `{"repo_id":"nope"}`},
}

// --json is what the REST API gives, save request_id and took_ms, both in
// process and through the server.
func TestJSONEqualsREST(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	sh, root := newShell(t), writeRepo(t, "clock", clockRepo)
	sh.run("index", root)
	var alone []string
	for _, r := range requests {
		out, _, _ := sh.try(append(r.args, "--json")...)
		alone = append(alone, out)
	}
	server := sh.serve()
	for i, r := range requests {
		rest := server.send(t, r.method, r.path, r.body)
		if diff := cmp.Diff(timeless(rest), timeless(alone[i])); diff != "" {
			t.Errorf("ragnav %v in process (-REST +CLI):\n%s", r.args, diff)
		}
		through, _, _ := sh.try(append(r.args, "--json")...)
		if diff := cmp.Diff(timeless(rest), timeless(through)); diff != "" {
			t.Errorf("ragnav %v through the server (-REST +CLI):\n%s", r.args, diff)
		}
	}
}

var perCall = regexp.MustCompile(`"request_id":"[^"]+","took_ms":[0-9.e-]+`)

func timeless(reply string) string { return perCall.ReplaceAllString(reply, "") }

func (p *process) send(t *testing.T, method, path, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// While a server owns the data directory, the command line works through it.
func TestThroughServer(t *testing.T) {
	sh, root := newShell(t), writeRepo(t, "clock", clockRepo)
	server := sh.serve()
	out := sh.run("index", root)
	if !strings.Contains(out, "clock is searchable") {
		t.Errorf("index: %s", out)
	}
	if got := server.send(t, "GET", "/api/rag/repos", ""); !strings.Contains(got, `"repo_id":"clock"`) {
		t.Errorf("the server does not know the repository: %s", got)
	}
	jobs := sh.run("jobs", "--json")
	var reply models.Result[struct{ State string }]
	if err := json.Unmarshal([]byte(jobs), &reply); err != nil || len(reply.Items) != 1 || reply.Items[0].State != "done" {
		t.Errorf("jobs = %s", jobs)
	}
	if out := sh.run("doctor"); !strings.Contains(out, server.url) {
		t.Errorf("doctor does not name the server %s:\n%s", server.url, out)
	}

	out, errs, exit := newShell(t).try("search", "--server", server.url, "backoff")
	if exit != 0 || !strings.Contains(out, "retry/retry.go") {
		t.Errorf("--server: exit %d, %s%s", exit, out, errs)
	}
}

// A second server refuses a data directory that is in use and says by whom.
func TestSecondServer(t *testing.T) {
	sh := newShell(t)
	first := sh.serve()
	out, err := sh.command(apiServer, "--addr", "127.0.0.1:0").CombinedOutput()
	if err == nil || !strings.Contains(err.Error(), "exit status 5") {
		t.Errorf("second server: %v, want exit status 5", err)
	}
	for _, want := range []string{sh.store, first.url, "stop it"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in %q", want, out)
		}
	}
}

// SIGTERM ends a server in order: exit code 0, and the data directory is free.
func TestServerTerminated(t *testing.T) {
	sh := newShell(t)
	server := sh.serve()
	if err := server.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	if _, addr := app.OwnerOf(sh.store); addr != "" {
		t.Errorf("still announced at %s", addr)
	}
}

// A server that was killed leaves its address and its lock; neither is in the way.
func TestServerKilled(t *testing.T) {
	sh, root := newShell(t), writeRepo(t, "clock", clockRepo)
	server := sh.serve()
	sh.run("index", "--quiet", root)
	if err := server.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if out := sh.run("search", "backoff"); !strings.Contains(out, "retry/retry.go") {
		t.Errorf("search after the kill: %s", out)
	}
}

// Ctrl-C stops an index run and leaves an index that the next run completes.
func TestInterruptIndex(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it runs programs for long")
	}
	for _, through := range []string{"in process", "through the server"} {
		t.Run(through, func(t *testing.T) {
			sh, root := newShell(t), writeRepo(t, "big", manyFiles(800))
			if through != "in process" {
				sh.serve()
			}
			cmd := sh.command(os.Executable, "index", root)
			stderr, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			seen := readUntil(t, stderr, `\([4-9]\d%\)`)
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(stderr)
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != cli.Interrupted {
				t.Fatalf("%v, want exit code %d\n%s%s", err, cli.Interrupted, seen, rest)
			}
			if !strings.Contains(string(rest), "goes on from here") {
				t.Errorf("said\n%s", rest)
			}
			if out := sh.run("search", "--level", "symbol", "work of file 0"); !strings.Contains(out, "1. big p") {
				t.Errorf("after the interrupt: %s", out)
			}
			if out := sh.run("index", "--quiet", root); !strings.Contains(out, "800 files") {
				t.Errorf("second run: %s", out)
			}
		})
	}
}

// readUntil reads r until what it said matches pattern.
func readUntil(t *testing.T, r io.Reader, pattern string) string {
	t.Helper()
	want := regexp.MustCompile(pattern)
	var seen bytes.Buffer
	buf := make([]byte, 256)
	for !want.Match(seen.Bytes()) {
		n, err := r.Read(buf)
		seen.Write(buf[:n])
		if err != nil {
			t.Fatalf("no %q in %q: %v", want, seen.String(), err)
		}
	}
	return seen.String()
}

// While one process indexes, others read what the last run has committed; what
// would write is refused, and says by whom.
func TestReadWhileIndexing(t *testing.T) {
	sh := newShell(t)
	sh.run("index", "--quiet", "--repo-id", "acme/clock", writeRepo(t, "clock", clockRepo))
	cfg, err := config.Resolve(nil, sh.getenv)
	if err != nil {
		t.Fatal(err)
	}
	indexing := cli.NewSession(term.New(io.Discard, io.Discard, sh.getenv), sh.getenv)
	indexing.Config, indexing.Role, indexing.Share = cfg, app.Tool, serveReaders
	if _, err := indexing.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out := sh.run("search", "--level", "symbol", "ParseStamp"); !strings.Contains(out, "clock/parse.go") {
		t.Error(out)
	}
	if _, errs, exit := sh.try("remove", "clock"); exit != fault.Conflict.Row().Exit ||
		!strings.Contains(errs, "is indexing and takes no other work") {
		t.Errorf("exit %d, %s", exit, errs)
	}
	if err := indexing.Close(); err != nil {
		t.Error(err)
	}
	sh.run("remove", "clock")
}

// A run waits for another one on the same data directory, no longer than the user
// wants, and says so once.
func TestIndexWaits(t *testing.T) {
	sh, root := newShell(t), writeRepo(t, "clock", clockRepo)
	cfg, err := config.Resolve(nil, sh.getenv)
	if err != nil {
		t.Fatal(err)
	}
	other := cli.NewSession(term.New(io.Discard, io.Discard, sh.getenv), sh.getenv)
	other.Config, other.Role, other.Share = cfg, app.Tool, serveReaders
	if _, err := other.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	const waiting = "is indexing and takes no other work; waiting until that has ended"
	for _, args := range [][]string{{root}, {"--each", root}} {
		var errs string
		exit := fault.Timeout.Row().Exit
		// On a busy machine the limit may be over before anything was asked.
		for limit := time.Second; exit == fault.Timeout.Row().Exit && limit < patience; limit *= 4 {
			_, errs, exit = sh.try(append([]string{"index", "--no-graph", "--timeout", limit.String()}, args...)...)
		}
		if exit == 0 || strings.Count(errs, waiting) != 1 {
			t.Errorf("index %q with a limit: exit %d, %s", args, exit, errs)
		}
	}
	var out, errs bytes.Buffer
	ended := make(chan error, 1)
	end := sync.OnceFunc(func() { go func() { ended <- other.Close() }() })
	told := writerFunc(func(p []byte) (int, error) {
		if errs.Write(p); strings.Contains(errs.String(), waiting) {
			end()
		}
		return len(p), nil
	})
	exit := run(t.Context(), []string{"index", "--no-graph", root}, sh.getenv, &out, told)
	if exit != 0 || !strings.Contains(out.String(), "clock is searchable") || strings.Count(errs.String(), waiting) != 1 {
		t.Fatalf("index without a limit: exit %d, %s%s", exit, &out, &errs)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A file that is left out for its size is named, with the setting that takes it in.
func TestIndexNamesLargeFiles(t *testing.T) {
	sh := newShell(t)
	root := writeRepo(t, "clock", map[string]string{"a.go": "package a\n", "b.go": strings.Repeat("// b\n", 500)})
	out := sh.run("index", "--no-graph", "--max-file-size", "1KiB", root)
	if !strings.Contains(out, "larger than --max-file-size, which sets what is too large: b.go\n") {
		t.Error(out)
	}
}

// Who indexes a folder of a repository is told once that it becomes another one.
// An index with nothing to search says so, and why.
func TestIndexOfNothing(t *testing.T) {
	sh := newShell(t)
	root := t.TempDir()
	if out := sh.run("index", "--no-graph", "--repo-id", "none", root); !strings.Contains(out, "the folder has no files") {
		t.Errorf("of an empty folder: %s", out)
	}
	if err := os.WriteFile(filepath.Join(root, "a.bin"), []byte("\x00\x01"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := sh.run("index", "--no-graph", "--repo-id", "none", root)
	if !strings.Contains(out, "`ragnav coverage none` says why") {
		t.Errorf("of a folder without text: %s", out)
	}
}

func TestIndexOfAFolder(t *testing.T) {
	sh := newShell(t)
	root := writeRepo(t, "clock", map[string]string{"a.go": "package a\n", "sub/b.go": "package b\n"})
	sub := filepath.Join(root, "sub")
	sh.run("index", "--no-graph", root)
	for run, wanted := range []int{1, 0} {
		_, errs, exit := sh.try("index", "--no-graph", sub)
		if n := strings.Count(errs, "is a folder of clock, and becomes a repository of its own"); exit != 0 || n != wanted {
			t.Errorf("run %d: exit %d, %s", run, exit, errs)
		}
	}
}

// A data directory inside of the repository is not indexed into itself: each update would
// make the next one.
func TestDataDirectoryInRepository(t *testing.T) {
	for _, kind := range []string{"new", "restored"} {
		sh, root := newShell(t), writeRepo(t, "clock", clockRepo)
		store := "embedded:" + filepath.Join(root, "idx")
		if kind == "restored" {
			archive := filepath.Join(t.TempDir(), "b.tar.gz")
			sh.run("index", "--no-graph", root)
			sh.run("backup", archive)
			sh.run("restore", archive, "--store", store)
		}
		for range 2 {
			sh.run("index", "--no-graph", "--store", store, root)
		}
		if out := sh.run("coverage", "--store", store, "clock"); strings.Contains(out, "idx/") {
			t.Errorf("%s:\n%s", kind, out)
		}
	}
}
