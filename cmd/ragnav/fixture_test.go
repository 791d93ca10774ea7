package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/test/cbtest"
)

// clockRepo is a small repository with something at every level, and with files
// that are not indexed.
var clockRepo = map[string]string{
	"README.md": "# Clock\n\nA library for time stamps.\n\n## Retries\n\nRetries back off exponentially.\n",
	"go.mod":    "module example.com/clock\n\ngo 1.26\n",
	"clock/parse.go": "// Package clock reads time stamps.\npackage clock\n\nimport \"time\"\n\n" +
		"// ParseStamp parses an RFC 3339 timestamp.\nfunc ParseStamp(s string) (time.Time, error) {\n" +
		"\treturn time.Parse(time.RFC3339, s)\n}\n",
	"clock/parse_test.go": "package clock\n\nimport \"testing\"\n\nfunc TestParseStamp(t *testing.T) {\n" +
		"\tif _, err := ParseStamp(\"x\"); err == nil {\n\t\tt.Fatal(\"no error\")\n\t}\n}\n",
	"retry/retry.go": "// Package retry does things again.\npackage retry\n\n" +
		"// Do calls f until it works, with exponential backoff.\nfunc Do(f func() error) error {\n\treturn f()\n}\n",
	"logo.bin": "\x00\x01\x02\x03",
	".env":     "KEY=1\n",
}

// writeRepo writes files into a new folder of that name and returns its path.
func writeRepo(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), name)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		full := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(files[path]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// manyFiles is a repository that takes a while to index.
func manyFiles(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%d\n", i)
		for j := range 20 {
			fmt.Fprintf(&b, "\n// Fn%d does the work number %d of file %d.\nfunc Fn%d(a, b int) int {\n\treturn a*%d + b\n}\n",
				j, j, i, j, j)
		}
		files[fmt.Sprintf("p%04d/f.go", i)] = b.String()
	}
	return files
}

// A shell calls the program with a store of its own.
type shell struct {
	t     *testing.T
	store string            // folder of an embedded store, else ""
	env   map[string]string // of the programs
}

func newShell(t *testing.T) shell {
	t.Helper()
	store := filepath.Join(t.TempDir(), "data")
	return shell{t, store, map[string]string{"RAGNAV_STORE": "embedded:" + store}}
}

// newClusterShell has its store on a node; it is set up.
func newClusterShell(t *testing.T, node *cbtest.Node) shell {
	t.Helper()
	sh := shell{t: t, env: map[string]string{
		"RAGNAV_STORE": node.ConnStr() + "/ragnav.code", "RAGNAV_COUCHBASE_USERNAME": "Administrator",
		"RAGNAV_COUCHBASE_PASSWORD": "password", "HOME": t.TempDir(),
	}}
	sh.run("setup", "couchbase", "--quiet")
	return sh
}

func (sh shell) getenv(name string) string { return sh.env[name] }

// try runs the program in this process.
func (sh shell) try(args ...string) (stdout, stderr string, exit int) {
	sh.t.Helper()
	var out, err bytes.Buffer
	ctx := sh.t.Context()
	if args[0] == "__complete" { // a person at a shell would not wait that long for a busy machine
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
		defer cancel()
	}
	exit = run(ctx, args, sh.getenv, &out, &err)
	return out.String(), err.String(), exit
}

// run is try for a command that must work.
func (sh shell) run(args ...string) string {
	sh.t.Helper()
	out, errs, exit := sh.try(args...)
	if exit != 0 {
		sh.t.Fatalf("ragnav %s: exit %d\n%s%s", strings.Join(args, " "), exit, out, errs)
	}
	return out
}

// asProgram in the environment makes the test binary be the program itself.
const asProgram = "RAGNAV_TEST_AS_PROGRAM"

// built is where api-server is, once a test needed it.
var built struct {
	once sync.Once
	dir  string
	err  error
}

func apiServer() (file string, err error) {
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "ragnav-e2e-"); built.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w",
			"-o", built.dir+string(filepath.Separator), "../api-server").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	})
	return filepath.Join(built.dir, "api-server"), built.err
}

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" || len(os.Args) == 2 && os.Args[1] == app.ParseWorker {
		main()
		return
	}
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// command is one of the programs as a process with the shell's store.
func (sh shell) command(program func() (string, error), args ...string) *exec.Cmd {
	sh.t.Helper()
	file, err := program()
	if err != nil {
		sh.t.Fatal(err)
	}
	cmd := exec.CommandContext(sh.t.Context(), file, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	for name, value := range sh.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// A process is a running api-server.
type process struct {
	cmd *exec.Cmd
	url string
}

// serve starts an api-server on the shell's store and waits until it says where
// it listens.
func (sh shell) serve(args ...string) *process {
	sh.t.Helper()
	p := &process{cmd: sh.command(apiServer, append([]string{"--addr", "127.0.0.1:0"}, args...)...)}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		sh.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		sh.t.Fatal(err)
	}
	sh.t.Cleanup(func() {
		if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
			_ = p.cmd.Process.Kill() // has ended, or the system knows no such signal
		}
		_ = p.cmd.Wait()
	})
	said := readUntil(sh.t, stdout, "\n")
	if p.url = serverURL.FindString(said); p.url == "" {
		sh.t.Fatalf("the server said %q, not where it listens", said)
	}
	return p
}

var serverURL = regexp.MustCompile(`http://[0-9.]+:\d+`)
