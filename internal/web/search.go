package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
)

const (
	resultsOnPage = 20
	reposOnPage   = 200
	countTime     = 300 * time.Millisecond // that a page waits for the counts of levels
)

// Results are the page of a search.
type Results struct {
	Query  Query
	Level  models.Level // that was searched
	Tabs   []Tab
	Facets []Facet
	Groups []Group
	Meta   models.Meta
	Next   string // address of the next page
}

// A Tab is a level to search at.
type Tab struct {
	Label, URL string
	Count      string // of results, "" when not known
	Current    bool
}

// A Facet is a filter, with what the results on the page have for it.
type Facet struct {
	Label, Name string
	Choices     []Choice
	Clear       string // address without the filter; "" when it is not set
	Value       string // that is set
}

// A Choice is a value of a Facet.
type Choice struct {
	Label, URL string
	Count      int
}

// search is the page of a search, or without one the first page.
func (s *Site) search(r *http.Request) (view, error) {
	q := queryOf(r)
	if q.Text == "" {
		return s.home(r, q)
	}
	v := view{Template: "search", Title: q.Text, Query: q}
	var counts map[models.Level]string
	var resp search.Response
	group, ctx := parallel.NewGroup(r.Context())
	group.Go(func() (err error) { resp, err = do(ctx, s, op.Search, q.request()); return err })
	group.Go(func() error { counts = s.counts(ctx, q); return nil })
	if err := group.Wait(); err != nil {
		return v, err
	}
	results := Results{Query: q, Level: resp.Level, Meta: resp.Meta, Tabs: tabs(q, resp.Level, counts), Facets: facets(q, resp.Items)}
	results.Groups = groups(resp.Items)
	if resp.Meta.NextCursor != "" {
		results.Next = q.With("cursor", resp.Meta.NextCursor)
	}
	v.Data = results
	return v, nil
}

func (q Query) request() search.Request {
	return search.Request{
		Query: q.Text, Level: cmp.Or(q.Level, models.LevelAuto), RepoFilter: q.Repo, PathFilter: q.Path, Language: q.Language,
		Limit: new(resultsOnPage), Cursor: q.Cursor, Mode: q.Mode, Explain: q.Explain,
	}
}

// counts tells how much a search finds at each level. One that fails or takes
// long is not counted: the search itself says why.
func (s *Site) counts(ctx context.Context, q Query) map[models.Level]string {
	levels := models.Levels()
	found := make([]string, len(levels))
	ctx, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	group, ctx := parallel.NewGroup(ctx)
	group.SetLimit(2) // the page leaves seats for others
	for i, level := range levels {
		req := q.request()
		req.Level, req.Cursor, req.Limit, req.Preview, req.Explain = level, "", new(1), true, false
		group.Go(func() error {
			resp, err := do(ctx, s, op.Search, req)
			if err == nil && resp.Meta.Total != nil {
				found[i] = count(*resp.Meta.Total, resp.Meta.TotalAtLeast)
			}
			return nil
		})
	}
	if group.Wait() != nil {
		return nil
	}
	counts := map[models.Level]string{}
	for i, level := range levels {
		counts[level] = found[i]
	}
	return counts
}

func count(n int, atLeast bool) string {
	if atLeast {
		return fmt.Sprintf("%d+", n)
	}
	return fmt.Sprint(n)
}

var labels = map[models.Level]string{
	models.LevelSymbol: "Symbols", models.LevelFile: "Files", models.LevelModule: "Folders", models.LevelRepo: "Repositories", models.LevelDoc: "Documentation",
}

func tabs(q Query, searched models.Level, counts map[models.Level]string) []Tab {
	var all []Tab
	for _, level := range models.Levels() {
		all = append(all, Tab{labels[level], q.With("level", string(level)), counts[level], level == searched})
	}
	return all
}

// facets are the filters, with the values among some results.
func facets(q Query, items []models.SearchResult) []Facet {
	repo, lang, folder := map[string]int{}, map[string]int{}, map[string]int{}
	for _, item := range items {
		repo[string(item.RepoID)]++
		if item.Language != "" {
			lang[item.Language]++
		}
		if item.FilePath != nil {
			if top, _, ok := strings.Cut(*item.FilePath, "/"); ok {
				folder[top]++
			}
		}
	}
	return []Facet{q.facet("Repository", "repo", q.Repo, repo), q.facet("Language", "lang", q.Language, lang), q.facet("Folder", "path", q.Path, folder)}
}

func (q Query) facet(label, name, value string, counts map[string]int) Facet {
	f := Facet{Label: label, Name: name, Value: value}
	if value != "" {
		f.Clear = q.With(name, "")
		return f
	}
	for value, n := range counts {
		f.Choices = append(f.Choices, Choice{value, q.With(name, value), n})
	}
	slices.SortFunc(f.Choices, func(a, b Choice) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Label, b.Label)) })
	f.Choices = f.Choices[:min(len(f.Choices), 8)]
	return f
}

// A Home is the first page.
type Home struct {
	Repos []models.RepoInfo
	Meta  models.Meta
	More  bool // repositories than are listed
}

func (s *Site) home(r *http.Request, q Query) (view, error) {
	list, err := do(r.Context(), s, op.Repos, repos.Request{Limit: new(reposOnPage)})
	if err != nil && !errors.Is(err, context.Canceled) {
		return view{}, err
	}
	return view{Template: "home", Title: "ragnav", Query: q, Data: Home{list.Items, list.Meta, list.Meta.NextCursor != ""}}, nil
}
