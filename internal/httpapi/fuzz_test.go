package httpapi_test

import (
	"net/url"
	"strings"
	"testing"
)

// Whatever a client sends, decoding and validation never fail with a 5xx, and
// the reply is as documented.
func fuzzBody(f *testing.F, path string, seeds ...string) {
	for _, s := range append(seeds, "", "{}", "null", "[]", `{"x":1}`, `{"query":`, "\xff", "{\"query\":\"\x00\"}",
		`{"limit":-1e400}`) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 16<<10 {
			t.Skip("longer ones have nothing else in them, and take all of the time")
		}
		if w := do(t, deps(), request{method: "POST", path: path, body: body}); w.Code >= 500 {
			t.Errorf("body %q: status %d\n%s", body, w.Code, w.Body)
		}
	})
}

func FuzzSearch(f *testing.F) {
	fuzzBody(f, "/api/rag/search", `{"query":"x","level":"symbol","limit":3,"explain":true}`, `{"query":1}`,
		`{"query":"x","limit":null}`)
}

func FuzzStructure(f *testing.F) {
	fuzzBody(f, "/api/rag/structure", `{"repo_id":"a/b","path":"..","pattern":"**/[","include_summaries":false}`)
}

func FuzzFile(f *testing.F) {
	fuzzBody(f, "/api/rag/file", `{"repo_id":"a/b","file_path":"../../x","start_line":2,"end_line":1}`)
}

func FuzzAsk(f *testing.F) {
	fuzzBody(f, "/api/rag/", `{"query":"x","history":[{"role":"user","content":"y"}],"budget":{"max_steps":2}}`)
}

func FuzzIndex(f *testing.F) {
	fuzzBody(f, "/api/index", `{"targets":["."],"repo_id":"a","full":true}`)
}

// A target is what follows the host in a request line; net/http refuses what
// is not one before any handler sees it.
func FuzzTarget(f *testing.F) {
	for _, s := range []string{
		"/api/rag/repos?limit=2&cursor=x", "/api/rag/repos/a%2fb", "/api/rag/repos/%ff", "/api/index/jobs/%00",
		"/api/index/jobs?limit=x",
		"/api/index/coverage?repo_id=a&only=skipped", "/healthz?", "/readyz?a=%", "//", "/%2e%2e/", "/version;x",
		"/assets/..%2fapp.js",
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, target string, read bool) {
		method := "DELETE"
		if read {
			method = "GET"
		}
		path, ok := pathOf(target)
		if !ok {
			t.Skip("not a request target")
		}
		if w := do(t, deps(), request{method: method, path: path}); w.Code >= 500 {
			t.Errorf("%s %q: status %d\n%s", method, target, w.Code, w.Body)
		}
	})
}

// pathOf is the target as a client would send it, if it is one.
func pathOf(target string) (string, bool) {
	if !strings.HasPrefix(target, "/") || strings.ContainsAny(target, " #") {
		return "", false
	}
	for _, c := range []byte(target) {
		if c <= ' ' || c == 0x7f {
			return "", false
		}
	}
	_, err := url.ParseRequestURI(target)
	return target, err == nil
}
