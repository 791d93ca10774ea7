package mcpapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/mcpapi"
)

// Whatever is wrong with a request, the answer is an error of JSON-RPC that says
// what to do.
func TestRefusedOverHTTP(t *testing.T) {
	srv := httptest.NewServer(mcpapi.Handler(mcpapi.New(mcpapi.Options{Ops: operations()})))
	t.Cleanup(srv.Close)
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, test := range []struct {
		name, method, header, value, body string
		status, code                      int
		id                                any
		says                              string
	}{
		{"no JSON", "POST", "", "", "nope", 400, -32700, nil, "not JSON"},
		{"empty", "POST", "", "", "", 400, -32600, nil, "non-empty"},
		{"no message", "POST", "", "", `{"id":"a"}`, 400, -32600, "a", "JSON-RPC 2.0"},
		{"an id that is none", "POST", "", "", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, 400, -32600, nil, "an id that is"},
		{"unknown method", "POST", "", "", `{"jsonrpc":"2.0","id":"q","method":"foo"}`, 400, -32601, "q", "foo"},
		{"no messages", "POST", "", "", "[]", 400, -32600, nil, "a list"},
		{
			"a batch that the revision lacks", "POST", "Mcp-Protocol-Version", "2025-06-18", "[" + ping + "]",
			400, -32600, nil, "batch",
		},
		{"a type that is not JSON", "POST", "Content-Type", "text/plain", ping, 415, -32600, nil, "application/json"},
		{"a client that takes no answer", "POST", "Accept", "text/html", ping, 400, -32600, nil, "Accept must"},
		{"a revision that is none", "POST", "Mcp-Protocol-Version", "1999-01-01", ping, 400, -32600, nil, "2025-11-25"},
		{"a session that is over", "POST", "Mcp-Session-Id", "gone", ping, 404, -32001, nil, "send initialize"},
		{"too large", "POST", "", "", `"` + strings.Repeat("x", 5<<20) + `"`, 413, -32600, nil, "ask for less"},
		{"a stream without a session", "GET", "", "", "", 400, -32600, nil, "Mcp-Session-Id"},
		{"the end of no session", "DELETE", "", "", "", 400, -32600, nil, "Mcp-Session-Id"},
		{"another method", "PUT", "", "", ping, 405, -32600, nil, "POST"},
	} {
		t.Run(test.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), test.method, srv.URL, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			if test.header != "" {
				req.Header.Set(test.header, test.value)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			text, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			var got answer
			if err := json.Unmarshal(text, &got); err != nil || resp.Header.Get("Content-Type") != "application/json" {
				t.Fatalf("%s: %s, %v", resp.Header.Get("Content-Type"), text, err)
			}
			if resp.StatusCode != test.status || got.Error.Code != test.code || got.ID != test.id ||
				!strings.Contains(got.Error.Message, test.says) {
				t.Errorf("%d %s", resp.StatusCode, text)
			}
		})
	}
}
