package httpapi_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/rag/ask"
)

const question = `{"query":"what does it do?"}`

type answering = func(context.Context, ask.Request, func(ask.Event)) (ask.Response, error)

// asking is an API whose answers come of a function.
func asking(a answering) httpapi.Deps {
	d := deps()
	d.Ops.(*fake).ask = a
	return d
}

func TestAskStream(t *testing.T) {
	compare(t, do(t, deps(), request{method: "POST", path: "/api/rag/", body: question, header: eventStream}))
}

// What has an error before the first event is an ordinary reply.
func TestAskStreamErrors(t *testing.T) {
	begin := func(on func(ask.Event)) { on(ask.Event{Plan: &ask.Plan{Model: "m"}}) }
	for name, test := range map[string]struct {
		answer answering
		body   string
	}{
		"not_ready": {body: question, answer: func(context.Context, ask.Request, func(ask.Event)) (ask.Response, error) {
			return ask.Response{}, fault.New(fault.IndexNotReady, "a/b is being indexed")
		}},
		"lost": {body: question, answer: func(_ context.Context, _ ask.Request, on func(ask.Event)) (ask.Response, error) {
			begin(on)
			return ask.Response{}, fault.New(fault.RAGUnavailable, "the store does not answer")
		}},
		"bug": {body: question, answer: func(_ context.Context, _ ask.Request, on func(ask.Event)) (ask.Response, error) {
			begin(on)
			return ask.Response{}, errors.New("secret detail")
		}},
		"panic": {body: question, answer: func(_ context.Context, _ ask.Request, on func(ask.Event)) (ask.Response, error) {
			begin(on)
			panic("secret detail")
		}},
		"refused": {body: `{"query":"", "limit":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			compare(t, do(t, asking(test.answer),
				request{method: "POST", path: "/api/rag/", body: test.body, header: eventStream}))
		})
	}
}

// served is a real server of an API.
func served(t *testing.T, d httpapi.Deps) string {
	t.Helper()
	srv := httptest.NewServer(httpapi.New(d))
	t.Cleanup(srv.Close)
	return srv.URL
}

func send(t *testing.T, ctx context.Context, url, accept, body string) *http.Response { //nolint:revive // t comes first in tests
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// Each event is sent as it comes, a client that waits hears something, and one
// that leaves ends the search.
func TestAskStreamLives(t *testing.T) {
	ended := make(chan error, 1)
	d := asking(func(ctx context.Context, _ ask.Request, on func(ask.Event)) (ask.Response, error) {
		on(ask.Event{Plan: &ask.Plan{Model: "m"}})
		<-ctx.Done()
		ended <- ctx.Err()
		return ask.Response{}, ctx.Err()
	})
	d.Stream.Heartbeat = 5 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	resp := send(t, ctx, served(t, d)+"/api/rag/", "text/event-stream", question) //nolint:bodyclose // send closes it at the end
	got, buf := "", make([]byte, 1000)
	for !strings.Contains(got, "event: plan") || !strings.Contains(got, ": still here") {
		n, err := resp.Body.Read(buf)
		if got += string(buf[:n]); err != nil {
			t.Fatalf("%v after %q", err, got)
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the search ended with %v", err)
	}
}

// An answer has a time limit of its own, which ends it with TIMEOUT.
func TestAskTimeout(t *testing.T) {
	d := asking(func(ctx context.Context, _ ask.Request, on func(ask.Event)) (ask.Response, error) {
		on(ask.Event{Plan: &ask.Plan{Model: "m"}})
		<-ctx.Done()
		return ask.Response{}, ctx.Err()
	})
	d.Timeout, d.AskTimeout = time.Millisecond, 20*time.Millisecond
	resp := send(t, t.Context(), served(t, d)+"/api/rag/", "text/event-stream", question) //nolint:bodyclose // send closes it at the end
	text, err := io.ReadAll(resp.Body)
	// On a busy machine the time may be over before there is anything to stream.
	begun, ended := strings.Contains(string(text), "event: plan"), strings.Contains(string(text), "event: error")
	if err != nil || begun != ended || !strings.Contains(string(text), string(fault.Timeout)) {
		t.Errorf("%s, %v", text, err)
	}
}
