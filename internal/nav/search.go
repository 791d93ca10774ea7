package nav

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

var cases = map[string]match.Case{
	"": match.Smart, "smart": match.Smart, "sensitive": match.Sensitive,
	"insensitive": match.Insensitive,
}

func searchOnce(ctx context.Context, s *gateway.Opener, req SearchRequest) (SearchResponse, error) {
	list := req
	list.Limit, list.Cursor = nil, ""
	p, err := newPage(req.Cursor, req.Limit, defaultSearchLimit, list)
	if err != nil {
		return SearchResponse{}, err
	}
	q, err := readQuery(req)
	if err != nil {
		return SearchResponse{}, err
	}
	q.Limit = max(p.end(), counted)
	m, err := match.Compile(q.Query)
	if err != nil {
		return SearchResponse{}, err
	}
	if gateway.IsFilter(req.RepoID) {
		all, warnings, err := searchAll(ctx, s, req, m, &q)
		if err != nil {
			return SearchResponse{}, err
		}
		res := SearchResponse{Query: req.Query}
		res.Repositories = gateway.Across(all, warnings, &res.Meta)
		res.fill(all, p, &q)
		return res, nil
	}
	f, err := searchIn(ctx, s, req.RepoID, m, &q)
	if err != nil {
		return SearchResponse{}, err
	}
	res := SearchResponse{Result: models.Result[models.NavItem]{Meta: f.Head}, Query: req.Query}
	f.ID = ""
	res.fill([]gateway.Found{f}, p, &q)
	return res, nil
}

// fill has the page of what was found, the files that it is in, and what was
// not searched.
func (r *SearchResponse) fill(all []gateway.Found, p page, q *lineQuery) {
	total, atLeast, files := 0, false, map[models.FileMatches]int{}
	var lines []models.NavItem
	var sum scan.Result
	for _, f := range all {
		for _, match := range f.Matches {
			if total++; total <= p.end() {
				lines = append(lines, q.item(f.ID, match))
			}
			files[models.FileMatches{RepoID: f.ID, FilePath: match.Path}]++
		}
		atLeast = atLeast || f.Truncated
		sum.Files += f.Files
		sum.Left += f.Left
		sum.Skipped.Add(f.Skipped)
	}
	r.Items = append([]models.NavItem{}, cut(p, lines, total, atLeast, &r.Meta)...)
	for _, item := range r.Items {
		key := models.FileMatches{RepoID: item.RepoID, FilePath: item.FilePath}
		if n := len(r.Files); n == 0 || r.Files[n-1].FilePath != item.FilePath || r.Files[n-1].RepoID != item.RepoID {
			r.Files = append(r.Files, models.FileMatches{RepoID: item.RepoID, FilePath: item.FilePath, Matches: files[key]})
		}
	}
	r.FileCount = len(files)
	unsearched(sum.Skipped, &r.Meta)
	if sum.Left > 0 {
		r.Meta.Truncated, r.Meta.TotalAtLeast = true, true
		r.Meta.Warnings = append(r.Meta.Warnings, models.Warning{Code: "PARTIAL_RESULTS", Message: fmt.Sprintf(
			"time was short: %s were not searched; give a path_filter, or more time", gateway.CountedFiles(sum.Left))})
	}
	if total == 0 {
		r.Meta.Message = models.Opt(nothing(sum, q.everyFile()))
	}
}

// item is a match as it is told.
func (q *lineQuery) item(id models.RepoID, m scan.Match) models.NavItem {
	if q.names {
		return models.NavItem{
			RepoID: id, FilePath: m.Path, Line: 1, Kind: "file",
			Snippet: models.Snippet{Location: models.SnippetLocation{Path: m.Path, StartLine: 1, EndLine: 1}},
		}
	}
	return models.NavItem{RepoID: id, FilePath: m.Path, Line: m.Line, Column: m.Column, Snippet: *m.Snippet}
}

// searchNames looks for files whose paths match.
func searchNames(
	ctx context.Context, g *gateway.Gateway, m *match.Matcher, q *lineQuery,
) (found scan.Result, err error) {
	var paths []string
	if g.Verdict.Graph {
		paths = gateway.Files(g.Delta, g.Stored)
	} else {
		listing, err := listing.List(ctx, g.Tree, g.Opener.Listed)
		if err != nil {
			return found, err
		}
		for _, e := range listing.Files {
			paths = append(paths, e.Path)
		}
		slices.Sort(paths)
	}
	accepts := q.accepts()
	for _, p := range paths {
		if !q.takes(ctx, p) {
			continue
		}
		if found.Files++; m.MatchText(ctx, p) && (accepts == nil || accepts(ctx, p, []byte(p))) {
			if q.Limit > 0 && len(found.Matches) >= q.Limit {
				found.Truncated = true
				break
			}
			found.Matches = append(found.Matches, scan.Match{Path: p})
		}
	}
	return found, ctx.Err()
}

// counted is how many matching lines are counted at least, whatever the limit.
const counted = 10_000

// nothing says what was searched in vain.
func nothing(found scan.Result, everyFile bool) string {
	if found.Files == 0 && found.Skipped.Total() == 0 {
		if everyFile {
			return "there are no files to search"
		}
		return "no file has this path and language"
	}
	return fmt.Sprintf("nothing in %s matches; ignored files, binary ones and stores of secrets are not searched",
		gateway.CountedFiles(found.Files))
}

// outOfSight are the tracked files that no answer can be from.
const outOfSight = "what is outside of the sparse checkout, to which `git sparse-checkout add` adds"

// unsearched tells of text that may match and was not looked into.
func unsearched(s scan.Skipped, meta *models.Meta) {
	var reasons []string
	for _, r := range []struct {
		files int
		why   string
	}{
		{s.TooLarge, fmt.Sprintf("larger than %d MiB", gateway.MaxSearched>>20)},
		{s.Unreadable, "that could not be read"},
		{s.Secret, "with secrets"},
	} {
		if r.files > 0 {
			reasons = append(reasons, gateway.CountedFiles(r.files)+" "+r.why)
		}
	}
	if s.Submodules > 0 {
		reasons = append(reasons, fmt.Sprintf("what is in %d of its submodules, which are indexed on their own",
			s.Submodules))
	}
	if s.Sparse > 0 {
		reasons = append(reasons, outOfSight)
	}
	if len(reasons) > 0 {
		meta.Warnings = append(meta.Warnings,
			models.Warning{Code: "FILES_NOT_SEARCHED", Message: "not searched: " + strings.Join(reasons, ", ")})
	}
}
