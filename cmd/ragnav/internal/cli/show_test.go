package cli_test

import (
	"context"
	"errors"
	"io"
	"net/url"
	"testing"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

// Where the process that had the store ended before it answered, this one opens it. A
// server that was named is not replaced.
func TestOwnerEnds(t *testing.T) {
	cfg, err := config.Resolve(map[string]string{"store": "embedded:" + t.TempDir()}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	gone, err := client.New("127.0.0.1:1", client.Options{}) // nobody listens there
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range []string{"", gone.URL()} {
		getenv := func(string) string { return "" }
		s := cli.NewSession(term.New(io.Discard, io.Discard, getenv), getenv)
		s.Config, s.Client, s.Server, s.Timeout = cfg, gone, server, cli.DefaultTimeout
		b, err := s.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = cli.Do(t.Context(), s, b, op.Repos, repos.Request{})
		if replaced := err == nil; replaced != (server == "") {
			t.Errorf("server %q: %v", server, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// lacking is a store in this process whose model can't be reached.
type lacking struct{ calls int }

func (l *lacking) Call(context.Context, op.Row, any) (any, error) {
	l.calls++
	return nil, &url.Error{Op: "Post", URL: "http://127.0.0.1:1", Err: errors.New("refused")}
}

// What this process itself could not reach is not asked for twice.
func TestModelIsAskedOnce(t *testing.T) {
	getenv := func(string) string { return "" }
	s := cli.NewSession(term.New(io.Discard, io.Discard, getenv), getenv)
	s.Timeout = cli.DefaultTimeout
	var l lacking
	if _, err := cli.Do(t.Context(), s, &l, op.Repos, repos.Request{}); err == nil || l.calls != 1 {
		t.Errorf("%d calls, %v", l.calls, err)
	}
}
