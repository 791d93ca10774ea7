package httpapi_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// message is the error code and message of a reply, which must be an error.
func message(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var reply models.Result[any]
	if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || reply.Meta.ErrorCode == nil ||
		reply.Meta.Message == nil {
		t.Fatalf("not an enveloped error: %v\n%s", err, w.Body)
	}
	return *reply.Meta.ErrorCode + ": " + *reply.Meta.Message
}

// namesOf are the fields of a request as they are in JSON.
func namesOf(request reflect.Type) []string {
	var names []string
	for _, f := range reflect.VisibleFields(request) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			names = append(names, name)
		}
	}
	return names
}

func TestBadBody(t *testing.T) {
	fields := "; the fields are " + strings.Join(namesOf(reflect.TypeFor[search.Request]()), ", ")
	for _, test := range []struct {
		name, body, want string
	}{
		{"empty", "", "the body is empty; send a JSON object"},
		{"blank", " \n", "the body is empty; send a JSON object"},
		{"null", "null", "the body must be an object, not null"},
		{"list", "[]", "the body must be an object, not a list"},
		{"text", `"x"`, "the body must be an object, not a string"},
		{
			"malformed", "{\n \"query\": x}",
			"malformed JSON at line 2, column 11: invalid character 'x' looking for beginning of value",
		},
		{"cut off", `{"query":"x"`, "malformed JSON at line 1, column 12: unexpected end of JSON input"},
		{
			"trailing data", `{"query":"x"}{}`,
			"malformed JSON at line 1, column 14: invalid character '{' after top-level value",
		},
		{
			"NUL in the text", "{\"query\":\"x\"}\x00",
			`malformed JSON at line 1, column 14: invalid character '\x00' after top-level value`,
		},
		{"invalid UTF-8", "{\"query\":\"\xff\"}", "the body is not valid UTF-8"},
		{"unknown field", `{"query":"x","q":1}`, `unknown field "q"` + fields},
		{"field in another case", `{"Query":"x"}`, `unknown field "Query"` + fields},
		{"field twice", `{"query":"x","query":"y"}`, `field "query" is given twice`},
		{"wrong type", `{"query":"x","limit":"5"}`, "limit must be a whole number, not a string"},
		{"not whole", `{"query":"x","limit":1.5}`, "limit must be a whole number, not 1.5"},
		{"too big for an integer", `{"query":"x","limit":1e99}`, "limit must be a whole number, not 1e99"},
		{"number for text", `{"query":7}`, "query must be a string, not 7"},
		{"object for text", `{"query":{"a":[1]}}`, "query must be a string, not an object"},
		{"text for a boolean", `{"query":"x","preview":"yes"}`, "preview must be true or false, not a string"},
		{"limit 0", `{"query":"x","limit":0}`, "limit must be at least 1"},
		{"limit 101", `{"query":"x","limit":101}`, "limit must be at most 100"},
		{"level class", `{"query":"x","level":"class"}`, "level must be one of symbol, file, module, repo, doc, auto"},
		{"no query", `{}`, "query is required"},
		{"query is null", `{"query":null}`, "query must be a string, not null"},
		{"null for what may be left out", `{"query":"x","limit":null}`, "limit must be a whole number, not null"},
		{"null for a boolean", `{"query":"x","preview":null}`, "preview must be true or false, not null"},
		{"a fraction with a power", `{"query":"x","limit":15e-1}`, "limit must be a whole number, not 15e-1"},
		{"long query", `{"query":"` + strings.Repeat("é", 8001) + `"}`, "query must have at most 8000 characters"},
		{"two problems", `{"limit":0}`, "query is required; limit must be at least 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := do(t, deps(), request{method: "POST", path: "/api/rag/search", body: test.body})
			if got, want := message(t, w), "INVALID_REQUEST: "+test.want; got != want || w.Code != http.StatusBadRequest {
				t.Errorf("status %d\n got %s\nwant %s", w.Code, got, want)
			}
		})
	}
}

func TestBadNestedBody(t *testing.T) {
	for _, test := range []struct {
		name, path, body, want string
	}{
		{
			"list element", "/api/rag/", `{"query":"x","history":[{"role":"user","content":"a"},{"role":1}]}`,
			"history[1].role must be a string, not 1",
		},
		{
			"unknown inside", "/api/rag/", `{"query":"x","budget":{"max":1}}`,
			`unknown field "budget.max"; the fields are max_steps, max_citations, max_reply_tokens, max_calls, max_tokens, ` +
				`max_seconds`,
		},
		{
			"rule inside", "/api/rag/", `{"query":"x","history":[{"role":"root","content":"a"}]}`,
			"history[0].role must be one of user, assistant",
		},
		{"text for a list", "/api/index", `{"targets":"."}`, "targets must be a list, not a string"},
		{"no targets", "/api/index", `{"targets":[]}`, "targets must have at least 1 entry"},
		{"null target", "/api/index", `{"targets":[null]}`, "targets[0] must be a string, not null"},
		{"null list", "/api/index", `{"targets":null}`, "targets must be a list, not null"},
		{
			"deep", "/api/rag/", strings.Repeat(`{"history":[`, 20000),
			"malformed JSON at line 1, column 60001: invalid character '{' exceeded max depth",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := do(t, deps(), request{method: "POST", path: test.path, body: test.body})
			if got, want := message(t, w), "INVALID_REQUEST: "+test.want; got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
		})
	}
}

