package httpapi_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/httpapi"
)

// held is a handler that waits until it is released.
type held struct{ began, release chan struct{} }

func (h held) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	close(h.began)
	<-h.release
	_, _ = io.WriteString(w, "done")
}

// serving starts a server with one request under way and tells it to stop.
// The request's body, or "" when it was cut off, and Serve's error follow.
func serving(t *testing.T, h held, shutdown time.Duration) (body <-chan string, served <-chan error) {
	t.Helper()
	var lc net.ListenConfig
	ln, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	errs, bodies := make(chan error, 1), make(chan string, 1)
	go func() {
		errs <- httpapi.Serve(ctx, ln, h, zap.NewNop(), httpapi.Limits{Request: time.Minute, Shutdown: shutdown})
	}()
	go func() { bodies <- fetch(t, "http://"+ln.Addr().String()) }()
	<-h.began
	stop()
	return bodies, errs
}

func fetch(t *testing.T, url string) string {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		return err.Error()
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return ""
	}
	defer func() { _ = resp.Body.Close() }()
	b, _ := io.ReadAll(resp.Body)
	return string(b)
}

func TestServeDrains(t *testing.T) {
	h := held{make(chan struct{}), make(chan struct{})}
	body, served := serving(t, h, time.Minute)
	select {
	case err := <-served:
		t.Fatalf("Serve did not wait for the request under way: %v", err)
	default:
		close(h.release)
	}
	if got := <-body; got != "done" {
		t.Errorf("the request got %q, want its reply", got)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestServeGivesUpDraining(t *testing.T) {
	h := held{make(chan struct{}), make(chan struct{})}
	body, served := serving(t, h, 10*time.Millisecond)
	if err := <-served; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Serve = %v, want a passed deadline", err)
	}
	if got := <-body; got != "" {
		t.Errorf("the request got %q, want to be cut off", got)
	}
	close(h.release)
}

func TestServeFails(t *testing.T) {
	var lc net.ListenConfig
	ln, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = ln.Close()
	if err := httpapi.Serve(t.Context(), ln, http.NotFoundHandler(), zap.NewNop(),
		httpapi.Limits{Request: 1, Shutdown: 1}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve on a closed listener = %v", err)
	}
}
