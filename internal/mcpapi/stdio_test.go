package mcpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/mcpapi"
)

// A line is a client that writes lines and reads what comes back.
type line struct {
	*testing.T

	in    io.WriteCloser
	out   *bufio.Scanner
	ended chan error
}

func connectLine(t *testing.T, revision string) line {
	l := newLine(t)
	l.initialize(revision)
	return l
}

func newLine(t *testing.T) line {
	in, lines := io.Pipe()
	replies, out := io.Pipe()
	l := line{t, lines, bufio.NewScanner(replies), make(chan error, 1)}
	l.out.Buffer(nil, 1<<20)
	go func() {
		l.ended <- mcpapi.New(mcpapi.Options{Ops: operations()}).Run(context.Background(), mcpapi.Stdio(in, out))
		_ = out.Close()
	}()
	return l
}

func (l line) initialize(revision string) string {
	return l.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + revision +
		`","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
}

// say writes a line and reads the next reply.
func (l line) say(text string) string {
	l.Helper()
	if _, err := io.WriteString(l.in, text+"\n"); err != nil {
		l.Fatal(err)
	}
	if !l.out.Scan() {
		l.Fatalf("no reply to %.60s", text)
	}
	return l.out.Text()
}

func (l line) close() {
	_ = l.in.Close()
	if err := <-l.ended; err != nil {
		l.Error(err)
	}
}

// An answer is a reply, or an error.
type answer struct {
	ID    any
	Error struct {
		Code    int
		Message string
	}
}

func (l line) ask(text string) (a answer) {
	l.Helper()
	reply := l.say(text)
	if err := json.Unmarshal([]byte(reply), &a); err != nil {
		l.Fatalf("%s: %v", reply, err)
	}
	return a
}

// Whatever a line is, it is answered, and the next one, too.
func TestLinesThatAreNoMessages(t *testing.T) {
	l := connectLine(t, "2025-06-18")
	defer l.close()
	for _, test := range []struct {
		line string
		code int
		id   any
		says string
	}{
		{`{"jsonrpc":"2.0",`, -32700, nil, "not JSON"},
		{`{} {}`, -32700, nil, "not JSON"},
		{`{"id":7,"method":"ping"}`, -32600, 7., "jsonrpc"},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, nil, "an id that is"},
		{`{"jsonrpc":"2.0","method":5,"id":"a"}`, -32600, "a", "a method"},
		{`null`, -32600, nil, "an object"},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600, nil, "one message alone"},
		{strings.Repeat("[", 20_000), -32700, nil, "not JSON"},
		{
			`{"jsonrpc":"2.0","id":1,"method":` + strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2001),
			-32600, 1., "deep",
		},
		{`"` + strings.Repeat("x", 17<<20) + `"`, -32600, nil, "16 MiB"},
	} {
		got := l.ask(test.line)
		if got.Error.Code != test.code || got.ID != test.id || !strings.Contains(got.Error.Message, test.says) {
			t.Errorf("%.60s: %+v, want %d with id %v and %q", test.line, got, test.code, test.id, test.says)
		}
		if got := l.ask("\r\n  \n" + `{"jsonrpc":"2.0","id":"after","method":"ping"}`); got.ID != "after" || got.Error.Code != 0 {
			t.Fatalf("after %.60s: %+v", test.line, got)
		}
	}
}

// Several messages in a line are of the revisions that have them.
func TestBatches(t *testing.T) {
	l := connectLine(t, "2024-11-05")
	defer l.close()
	got := l.say(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`)
	if !strings.HasPrefix(got, `[{"jsonrpc":"2.0","id":1,`) {
		t.Error(got)
	}
}

// Before a revision is agreed on, several messages in a line are refused, and the
// next one is answered: newer revisions would end the connection there.
func TestBatchBeforeInitialize(t *testing.T) {
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		l := newLine(t)
		got := l.ask(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`)
		if got.Error.Code != -32600 || !strings.Contains(got.Error.Message, "one message alone") {
			t.Errorf("%s: %+v", revision, got)
		}
		if got := l.initialize(revision); !strings.Contains(got, `"protocolVersion":"`+revision+`"`) {
			t.Errorf("%s: %s", revision, got)
		}
		l.close()
	}
}
