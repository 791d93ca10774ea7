package mcpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/mcpapi"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

const listed = 60

// paged are those of sixty items that a request asks for.
func paged[T any](limit *int, cursor string, item func(i int) T) (models.Result[T], error) {
	start, err := models.CursorOffset(cursor, "list")
	if err != nil {
		return models.Result[T]{}, err
	}
	end := listed
	if limit != nil {
		end = min(end, start+*limit)
	}
	var items []T
	for i := start; i < end; i++ {
		items = append(items, item(i))
	}
	res := models.OKResult(items)
	res.Meta.Total = new(listed)
	if end < listed {
		res.Meta.Truncated, res.Meta.NextCursor = true, models.Cursor(end, "list")
	}
	return res, nil
}

// lists have sixty repositories, symbols and lines, of many lengths.
func lists() *op.Table {
	t := &op.Table{}
	name := func(i int) string { return fmt.Sprintf("item%02d%s", i, strings.Repeat("x", i*7%40)) }
	op.Bind(t, op.Repos, func(_ context.Context, req repos.Request) (repos.Response, error) {
		res, err := paged(req.Limit, req.Cursor, func(i int) models.RepoInfo {
			return models.RepoInfo{RepoID: models.RepoID(name(i)), FreshnessState: models.Fresh}
		})
		return repos.Response{Result: res}, err
	})
	op.Bind(t, op.Outline, func(_ context.Context, req outline.Request) (outline.Response, error) {
		res, err := paged(req.Limit, req.Cursor, func(i int) models.OutlineItem {
			return models.OutlineItem{Symbol: name(i), Kind: "func", Line: i + 1, EndLine: i + 1, Depth: 1}
		})
		return outline.Response{Result: res}, err
	})
	op.Bind(t, op.NavSearch, func(_ context.Context, req nav.SearchRequest) (nav.SearchResponse, error) {
		res, err := paged(req.Limit, req.Cursor, func(i int) models.NavItem {
			s := models.Snippet{Text: name(i), Location: models.SnippetLocation{StartLine: i + 1, EndLine: i + 1}}
			return models.NavItem{FilePath: "a.go", Line: i + 1, Snippet: s}
		})
		return nav.SearchResponse{Result: res, Query: req.Query}, err
	})
	return t
}

var (
	goesOn = regexp.MustCompile(`next: ([a-z_]+) (\{.*\})$`)
	anItem = regexp.MustCompile(`item\d\d`)
)

// The call that a cut reply names on its last line is one that the tool takes; it goes
// on where the reply was cut, in replies of that size.
func TestCutRepliesGoOn(t *testing.T) {
	c := connect(t, mcpapi.Options{Ops: lists()}, nil)
	var want []string
	for i := range listed {
		want = append(want, fmt.Sprintf("item%02d", i))
	}
	for name, args := range map[string]map[string]any{
		"list_repos": {},
		"outline":    {"repo_id": "o/r", "file_path": "a.go"},
		"nav_search": {"repo_id": "o/r", "query": "item"},
	} {
		args["max_tokens"] = 300
		var got []string
		for calls := 0; ; calls++ {
			text, failed := call(t, c, name, args)
			if failed || calls > listed || len(text) > 3*300 {
				t.Fatalf("%s %v, call %d: %d bytes: %s", name, args, calls, len(text), text)
			}
			lines := strings.Split(strings.TrimSpace(text), "\n")
			for _, line := range lines[1:] {
				got = append(got, anItem.FindAllString(line, -1)...)
			}
			last := goesOn.FindStringSubmatch(lines[len(lines)-1])
			if last == nil {
				break
			}
			args = map[string]any{}
			if err := json.Unmarshal([]byte(last[2]), &args); err != nil || last[1] != name {
				t.Fatalf("%s: %v", last[0], err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
