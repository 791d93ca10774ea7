package nav

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/rag/models"
)

var cases = map[string]scan.Case{"": scan.Smart, "smart": scan.Smart, "sensitive": scan.Sensitive, "insensitive": scan.Insensitive}

// Search finds lines with a text, or that match a regular expression, in order
// of path and line: in the files that the graph knows and those that changed
// since, or else in all that the folder has now.
func (s *Service) Search(ctx context.Context, req SearchRequest) (SearchResponse, error) {
	list := req
	list.Limit, list.Cursor = nil, ""
	p, err := newPage(req.Cursor, req.Limit, DefaultSearchLimit, list)
	if err != nil {
		return SearchResponse{}, err
	}
	m, err := scan.Compile(scan.Query{Pattern: req.Query, Regexp: req.Regexp, Case: cases[req.Case], Word: req.Word, Limit: max(p.end(), counted)})
	if err != nil {
		return SearchResponse{}, err
	}
	f, err := newFilter(req.PathFilter, req.Language, "")
	if err != nil {
		return SearchResponse{}, err
	}
	g, err := s.open(ctx, req.RepoID)
	if err != nil {
		return SearchResponse{}, err
	}
	defer g.Close()
	found, err := g.search(ctx, m, f, true)
	if err != nil {
		return SearchResponse{}, err
	}
	var head models.Meta
	items := make([]models.NavItem, 0, p.limit)
	for _, match := range cut(p, found.Matches, len(found.Matches), found.Truncated, &head) {
		items = append(items, models.NavItem{FilePath: match.Path, Line: match.Line, Column: match.Column, Snippet: *match.Snippet})
	}
	res := SearchResponse{models.OKResult(items), req.Query}
	g.head(&res.Meta)
	res.Meta.Truncated, res.Meta.NextCursor, res.Meta.Total, res.Meta.TotalAtLeast = head.Truncated, head.NextCursor, head.Total, head.TotalAtLeast
	unsearched(found.Skipped, &res.Meta)
	if found.Left > 0 {
		res.Meta.Truncated, res.Meta.TotalAtLeast = true, true
		res.Meta.Warnings = append(res.Meta.Warnings, models.Warning{Code: "PARTIAL_RESULTS", Message: fmt.Sprintf(
			"time was short: %s were not searched; give a path_filter, or more time", countedFiles(found.Left))})
	}
	if len(found.Matches) == 0 {
		res.Meta.Message = models.Opt(nothing(found, f))
	}
	return res, nil
}

// counted is how many matching lines are counted at least, whatever the limit.
const counted = 10_000

// search looks into the files of the graph, or into those of the folder.
func (g *gateway) search(ctx context.Context, m *scan.Matcher, f fileFilter, snippets bool) (scan.Result, error) {
	o := scan.Options{Workers: g.Workers, MaxFileSize: g.listed.MaxFileSize, Snippets: snippets, Keep: f.takes, Until: shareOf(ctx, 2)}
	if !g.verdict.Graph {
		return scan.Live(ctx, g.tree, g.listed, m, o)
	}
	if g.stored.fast != nil {
		// A list of many files costs more than it saves.
		if paths, ok := g.stored.fast.candidates(m, g.delta); ok && len(paths)*10 <= g.stored.manifest.Len() {
			return scan.Search(ctx, g.folder(), paths, m, o)
		}
	}
	return scan.Search(ctx, g.folder(), g.files(), m, o)
}

// files are those that the graph was built from and that are still there, and
// what was added since.
func (g *gateway) files() []string {
	gone := map[string]bool{}
	for _, p := range g.delta.Deleted {
		gone[p] = true
	}
	var paths []string
	for p := range g.stored.manifest.Files() {
		if !gone[p] {
			paths = append(paths, p)
		}
	}
	paths = append(paths, g.delta.Added...)
	slices.Sort(paths)
	return paths
}

// nothing says what was searched in vain.
func nothing(found scan.Result, f fileFilter) string {
	if found.Files == 0 && found.Skipped.Total() == 0 {
		if f.all() {
			return "there are no files to search"
		}
		return "no file has this path and language"
	}
	return fmt.Sprintf("no line of %s matches; ignored files, binary ones and stores of secrets are not searched", countedFiles(found.Files))
}

// unsearched tells of text that may match and was not looked into.
func unsearched(s scan.Skipped, meta *models.Meta) {
	var reasons []string
	for _, r := range []struct {
		files int
		why   string
	}{{s.TooLarge, fmt.Sprintf("larger than %d MiB", maxSearched>>20)}, {s.Unreadable, "that could not be read"}, {s.Secret, "with secrets"}} {
		if r.files > 0 {
			reasons = append(reasons, countedFiles(r.files)+" "+r.why)
		}
	}
	if len(reasons) > 0 {
		meta.Warnings = append(meta.Warnings, models.Warning{Code: "FILES_NOT_SEARCHED", Message: "not searched: " + strings.Join(reasons, ", ")})
	}
}
