package httpapi_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/httpapi/apitest"
)

// What is no request gets an envelope all the same.
func TestNoRequests(t *testing.T) {
	var lc net.ListenConfig
	ln, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	plain := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		http.Error(w, "a handler's own", http.StatusTeapot)
	})
	go func() {
		ended <- httpapi.Serve(ctx, ln, plain, zap.NewNop(), httpapi.Limits{Request: time.Minute, Shutdown: time.Minute})
	}()
	for _, c := range []struct {
		name, sent string
		status     int
		says       string
	}{
		{"nonsense", "nonsense\r\n\r\n", 400, "Bad Request"},
		{"no host", "GET / HTTP/1.1\r\n\r\n", 400, "Host"},
		{"large headers", "GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 200<<10) + "\r\n\r\n", 431, "64 KiB"},
		{"another encoding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "Transfer-Encoding"},
		{"another expectation", "GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n", 417, "100-continue"},
		{"another version", "GET / HTTP/7.3\r\nHost: a\r\n\r\n", 505, "version"},
		{"a request", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 418, "a handler's own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", ln.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			_, _ = io.WriteString(conn, c.sent) // the server may close before it has all
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			text, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != c.status || !strings.Contains(string(text), c.says) {
				t.Errorf("%d %s %v, want %d with %q", resp.StatusCode, text, err, c.status, c.says)
			}
			if c.status != http.StatusTeapot {
				apitest.Check(t, http.MethodGet, "/api/rag/repos", http.StatusBadRequest, text)
			}
		})
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