func TestBadParameters(t *testing.T) {
	for _, test := range []struct {
		name, method, path, want string
	}{
		{"unknown", "GET", "/api/rag/repos?q=x", `unknown query parameter "q"; there are limit, cursor, max_tokens`},
		{
			"unknown beside a path parameter", "GET", "/api/index/jobs/j1?id=j2",
			`unknown query parameter "id"; there are none here`,
		},
		{"where there are none", "GET", "/healthz?verbose", `unknown query parameter "verbose"; there are none here`},
		{"twice", "GET", "/api/rag/repos?limit=1&limit=2", `query parameter "limit" is given 2 times`},
		{"not a number", "GET", "/api/rag/repos?limit=ten", `limit must be a whole number, not "ten"`},
		{"empty number", "GET", "/api/rag/repos?limit=", `limit must be a whole number, not ""`},
		{"rule", "GET", "/api/rag/repos?limit=0", "limit must be at least 1"},
		{
			"bad escape", "GET", "/api/rag/repos?limit=%zz",
			"the query string is malformed; encode special characters with %XX",
		},
		{
			"semicolon", "GET", "/api/rag/repos?limit=1;cursor=2",
			"the query string is malformed; encode special characters with %XX",
		},
		{"invalid UTF-8", "GET", "/api/index/coverage?repo_id=%ff", `query parameter "repo_id" is not valid UTF-8`},
		{"missing", "GET", "/api/index/coverage", "repo_id is required"},
		{"choice", "GET", "/api/index/coverage?repo_id=a&only=all", "only must be one of indexed, skipped"},
		{
			"invalid UTF-8 in the path", "GET", "/api/index/jobs/%ff",
			"id in the path is malformed; write it in UTF-8 and encode special characters with %XX",
		},
		{"nothing in the path", "DELETE", "/api/rag/repos/", "repo_id is required"},
		{
			"query beside a body", "POST", "/api/rag/search?limit=3",
			"/api/rag/search takes its input in the JSON body; leave out the query parameters",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := do(t, deps(), request{method: test.method, path: test.path})
			if got, want := message(t, w), "INVALID_REQUEST: "+test.want; got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
		})
	}
}

func TestBodyWhereThereIsNone(t *testing.T) {
	w := do(t, deps(), request{method: "GET", path: "/api/rag/repos", body: `{"limit":1}`})
	want := "INVALID_REQUEST: GET /api/rag/repos takes no body; use query parameters"
	if got := message(t, w); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMediaTypes(t *testing.T) {
	post := func(header map[string]string) request {
		return request{method: "POST", path: "/api/rag/search", body: `{"query":"x"}`, header: header}
	}
	for _, test := range []struct {
		name, header, value string
		status              int
	}{
		{"form", "Content-Type", "application/x-www-form-urlencoded", 415},
		{"none", "Content-Type", "", 415},
		{"nonsense", "Content-Type", ";;", 415},
		{"other charset", "Content-Type", "application/json; charset=latin1", 415},
		{"compressed", "Content-Encoding", "gzip", 415},
		{"as it is", "Content-Encoding", "identity", 200},
		{"accepts anything", "Accept", "*/*", 200},
		{"accepts a page first", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8", 200},
		{"accepts events only", "Accept", "text/event-stream", 406},
		{"excludes JSON", "Accept", "*/*, application/json;q=0", 406},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := do(t, deps(), post(map[string]string{test.header: test.value}))
			if w.Code != test.status {
				t.Errorf("status = %d, want %d\n%s", w.Code, test.status, w.Body)
			}
		})
	}
}

func TestBodyTooLarge(t *testing.T) {
	for name, chunked := range map[string]bool{"announced": false, "not announced": true} {
		t.Run(name, func(t *testing.T) {
			w := do(t, deps(), request{
				method: "POST", path: "/api/rag/search", body: strings.Repeat(" ", 10<<20),
				chunked: chunked,
			})
			if got, want := message(t, w), "BODY_TOO_LARGE: the body is larger than the limit of 1048576 bytes"; got != want ||
				w.Code != 413 {
				t.Errorf("status %d, %s, want %s", w.Code, got, want)
			}
		})
	}
}

// A client that reads nothing before it has sent all gets the reply, too.
func TestBodyTooLargeIsAnswered(t *testing.T) {
	srv := httptest.NewServer(httpapi.New(deps()))
	defer srv.Close()
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	const size = 8 << 20
	head := fmt.Sprintf("POST /api/rag/search HTTP/1.1\r\nHost: %s\r\n", srv.Listener.Addr())
	head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", size)
	if _, err := io.WriteString(conn, head+strings.Repeat(" ", size)); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || resp.StatusCode != 413 {
		t.Fatalf("%v, %v", resp, err)
	}
	_ = resp.Body.Close()
}
