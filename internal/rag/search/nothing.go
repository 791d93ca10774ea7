package search

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// An emptiness is a search that found nothing.
type emptiness struct {
	scopes scopes
	req    Request
	scope  scope
	level  models.Level
}

// reason is the first of its filters that selects no file, else its words.
func (e emptiness) reason(ctx context.Context, words wording) (string, error) {
	req, sc := e.req, e.scope
	whole := scope{repos: sc.repos, filters: sc.byRepo}
	if some, err := e.scopes.hasFiles(ctx, whole, filter.Path{}, nil); !some || err != nil {
		return fmt.Sprintf("no file of %s is indexed; `ragnav coverage` says why", among(ready(sc.repos))), err
	}
	if !sc.path.All() || sc.languages != nil {
		if why, err := e.unselective(ctx); why != "" || err != nil {
			return why, err
		}
	}
	if why, err := e.unfit(ctx); why != "" || err != nil {
		return why, err
	}
	if sc.asked.Root == nil && !sc.where && len(fts.Analyze(req.Query)) == 0 {
		return "the query has no word to search by, only letters, signs or words such as \"the\"; name what you look for", nil
	}
	msg := fmt.Sprintf("nothing at level %s matches; try other words or another level", e.level)
	if len(words.absent) > 0 {
		msg = words.nowhere()
		if words.files == 0 {
			msg += fmt.Sprintf(", at level %s; try other words or another level", e.level)
		}
	}
	var narrowed []string
	for _, f := range []struct{ name, value string }{
		{sc.named(query.FieldRepo, "repo_filter"), req.RepoFilter},
		{sc.named(query.FieldFile, "path_filter"), req.PathFilter},
		{sc.named(query.FieldLang, "language"), req.Language},
	} {
		if f.value != "" {
			narrowed = append(narrowed, f.name)
		}
	}
	if len(narrowed) > 0 {
		msg += ", or leave out " + strings.Join(narrowed, ", ")
	}
	return msg, nil
}

// elsewhere has a reply without a sure result at its level tell of the levels that have
// some, by a search that run does.
func elsewhere(req Request, resp *Response, run func(Request) (Response, error)) error {
	if resp.Meta.Message == nil || req.Cursor != "" || slices.ContainsFunc(resp.Items, sure) {
		return nil
	}
	req.Limit, req.Explain, req.AsRanked = new(1), false, true
	var there []string
	for _, level := range []models.Level{models.LevelSymbol, models.LevelFile, models.LevelDoc} {
		if level == resp.Level || level == models.LevelFile && strings.Contains(*resp.Meta.Message, atFiles) {
			continue
		}
		req.Level = level
		found, err := run(req)
		if fault.CodeOf(err) == fault.InvalidRequest { // of this level nobody can ask it
			continue
		}
		if err != nil {
			return err
		}
		if slices.ContainsFunc(found.Items, sure) {
			there = append(there, "level "+string(level))
		}
	}
	if len(there) > 0 {
		has := "has"
		if len(there) > 1 {
			has = "have"
		}
		resp.Meta.Message = new(fmt.Sprintf("%s; %s %s what fits", *resp.Meta.Message, strings.Join(there, " and "), has))
	}
	return nil
}

// sure reports whether a result fits the query.
func sure(r models.SearchResult) bool { return !r.Weak }

// named is a filter as the client wrote it: a field of the query, or one of the request.
func (sc *scope) named(field, ofRequest string) string {
	if _, ok := sc.asked.taken[field]; ok {
		return field + ":"
	}
	return ofRequest
}

// pathNamed is the path filter as the client wrote it.
func (sc *scope) pathNamed() string {
	if name := sc.named(query.FieldFile, ""); name != "" {
		return name + sc.path.String()
	}
	return fmt.Sprintf("path_filter %q", sc.path)
}

// unselective names the filter by which no indexed file is left; "" if there
// are some.
func (e emptiness) unselective(ctx context.Context) (string, error) {
	sc, level := e.scope, e.level
	whole := scope{repos: sc.repos, filters: sc.byRepo}
	if some, err := e.scopes.hasFiles(ctx, whole, sc.path, nil); !some || err != nil {
		if err != nil || sc.path.All() {
			return "", err
		}
		return e.noPath(ctx, whole)
	}
	if some, err := e.scopes.hasFiles(ctx, whole, sc.path, sc.languages); !some || err != nil {
		return noLanguage(&sc), err
	}
	if level != models.LevelFile && level != models.LevelDoc {
		return "", nil
	}
	if some, err := e.scopes.has(ctx, sc, level.DocType()); some || err != nil {
		return "", err
	}
	other := models.LevelDoc
	if level == models.LevelDoc {
		other = models.LevelFile
	}
	return fmt.Sprintf("the files that %s and %s select are at level %s, not %s",
		sc.named(query.FieldFile, "path_filter"), sc.named(query.FieldLang, "language"), other, level), nil
}

func (e emptiness) noPath(ctx context.Context, whole scope) (string, error) {
	msg := fmt.Sprintf("no indexed file of %s matches %s", among(whole.repos), e.scope.pathNamed())
	if wider, ok := e.scope.path.Wider(); ok {
		if some, err := e.scopes.hasFiles(ctx, whole, wider, nil); some || err != nil {
			return fmt.Sprintf("%s; %q would match", msg, wider), err
		}
	}
	return msg + "; explore_structure shows folders, `ragnav coverage` says why a file is not indexed", nil
}

func noLanguage(sc *scope) string {
	msg := fmt.Sprintf("no indexed file of %s is in %s", among(sc.repos), sc.languages[0])
	if !sc.path.All() {
		return fmt.Sprintf("%s and matches %s", msg, sc.pathNamed())
	}
	if there := languagesOf(sc.repos); len(there) > 0 {
		msg += "; what is indexed is in " + strings.Join(there, ", ")
	}
	return msg
}

// maxLanguages is how many languages a message names.
const maxLanguages = 8

// languagesOf are the languages of repositories, those of most repositories first.
func languagesOf(repos []models.Repository) []string {
	in := map[string]int{}
	for _, r := range repos {
		for _, language := range r.Languages {
			in[language]++
		}
	}
	names := slices.SortedFunc(maps.Keys(in), func(a, b string) int { return cmp.Or(in[b]-in[a], cmp.Compare(a, b)) })
	return names[:min(len(names), maxLanguages)]
}

// among names what was searched.
func among(repos []models.Repository) string {
	if len(repos) == 1 {
		return string(repos[0].RepoID)
	}
	return fmt.Sprintf("%d repositories", len(repos))
}
