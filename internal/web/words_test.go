package web_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/access"
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

// Why a file is not indexed is said as where such files are counted.
func TestReasonsInWords(t *testing.T) {
	s, _ := newSite(fewFiles)
	cells := []string{}
	for _, td := range open(t, s, "/r/a/b?coverage=skipped").all("td") {
		cells = append(cells, textOf(td))
	}
	if !slices.Contains(cells, "may hold secrets") {
		t.Errorf("a store of secrets is left out for %q", cells)
	}
	preview := post(t, s, access.Owner, "do=preview&target=/src/a").Body.String()
	if !strings.Contains(preview, "<td>not text (") {
		t.Errorf("no reason in words in\n%s", preview)
	}
}
