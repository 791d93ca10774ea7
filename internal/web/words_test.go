package web_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// A page says what a person can do there: no field of a request, no tool, no cursor.
func TestWordsOfPeople(t *testing.T) {
	s, f := newSite(fewFiles)
	said := ""
	op.Bind(&f.Table, op.Search, func(context.Context, search.Request) (search.Response, error) {
		resp := search.Response{Level: models.LevelFile, Result: models.OKResult([]models.SearchResult{})}
		resp.Meta.Message = &said
		return resp, nil
	})
	for message, want := range map[string]string{
		"these are of 3 of 7 repositories; repo_filter searches one of them alone": "these are of 3 of 7 " +
			"repositories; the repository filter searches one of them alone",
		`no indexed file matches path_filter "*.x"`:                        `no indexed file matches the path filter "*.x"`,
		"no declarations in \"a.js\"; read it with `ragnav file`":          `no declarations in "a.js"`,
		"cut: lines 1-1 of 1, 9 of 64 bytes; go on with cursor zYitoYCAEA": "cut: lines 1-1 of 1, 9 of 64 bytes",
		"cut: lines 1-2 of 9, 9 of 64 bytes; go on with start_line 3 or cursor zY; late": "cut: lines 1-2 of 9, " +
			"9 of 64 bytes; late",
		`no file "x"; explore_structure lists what there is`: `no file "x"`,
		"it is old; `ragnav index a` indexes it":             "it is old; `ragnav index a` indexes it",
	} {
		said = message
		got := open(t, s, "/?q=x").text
		if !strings.Contains(got, want) || want != message && strings.Contains(got, message) {
			t.Errorf("%q is not said as %q in\n%s", message, want, got)
		}
	}
}
