package mcpapi

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/view"
)

// What a search without an index looks at and shows.
const (
	liveLines    = 1000 // lines with a word, at most
	liveFiles    = 5
	linesPerFile = 4
	shortWord    = 3 // letters; shorter words are in every file
)

// live answers a search while the first index is being built: files with most
// of the query's words, by a scan of the repository as it is.
func (c caller) live(ctx context.Context, req any, notReady error) (models.Envelope, string, error) {
	asked, ok := req.(*search.Request)
	if !ok || fault.CodeOf(notReady) != fault.IndexNotReady {
		return nil, "", notReady
	}
	id, err := c.repository(ctx)
	words := wordsOf(asked.Query)
	elsewhere := asked.RepoFilter != "" && asked.RepoFilter != string(id)
	if err != nil || len(words) == 0 || elsewhere {
		return nil, "", notReady
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	scan := &nav.SearchRequest{
		RepoID: id, Query: strings.Join(quoted, "|"), Regexp: true, Case: "insensitive",
		PathFilter: asked.PathFilter, Language: asked.Language, Limit: new(liveLines),
	}
	env, err := op.NavSearch.Do(ctx, c.Ops, scan)
	if err != nil {
		return nil, "", notReady
	}
	resp := env.(*nav.SearchResponse)
	found := len(resp.Items)
	resp.Items = best(resp.Items, words)
	resp.Meta.Status, resp.Meta.Source, resp.Meta.NextCursor, resp.Meta.Total = models.StatusFallback,
		models.SourceFallback, "", nil
	least := ""
	if resp.Meta.Truncated {
		least = "at least "
	}
	resp.Meta.Message = new(
		fmt.Sprintf("%s; meanwhile, of %s: the files with most of the words, out of %s%d lines with one",
			fault.MessageOf(notReady), id, least, found))
	return resp, view.Text(op.NavSearch, scan, resp), nil
}

// best are the first lines of the files with most different words.
func best(items []models.NavItem, words []string) []models.NavItem {
	type file struct {
		path  string
		words map[string]bool
		items []models.NavItem
	}
	var files []*file
	for _, item := range items {
		if len(files) == 0 || files[len(files)-1].path != item.FilePath {
			files = append(files, &file{path: item.FilePath, words: map[string]bool{}})
		}
		f := files[len(files)-1]
		text, novel := strings.ToLower(item.FilePath+"\n"+item.Snippet.Text), false
		for _, w := range words {
			if strings.Contains(text, w) && !f.words[w] {
				f.words[w], novel = true, true
			}
		}
		if novel && len(f.items) < linesPerFile {
			f.items = append(f.items, item)
		}
	}
	slices.SortStableFunc(files, func(a, b *file) int { return cmp.Compare(len(b.words), len(a.words)) })
	var shown []models.NavItem
	for _, f := range files[:min(liveFiles, len(files))] {
		shown = append(shown, f.items...)
	}
	return shown
}

// wordsOf are the words of a query that may tell files apart.
func wordsOf(query string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(query), func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') && r <= 127
	}) {
		if len(w) > shortWord && !dull[w] && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// dull are words of questions that say nothing about code.
var dull = map[string]bool{
	"what": true, "where": true, "which": true, "when": true, "does": true, "this": true, "that": true, "with": true,
	"from": true, "have": true,
	"there": true, "are": true, "how": true, "into": true, "code": true, "function": true, "file": true, "work": true,
	"works": true, "used": true,
}
