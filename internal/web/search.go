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
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
)

const (
	resultsOnPage = 20
	reposOnPage   = 200
	symbolsApart  = 3
	countTime     = 300 * time.Millisecond // that a page waits for what other levels have
)

// Results are the page of a search.
type Results struct {
	Query   Query
	Level   models.Level // that was searched
	Found   string       // how many, "" when that is not known
	Tabs    []Tab
	Others  []Tab // that have results where this level has none
	Chips   []Chip
	Facets  []Facet
	Symbols []Group // the best ones, where others were searched
	Groups  []Group
	Meta    models.Meta
	Next    string // address of the next page
}

// A Tab is a level to search at.
type Tab struct {
	Label, URL string
	Count      string // of results, "" when not known
	Current    bool
}

// A Facet is a filter, with what the results on the page have for it.
type Facet struct {
	Label   string
	Choices []Choice
}

// A Choice is a value of a Facet.
type Choice struct {
	Label, URL string
	Count      int
}

// searchPages are the first page and those of searches.
type searchPages struct{ ops op.Backend }

// search is the page of a search, or without one the first page.
func (s searchPages) search(r *http.Request) (view, error) {
	q := queryOf(r)
	if q.Text == "" {
		return s.home(r, q)
	}
	v := view{Template: "search", Title: q.Text, Query: q}
	apart := q.Level == "" && q.Cursor == ""
	var counts []string
	var resp, symbols search.Response
	group, ctx := parallel.NewGroup(r.Context())
	group.Go(func() (err error) { resp, err = do(ctx, s.ops, op.Search, q.request()); return err })
	group.Go(func() error { counts = s.counts(ctx, q); return nil })
	if apart {
		group.Go(func() (err error) { symbols, err = s.beginning(ctx, q, models.LevelSymbol, symbolsApart); return err })
	}
	if err := group.Wait(); err != nil {
		return mistaken(v, q, err)
	}
	if i := slices.Index(models.Levels(), resp.Level); i >= 0 && resp.Meta.Total != nil { // a longer list counts further
		counts[i] = count(*resp.Meta.Total, resp.Meta.TotalAtLeast)
	}
	results := Results{
		Query: q, Level: resp.Level, Meta: resp.Meta, Found: found(resp.Level, resp.Meta), Tabs: tabs(q, resp.Level, counts),
		Chips: q.chips(), Groups: groups(resp.Items),
	}
	if len(results.Groups) == 0 {
		results.Others = slices.DeleteFunc(slices.Clone(results.Tabs), func(t Tab) bool {
			return t.Current || t.Count == "" || t.Count == "0"
		})
	}
	results.Facets = q.facets(results.Chips, resp.Items)
	if apart && resp.Level != models.LevelSymbol {
		results.Symbols = groups(slices.DeleteFunc(symbols.Items, func(r models.SearchResult) bool { return r.Weak }))
	}
	if resp.Meta.NextCursor != "" {
		results.Next = q.With("cursor", resp.Meta.NextCursor)
	}
	v.Data = results
	return v, nil
}

func (q Query) request() search.Request {
	return search.Request{
		Query: q.Text, Level: cmp.Or(q.Level, models.LevelAuto), RepoFilter: q.Repo, PathFilter: q.Path, Language: q.Language,
		Limit: new(resultsOnPage), Cursor: q.Cursor, Mode: q.Mode, Explain: true,
	}
}

// A Mistaken is the page of a text that is no query: where, and why.
type Mistaken struct {
	Before, At, After string // the text, and the character where it is wrong
	Problem           string
}

// mistaken shows an error of a query at its place. Others stay what they are.
func mistaken(v view, q Query, err error) (view, error) {
	m, ok := errors.AsType[*query.Mistake](err)
	text := []rune(q.Text)
	if !ok || m.At < 1 || m.At > len(text)+1 {
		return v, err
	}
	page := Mistaken{Before: string(text[:m.At-1]), At: " ", Problem: m.Problem}
	if m.At <= len(text) {
		page.At, page.After = string(text[m.At-1]), string(text[m.At:])
	}
	v.Template, v.Title, v.Status, v.Data = "mistake", "Not a query", http.StatusBadRequest, page
	return v, nil
}

