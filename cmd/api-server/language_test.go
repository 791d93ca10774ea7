package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// languageFiles have what TestQueryLanguage asks for.
var languageFiles = map[string]string{
	"net/client.go": "// Package net has a client.\npackage net\n\n// Client sends frames.\n" +
		"type Client struct{ retries int }\n\n" +
		"// Do retries when the connection was\n// refused.\nfunc (c *Client) Do(frame string) error {\n\treturn nil\n}\n",
	"net/client_test.go": "package net\n\nfunc testClient() { _ = new(Client).Do(\"frame\") }\n",
	"util.py": "def parse_frame(text):\n    \"\"\"The connection was closed.\"\"\"\n" +
		"    return text.split(\"std::vector\")\n\nclass client:\n    pass\n",
	"notes/Alpha.md": "---\ntags: [project/alpha, Draft]\n---\n# Alpha\nThe pool is **big enough** for a frame.\n",
	"notes/Beta.md":  "---\ntags: project\n---\n# Beta\nPenguins, see [[Alpha]].\n",
	"key.go":         "package key\n\nconst token = \"ghp_0123456789abcdefghijABCDEFGHIJ012345\"\n",
}

// Operators of the query select exactly, whatever stands beside them and in
// whatever order; all else in a query is words.
func TestQueryLanguage(t *testing.T) {
	p, id := startWith(t, languageFiles)
	const client, test, util, key, alpha, beta = "net/client.go", "net/client_test.go", "util.py", "key.go",
		"notes/Alpha.md", "notes/Beta.md"
	for _, c := range []struct {
		level, query string
		want         []string // files, or those with a symbol
	}{
		{"file", "lang:go", []string{key, client, test}},
		{"file", "-lang:go", []string{util}},
		{"file", "frame -file:*_test.go", []string{client, util}},
		{"file", "-file:*_test.go frame", []string{client, util}},
		{"file", "file:net -file:*_test.go", []string{client}},
		{"file", "lang:python or file:*_test.go", []string{test, util}},
		{"doc", "penguins or tag:project/alpha", []string{alpha, beta}},
		{"file", "split or lang:go", []string{key, client, test, util}},
		{"file", "-(lang:python or file:*_test.go)", []string{key, client}},
		{"file", "sym:Do kind:method", []string{client}},
		{"file", "sym:Client", []string{client, util}},
		{"file", "sym:Client case:yes", []string{client}},
		{"file", "-sym:do", []string{key, test, util}},
		{"file", "sym:*frame", []string{util}},
		{"file", `"connection was"`, []string{client, util}},
		{"file", `"connection was refused"`, nil}, // a comment's slashes are between
		{"file", `"connection was" -lang:python`, []string{client}},
		{"file", `-"connection was"`, []string{key, test}},
		{"file", `"nection was"`, nil},
		{"file", `/nection\s+WAS/`, []string{client, util}},
		{"file", `/nection\s+WAS/ case:yes`, nil},
		{"file", `/^class \w+:$/`, []string{util}},
		{"file", `/ghp_[0-9a-z]{10}/`, nil}, // credentials are nowhere
		{"file", `-/frame/`, []string{key}},
		{"file", `"std::vector"`, []string{util}},
		{"symbol", "sym:client.do", []string{client}},
		{"symbol", "kind:class", []string{util}},
		{"symbol", "kind:function lang:py", []string{util}},
		{"", "kind:struct", []string{client}},
		{"", "tag:project", []string{alpha, beta}},
		{"", "tag:#Project/Alpha", []string{alpha}},
		{"", "tag:project -tag:draft", []string{beta}},
		{"doc", "-tag:draft", []string{beta}},
		{"doc", `"pool is big enough"`, []string{alpha}},
		{"doc", `"pool is **big enough**"`, []string{alpha}},
		{"module", "sym:parse_frame", []string{"."}},
		{"auto", "sym:parse_frame", []string{util}},
	} {
		body, _ := json.Marshal(map[string]any{
			"query": c.query, "repo_filter": id, "level": c.level, "limit": 50,
			"mode": "lexical",
		})
		status, reply := p.post("/api/rag/search", strings.Replace(string(body), `"level":"",`, "", 1))
		if diff := cmp.Diff(c.want, filesOf(t, reply)); diff != "" || status != http.StatusOK {
			t.Errorf("%s %s: %d (-want +got):\n%s", c.level, c.query, status, diff)
		}
		if (len(reply.Items) == 0) != (reply.Meta.Message != nil) {
			t.Errorf("%s %s: %d items, message %q", c.level, c.query, len(reply.Items), deref(reply.Meta.Message))
		}
	}
}

// A mistake says where it is. Fields of the request win over those of the query.
func TestQueryMistakes(t *testing.T) {
	p, id := startWith(t, map[string]string{"a.go": "package a\n\nfunc Frame() {}\n", "b.py": "def frame(): pass\n"})
	for query, want := range map[string]string{
		`frame "open`:             "at character 7",
		"frame lang:pyhton":       "at character 7 (lang:pyhton): language",
		"frame -lang:pyhton":      "at character 8 (lang:pyhton): language",
		"frame repo:nope":         "at character 7 (repo:nope): no repository",
		"(frame file:a.go":        "at character 1",
		"frame -file:../x":        "at character 8",
		"/(/ frame":               "at character 1",
		"x (lang:go or file:[)":   "at character",
		"frame kind:func or":      "at character 17",
		"case:yes sym:a or )":     "at character 16",
		`frame "a b" or or "c d"`: "at character 13",
	} {
		body, _ := json.Marshal(map[string]any{"query": query})
		status, reply := p.post("/api/rag/search", string(body))
		if status != 400 && status != 404 || !strings.Contains(deref(reply.Meta.Message), want) {
			t.Errorf("%s: %d %q, want %q", query, status, deref(reply.Meta.Message), want)
		}
	}
	_, reply := p.post("/api/rag/search",
		fmt.Sprintf(`{"query":"frame lang:go file:*.go repo:nope","language":"py","path_filter":"b.py","repo_filter":%q}`,
			id))
	if diff := cmp.Diff([]string{"b.py"}, filesOf(t, reply)); diff != "" {
		t.Errorf("fields of the request (-want +got):\n%s", diff)
	}
}

// startWith is a server that has indexed some files, and their repository.
func startWith(t *testing.T, files map[string]string) (p *program, id string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "notebook")
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p = start(t, filepath.Join(t.TempDir(), "data"))
	if status, reply := p.post("/api/index", fmt.Sprintf(`{"targets":[%q],"no_graph":true}`, root)); status !=
		http.StatusOK {
		t.Fatalf("index: %d %v", status, reply.Meta)
	}
	p.indexed("notebook")
	return p, "notebook"
}

// filesOf are the files of results, sorted, each once.
func filesOf(t *testing.T, reply models.Result[json.RawMessage]) []string {
	t.Helper()
	var files []string
	for _, raw := range reply.Items {
		var item models.SearchResult
		if err := json.Unmarshal(raw, &item); err != nil {
			t.Fatal(err)
		}
		files = append(files, deref(item.FilePath))
	}
	slices.Sort(files)
	return slices.Compact(files)
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
