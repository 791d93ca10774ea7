package outline_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
)

// files is a reader of files that are kept here.
type files map[string]string

func (f files) Outline(_ context.Context, id models.RepoID, file, _ string) (filefetch.Outline, error) {
	language := map[bool]string{true: "Go", false: "Markdown"}[strings.HasSuffix(file, ".go")]
	out := reader.Parse(parse.File{Path: file, Language: language, Text: f[file]})
	return filefetch.Outline{RepoID: id, FilePath: file, Language: language, Outline: out}, nil
}

var tree = files{
	"a.go": `package a

func (c *Client) Do() {}

// Client is one.
type Client struct{}

func (c *Client) dial() {}

func helper() {}

func (h hidden) Public() {}

type hidden int

func New() *Client { return nil }
`,
	"main.go":  "package main\n\nfunc main() {}\n\nfunc run() {}\n",
	"doc.md":   "# One\n\n## Two\n\ntext\n\n# Three\n",
	"empty.go": "package empty\n",
}

func TestOutline(t *testing.T) {
	for _, test := range []struct {
		name string
		req  outline.Request
		want string
		says string
	}{
		{
			"methods are in their types",
			outline.Request{FilePath: "a.go"},
			"Client 5-6\n  Do 3-3\nNew 16-16\n", "left out: 4 symbols not exported",
		},
		{
			"private",
			outline.Request{FilePath: "a.go", Private: true},
			"Client 5-6\n  Do 3-3\n  dial 8-8\nhelper 10-10\nhidden 14-14\n  Public 12-12\nNew 16-16\n", "",
		},
		{"depth", outline.Request{FilePath: "a.go", Depth: new(1)}, "Client 5-6\nNew 16-16\n", ", 1 symbol nested deeper"},
		{"nothing is exported", outline.Request{FilePath: "main.go"}, "main 3-3\nrun 5-5\n", ""},
		{"headings", outline.Request{FilePath: "doc.md"}, "One 1-2\n  Two 3-6\nThree 7-7\n", ""},
		{"no declarations", outline.Request{FilePath: "empty.go"}, "", "; read it with `ragnav file`"},
	} {
		t.Run(test.name, func(t *testing.T) {
			resp, err := outline.New(tree).Outline(t.Context(), test.req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, text(resp)); diff != "" {
				t.Error(diff)
			}
			said := models.Or(resp.Meta.Message, "")
			if !strings.Contains(said, test.says) || test.says == "" && said != "" {
				t.Errorf("message %q, want %q", said, test.says)
			}
		})
	}
}

func text(resp outline.Response) string {
	var b strings.Builder
	for _, item := range resp.Items {
		fmt.Fprintf(&b, "%s%s %d-%d\n", strings.Repeat("  ", item.Depth), item.Symbol, item.Line, item.EndLine)
	}
	return b.String()
}

// The pages put together are the outline.
func TestOutlinePages(t *testing.T) {
	svc := outline.New(tree)
	whole, err := svc.Outline(t.Context(), outline.Request{FilePath: "a.go"})
	if err != nil {
		t.Fatal(err)
	}
	var got []models.OutlineItem
	req := outline.Request{FilePath: "a.go", Limit: new(2)}
	for {
		resp, err := svc.Outline(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if *resp.Meta.Total != len(whole.Items) || resp.Meta.Truncated != (resp.Meta.NextCursor != "") {
			t.Errorf("total %d, truncated %v", *resp.Meta.Total, resp.Meta.Truncated)
		}
		got = append(got, resp.Items...)
		if req.Cursor = resp.Meta.NextCursor; req.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(whole.Items, got); diff != "" {
		t.Error(diff)
	}
	_, err = svc.Outline(t.Context(), outline.Request{FilePath: "doc.md", Cursor: "gzLhGQE"})
	said := fault.MessageOf(err)
	if fault.CodeOf(err) != fault.InvalidRequest || !strings.HasPrefix(said, "cursor: not of") {
		t.Errorf("a cursor of another list: %q", said)
	}
}
