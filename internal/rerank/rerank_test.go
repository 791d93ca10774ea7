package rerank_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/modelserver"
	"github.com/ragnav/ragnav/internal/rerank"
)

// body is what a client sends, in either form.
type body struct {
	Model     string   `json:"model,omitempty"`
	Query     string   `json:"query"`
	Documents []string `json:"documents,omitempty"`
	TopN      int      `json:"top_n,omitempty"`
	Texts     []string `json:"texts,omitempty"`
	Truncate  bool     `json:"truncate,omitempty"`
}

// serve starts a server and gives a client of it, whose URL a user wrote with path
// behind the host.
func serve(t *testing.T, path string, answer func(w http.ResponseWriter, r *http.Request, b body)) *rerank.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b body
		d := json.NewDecoder(r.Body)
		d.DisallowUnknownFields()
		if err := d.Decode(&b); err != nil {
			t.Errorf("the request: %v", err)
		}
		answer(w, r, b)
	}))
	t.Cleanup(server.Close)
	url, err := modelserver.Base(server.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	return rerank.New(rerank.Options{URL: url, Model: "m", APIKey: "sk-very-secret", Timeout: 2 * time.Second})
}

var documents = []string{"a", "b", "c"}

// Servers differ in where they are asked and how; what they want is found out once.
func TestForms(t *testing.T) {
	var sent []string
	cohere := func(w http.ResponseWriter, b body) {
		if diff := cmp.Diff(body{Model: "m", Query: "q", Documents: sent, TopN: 3}, b); diff != "" {
			t.Errorf("the request (-want +got):\n%s", diff)
		}
		_, _ = io.WriteString(w, `{"id":"x","results":[{"index":2,"relevance_score":9.5,"document":{"text":"c"}},`+
			`{"index":0,"relevance_score":-1},{"index":1,"relevance_score":-3e-2}],"usage":{}}`)
	}
	tei := func(w http.ResponseWriter, b body) {
		if b.Texts == nil {
			http.Error(w, "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1 column 99",
				http.StatusUnprocessableEntity)
			return
		}
		if diff := cmp.Diff(body{Query: "q", Texts: sent, Truncate: true}, b); diff != "" {
			t.Errorf("the request (-want +got):\n%s", diff)
		}
		_, _ = io.WriteString(w, `[{"index":2,"score":9.5},{"index":1,"score":-3e-2},{"index":0,"score":-1}]`)
	}
	for name, tc := range map[string]struct {
		path   string // in the setting
		serves string // where the server is
		answer func(http.ResponseWriter, body)
		first  int // requests for the first question
	}{
		"vLLM, llama.cpp, LocalAI, Jina": {"/v1", "/v1/rerank", cohere, 1},
		"without a version":              {"", "/v1/rerank", cohere, 1},
		"the endpoint itself":            {"/v1/rerank", "/v1/rerank", cohere, 1},
		"Cohere":                         {"/v2/", "/v2/rerank", cohere, 1},
		"behind a gateway":               {"/ai/v1", "/ai/v1/rerank", cohere, 1},
		"Infinity":                       {"", "/rerank", cohere, 2},
		"no version in the path":         {"/models", "/models/rerank", cohere, 1},
		"TEI":                            {"", "/rerank", tei, 3},
		"TEI, the endpoint":              {"/rerank", "/rerank", tei, 3},
	} {
		t.Run(name, func(t *testing.T) {
			var asked int
			c := serve(t, tc.path, func(w http.ResponseWriter, r *http.Request, b body) {
				asked++
				switch {
				case r.Header.Get("Authorization") != "Bearer sk-very-secret":
					t.Errorf("the key is %q", r.Header.Get("Authorization"))
				case r.URL.Path != tc.serves:
					http.NotFound(w, r)
				default:
					tc.answer(w, b)
				}
			})
			for _, q := range []struct {
				want      int // requests so far
				documents []string
			}{{tc.first, documents}, {tc.first + 1, []string{"a", "b", "d"}}} {
				sent = q.documents
				got, err := c.Scores(t.Context(), "q", q.documents)
				if diff := cmp.Diff([]float64{-1, -0.03, 9.5}, got); err != nil || diff != "" {
					t.Errorf("scores (-want +got):\n%s%v", diff, err)
				}
				if asked != q.want {
					t.Errorf("%d requests, want %d", asked, q.want)
				}
			}
		})
	}
}

