package filefetch_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
)

var code = map[string]string{
	"a.go":     "package a\n\n// Do does.\nfunc (c Client) Do() {\n}\n\ntype Client struct{}\n\nfunc (s Server) Do() {}\n",
	"doc.md":   "# Title\n\nintro\n\n## Setup\n\nsteps\n\n# End\n",
	"odd#1.go": "package odd\n\nfunc One() {}\n",
	"b:c.go":   "package b\n\nfunc Two() {}\n",
}

func TestSymbols(t *testing.T) {
	svc := filefetch.New(setUp(t, code))
	svc.Define(func(_ context.Context, _ models.RepoID, name string) ([]filefetch.Span, error) {
		if name == "Nowhere" {
			return nil, nil
		}
		return []filefetch.Span{{FilePath: "a.go", Symbol: name}}, nil
	})
	one := func(id models.RepoID, span filefetch.Span) filefetch.Request {
		return filefetch.Request{RepoID: id, FilePath: span.FilePath, Symbol: span.Symbol, DocumentID: span.DocumentID}
	}
	for _, test := range []struct {
		name string
		req  filefetch.Request
		want string // path:start-end of each item
		code fault.Code
		says string
	}{
		{"path#symbol", one(repoID, filefetch.Span{FilePath: "a.go#Client.Do"}), "a.go:3-5", "", ""},
		{"symbol", one(repoID, filefetch.Span{FilePath: "a.go", Symbol: "a.Client.Do"}), "a.go:3-5", "", ""},
		{"every definition", one(repoID, filefetch.Span{FilePath: "a.go#Do"}), "a.go:3-5 a.go:9-9", "", ""},
		{"the second one", one(repoID, filefetch.Span{FilePath: "a.go#Do#2"}), "a.go:9-9", "", ""},
		{"a file with # in its name", one(repoID, filefetch.Span{FilePath: "odd#1.go"}), "odd#1.go:1-3", "", ""},
		{"and a symbol in it", one(repoID, filefetch.Span{FilePath: "odd#1.go", Symbol: "One"}), "odd#1.go:3-3", "", ""},
		{"path:line", one(repoID, filefetch.Span{FilePath: "a.go:2"}), "a.go:2-2", "", ""},
		{"path:line-line", one(repoID, filefetch.Span{FilePath: "a.go:3-500"}), "a.go:3-9", "", ""},
		{"lines of no file", one(repoID, filefetch.Span{FilePath: "gone.go:3"}), "", fault.PathNotFound, `"gone.go"`},
		{
			"lines twice",
			filefetch.Request{RepoID: repoID, FilePath: "a.go:3", EndLine: new(4)},
			"", fault.PathNotFound, "a.go",
		},
		{"a section", one(repoID, filefetch.Span{FilePath: "doc.md#setup"}), "doc.md:5-8", "", ""},
		{
			"a section with those below it", one(repoID, filefetch.Span{FilePath: "doc.md", Symbol: "Title"}), "doc.md:1-8", "",
			"",
		},
		{"by id", one("", filefetch.Span{DocumentID: "symbol:acme/api:a.go:Client.Do"}), "a.go:3-5", "", ""},
		{"by id, colon in the path", one("", filefetch.Span{DocumentID: "symbol:acme/api:b:c.go:Two"}), "b:c.go:3-3", "", ""},
		{"a file's id", one("", filefetch.Span{DocumentID: "file:acme/api:a.go"}), "a.go:1-9", "", ""},
		{"a section's id", one("", filefetch.Span{DocumentID: "doc:acme/api:doc.md#setup"}), "doc.md:5-8", "", ""},
		{"name alone", one(repoID, filefetch.Span{Symbol: "Client"}), "a.go:7-7", "", ""},
		{"with context", filefetch.Request{RepoID: repoID, FilePath: "a.go#Client", Context: 1}, "a.go:6-8", "", ""},
		{
			"lines with context",
			filefetch.Request{RepoID: repoID, FilePath: "a.go", StartLine: new(2), EndLine: new(8), Context: 5},
			"a.go:1-9", "",
			"",
		},
		{"spans", filefetch.Request{RepoID: repoID, Spans: []filefetch.Span{
			{FilePath: "a.go", StartLine: new(1), EndLine: new(1)}, {FilePath: "gone.go"}, {FilePath: "doc.md", Symbol: "Setup"},
		}}, "a.go:1-1 gone.go:0-0 doc.md:5-8", "", ""},

		{"no such symbol", one(repoID, filefetch.Span{FilePath: "a.go#Clint"}), "", fault.SymbolNotFound, "Client"},
		{"not indexed", one(repoID, filefetch.Span{Symbol: "Nowhere"}), "", fault.SymbolNotFound, "search"},
		{"a folder's id", one("", filefetch.Span{DocumentID: "module:acme/api:."}), "", fault.InvalidRequest, "structure"},
		{"not an id", one("", filefetch.Span{DocumentID: "symbol:x"}), "", fault.InvalidRequest, "not the id"},
		{
			"of another repository", one("acme/web", filefetch.Span{DocumentID: "file:acme/api:a.go"}), "", fault.InvalidRequest,
			"another repository",
		},
		{"nothing", filefetch.Request{RepoID: repoID}, "", fault.InvalidRequest, "file_path is required"},
		{
			"an empty span",
			filefetch.Request{RepoID: repoID, Spans: []filefetch.Span{{FilePath: "a.go"}, {}}},
			"", fault.InvalidRequest, "spans[1] does not say of what; give a file_path",
		},
		{"no repository", one("", filefetch.Span{FilePath: "a.go"}), "", fault.InvalidRequest, "repo_id is required"},
		{
			"symbol and lines",
			filefetch.Request{RepoID: repoID, FilePath: "a.go#Do", StartLine: new(1)},
			"",
			fault.InvalidRequest, "leave out",
		},
		{
			"spans and a path",
			filefetch.Request{RepoID: repoID, FilePath: "a.go", Spans: []filefetch.Span{{FilePath: "a.go"}}},
			"", fault.InvalidRequest, "spans say",
		},
		{
			"spans that all fail",
			filefetch.Request{RepoID: repoID, Spans: []filefetch.Span{{FilePath: "x"}, {FilePath: "y"}}},
			"", fault.PathNotFound, "x",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			res, err := svc.File(t.Context(), test.req)
			if test.code != "" {
				if fault.CodeOf(err) != test.code || !strings.Contains(fault.MessageOf(err), test.says) {
					t.Fatalf("got %v, want %s with %q", err, test.code, test.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, item := range res.Items {
				got = append(got, fmt.Sprintf("%s:%d-%d", item.FilePath, item.StartLine, item.EndLine))
				if (item.Error == "") != (item.EndLine > 0) {
					t.Errorf("%s: %q", item.FilePath, item.Error)
				}
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("got %q, want %q", s, test.want)
			}
		})
	}
}

// All spans of a reply share its 256 KiB, and what has no room is said.
func TestSpansShareTheLimit(t *testing.T) {
	svc := filefetch.New(setUp(t, map[string]string{"long.txt": lines(60_000)}))
	res, err := svc.File(t.Context(),
		filefetch.Request{RepoID: repoID, Spans: []filefetch.Span{{FilePath: "long.txt"}, {FilePath: "long.txt"}}})
	if err != nil {
		t.Fatal(err)
	}
	n := len(res.Items[0].Code) + len(res.Items[1].Code)
	if n > 256<<10 || !res.Meta.Truncated || res.Items[1].Error == "" && !res.Items[1].Truncated {
		t.Errorf("%d bytes, truncated %v, %q", n, res.Meta.Truncated, res.Items[1].Error)
	}
}