// beginning is the first results of a search at a level.
func (s searchPages) beginning(ctx context.Context, q Query, level models.Level, limit int) (search.Response, error) {
	req := q.request()
	req.Level, req.Cursor, req.Limit = level, "", &limit
	return do(ctx, s.ops, op.Search, req)
}

// counts is how many results a search has at each of models.Levels. A level that
// fails or takes long has none: the search itself says why.
func (s searchPages) counts(ctx context.Context, q Query) []string {
	levels := models.Levels()
	all := make([]string, len(levels))
	ctx, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	group, ctx := parallel.NewGroup(ctx)
	group.SetLimit(2) // the page leaves seats for others
	for i, level := range levels {
		group.Go(func() error {
			if resp, err := s.beginning(ctx, q, level, 1); err == nil && resp.Meta.Total != nil {
				all[i] = count(*resp.Meta.Total, resp.Meta.TotalAtLeast)
			}
			return nil
		})
	}
	if group.Wait() != nil {
		return make([]string, len(levels))
	}
	return all
}

func count(n int, atLeast bool) string {
	if atLeast {
		return fmt.Sprintf("%d+", n)
	}
	return fmt.Sprint(n)
}

// found is how many results of a level there are, in words: "1 symbol", "200+ files".
func found(level models.Level, meta models.Meta) string {
	if meta.Total == nil {
		return ""
	}
	n, what, _ := strings.Cut(plural(*meta.Total, ones[level]), " ")
	if meta.TotalAtLeast {
		n += "+"
	}
	return n + " " + what
}

// ones is what one result of a level is.
var ones = map[models.Level]string{
	models.LevelSymbol: "symbol", models.LevelFile: "file", models.LevelModule: "folder",
	models.LevelRepo: "repository", models.LevelDoc: "section",
}

var labels = map[models.Level]string{
	models.LevelSymbol: "Symbols", models.LevelFile: "Files", models.LevelModule: "Folders",
	models.LevelRepo: "Repositories", models.LevelDoc: "Documentation",
}

func tabs(q Query, searched models.Level, counts []string) []Tab {
	var all []Tab
	for i, level := range models.Levels() {
		all = append(all, Tab{
			Label: labels[level], URL: q.With("level", string(level)), Count: counts[i], Current: level == searched,
		})
	}
	return all
}

// facets are values among some results that would narrow the search. What it
// asks for already is a chip.
func (q Query) facets(chips []Chip, items []models.SearchResult) []Facet {
	repo, lang, folder, kind := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, item := range items {
		repo[string(item.RepoID)]++
		lang[item.Language]++
		kind[item.Kind]++
		if top, _, ok := strings.Cut(deref(item.FilePath), "/"); ok {
			folder[top+"/"]++
		}
	}
	var all []Facet
	for _, f := range []struct {
		label, field, name string
		counts             map[string]int
	}{
		{"Repository", query.FieldRepo, "repo", repo},
		{"Language", query.FieldLang, "lang", lang},
		{"Folder", query.FieldFile, "path", folder},
		{"Kind", query.FieldKind, "kind", kind},
	} {
		asked := slices.ContainsFunc(chips, func(c Chip) bool { return c.field.Name == f.field })
		delete(f.counts, "")
		if len(f.counts) > 0 && !asked {
			all = append(all, Facet{f.label, q.choices(f.field, f.name, f.counts)})
		}
	}
	return all
}

func (q Query) choices(field, name string, counts map[string]int) []Choice {
	var all []Choice
	for value, n := range counts {
		all = append(all, Choice{value, q.And(field, value, name), n})
	}
	slices.SortFunc(all, func(a, b Choice) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Label, b.Label)) })
	return all[:min(len(all), 8)]
}

// A Home is the first page.
type Home struct {
	Repos []models.RepoInfo
	Meta  models.Meta
	More  bool // repositories than are listed
}

func (s searchPages) home(r *http.Request, q Query) (view, error) {
	list, err := do(r.Context(), s.ops, op.Repos, repos.Request{Limit: new(reposOnPage)})
	if err != nil && !errors.Is(err, context.Canceled) {
		return view{}, err
	}
	return view{
		Template: "home", Title: "ragnav", Query: q,
		Data: Home{list.Items, list.Meta, list.Meta.NextCursor != ""},
	}, nil
}