// A server that lies, fails or is slow gives an error in words, without the key.
func TestLies(t *testing.T) {
	ok := `{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":1},{"index":2,"relevance_score":1}]}`
	list := func(results string) string { return `{"results":[` + results + `]}` }
	for name, tc := range map[string]struct {
		status int
		reply  string
		want   string
	}{
		"too few":           {200, list(`{"index":0,"relevance_score":1}`), "1 scores of 3 documents"},
		"none":              {200, `{}`, "0 scores of 3 documents"},
		"too many":          {200, strings.Replace(ok, "[", `[{"index":1,"relevance_score":1},`, 1), "4 scores"},
		"an index too high": {200, strings.Replace(ok, `"index":2`, `"index":3`, 1), "none of 3"},
		"a negative index":  {200, strings.Replace(ok, `"index":2`, `"index":-1`, 1), "none of 3"},
		"no index":          {200, strings.Replace(ok, `"index":2,`, ``, 1), "none of 3"},
		"an index twice":    {200, strings.Replace(ok, `"index":2`, `"index":1`, 1), "two scores of one document"},
		"an index of text":  {200, strings.Replace(ok, `"index":2`, `"index":"2"`, 1), "no list of scores"},
		"no score":          {200, strings.Replace(ok, `"index":2,"relevance_score":1`, `"index":2`, 1), "no score of document 2"},
		"null":              {200, strings.Replace(ok, `"index":2,"relevance_score":1`, `"index":2,"relevance_score":null`, 1), "no score"},
		"NaN":               {200, strings.Replace(ok, `_score":1`, `_score":NaN`, 1), "no list of scores"},
		"infinite":          {200, strings.Replace(ok, `_score":1`, `_score":1e999`, 1), "no list of scores"},
		"a page":            {200, "<html>hello</html>", "no list of scores"},
		"nothing":           {200, "", "no list of scores"},
		"cut off":           {200, ok[:40], "no list of scores"},
		"without an end":    {200, list(strings.Repeat(" ", 1<<20)), "no list of scores"},
		"an error as OK":    {200, `{"error":{"message":"model sk-very-secret is loading"}}`, "fails: model"},
		"refused":           {401, `{}`, "check RAGNAV_RERANK_API_KEY"},
		"no such model":     {404, `{"message":"model m not found"}`, "check RAGNAV_RERANK_MODEL and RAGNAV_RERANK_URL"},
		"too large":         {413, `{"error":"input is too large to process"}`, "too large to process"},
		"too much to do":    {429, `{}`, "has too much to do"},
		"broken":            {500, `{"error":{"message":"out of memory"}}`, "out of memory"},
		"elsewhere":         {307, ``, "not followed"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			c := serve(t, "/v1", func(w http.ResponseWriter, _ *http.Request, _ body) {
				asked.Add(1)
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tc.status)
				_, _ = io.WriteString(w, tc.reply)
			})
			scores, err := c.Scores(t.Context(), "q", documents)
			if scores != nil || err == nil || !strings.Contains(fault.MessageOf(err), tc.want) ||
				strings.Contains(err.Error(), "very-secret") {
				t.Errorf("%v, %v; want an error with %q", scores, err, tc.want)
			}
			before := asked.Load()
			if _, again := c.Scores(t.Context(), "another", documents); again == nil || asked.Load() != before {
				t.Errorf("a server that has just failed is asked again: %d times, %v", asked.Load()-before, again)
			}
		})
	}
}

// What takes longer than the timeout is said so; who has less time than that is no
// reason to leave the server alone.
func TestSlow(t *testing.T) {
	var slow atomic.Bool
	slow.Store(true)
	c := serve(t, "/v1", func(w http.ResponseWriter, r *http.Request, b body) {
		if slow.Load() {
			<-r.Context().Done()
			return
		}
		_, _ = io.WriteString(w, results(b))
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := c.Scores(ctx, "q", documents); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("of a caller without time: %v", err)
	}
	_, err := c.Scores(t.Context(), "q", documents)
	if err == nil || !strings.Contains(fault.MessageOf(err), "RAGNAV_RERANK_TIMEOUT") {
		t.Errorf("of a slow server: %v", err)
	}
	slow.Store(false)
	if err := c.Ping(t.Context()); err != nil {
		t.Errorf("ping: %v", err)
	}
}

// An answer is remembered for what was asked.
func TestRemembers(t *testing.T) {
	asked := 0
	c := serve(t, "/v1", func(w http.ResponseWriter, _ *http.Request, b body) {
		asked++
		_, _ = io.WriteString(w, results(b))
	})
	for _, q := range []struct {
		query     string
		documents []string
		want      int // requests so far
	}{{"q", documents, 1}, {"q", documents, 1}, {"qa", documents[1:], 2}, {"q", documents[1:], 3}} {
		if _, err := c.Scores(t.Context(), q.query, q.documents); err != nil || asked != q.want {
			t.Errorf("%s of %v: %d requests, want %d; %v", q.query, q.documents, asked, q.want, err)
		}
	}
}

// results is a reply with a score for each document.
func results(b body) string {
	all := make([]string, len(b.Documents))
	for i := range all {
		all[i] = fmt.Sprintf(`{"index":%d,"relevance_score":%d}`, i, -i)
	}
	return `{"results":[` + strings.Join(all, ",") + `]}`
}
