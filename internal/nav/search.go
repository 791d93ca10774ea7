package nav

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/across"
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

func searchOnce(ctx context.Context, s *gateway.Opener, pages *pages, req SearchRequest) (SearchResponse, error) {
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
	q.page, q.pages, q.Limit = p, pages, p.end()
	if q.matcher, err = match.Compile(q.Query); err != nil {
		return SearchResponse{}, err
	}
	res := SearchResponse{Query: req.Query}
	if !across.IsFilter(req.RepoID) {
		known, err := s.Repos.Repository(ctx, req.RepoID)
		if err != nil {
			return SearchResponse{}, err
		}
		found, problems, err := searchEach(ctx, s, []models.Repository{known}, &q)
		if err != nil {
			return SearchResponse{}, err
		}
		if err := problems[0]; err != nil {
			return SearchResponse{}, err
		}
		lookUnseen(ctx, s, found)
		res.Meta, found[0].ID = found[0].Head, ""
		res.fill(ctx, found, &q)
		return res, nil
	}
	found, warnings, err := searchAll(ctx, s, req, &q)
	if err != nil {
		return SearchResponse{}, err
	}
	lookUnseen(ctx, s, found)
	res.Repositories = across.Head(found, warnings, &res.Meta)
	res.fill(ctx, found, &q)
	return res, nil
}

// mostLooked is in how many repositories it is counted what a search in vain has not seen.
const mostLooked = 8

// lookUnseen counts what a search that found nothing has not looked into: what was
// looked for may be there.
func lookUnseen(ctx context.Context, s *gateway.Opener, all []across.Found) {
	if len(all) > mostLooked || slices.ContainsFunc(all, func(f across.Found) bool { return len(f.Counts) > 0 }) {
		return
	}
	for i := range all {
		if unseen, err := s.Unseen(ctx, all[i].ID); err == nil { // else the reply stands without it
			skipped := &all[i].Skipped
			skipped.OddNames = unseen.Odd
			if !slices.ContainsFunc(all[i].Head.Warnings, gateway.IsClosedFolders) {
				skipped.Closed = unseen.Closed
			}
			skipped.Submodules = max(skipped.Submodules, unseen.Nested)
		}
	}
}

// fill has the page of what was found, the files that it is in, and what was
// not searched.
func (r *SearchResponse) fill(ctx context.Context, all []across.Found, q *lineQuery) {
	total, atLeast := 0, false
	var lines []models.NavItem
	var sum scan.Result
	for i := range all {
		f := &all[i]
		for _, match := range f.Matches {
			if len(lines) < q.end()-q.first {
				lines = append(lines, q.item(f.ID, match))
			}
		}
		total += f.Lines()
		r.FileCount += len(f.Counts)
		atLeast = atLeast || f.Uncounted || f.Left > 0
		sum.Left += f.Left
		sum.Skipped.Add(f.Skipped)
	}
	q.say(q.first+len(lines), total, atLeast, &r.Meta)
	r.Items = append([]models.NavItem{}, lines[min(q.offset-q.first, len(lines)):]...)
	r.Files = filesOf(r.Items, all)
	unsearched(sum.Skipped, &r.Meta)
	if sum.Left > 0 {
		r.Meta.Warnings = append(r.Meta.Warnings, models.Warning{Code: "PARTIAL_RESULTS", Message: fmt.Sprintf(
			"time was short: %s were not searched; give a path_filter, or more time", gateway.CountedFiles(sum.Left))})
	}
	if total == 0 {
		r.Meta.Message = models.Opt(nothing(ctx, all, q))
	}
}

// filesOf are the files of a page, each with the number of all its lines.
func filesOf(items []models.NavItem, all []across.Found) (files []models.FileMatches) {
	for _, item := range items {
		if n := len(files); n > 0 && files[n-1].FilePath == item.FilePath && files[n-1].RepoID == item.RepoID {
			continue
		}
		of := slices.IndexFunc(all, func(f across.Found) bool { return f.ID == item.RepoID })
		counts := all[of].Counts
		i, _ := slices.BinarySearchFunc(counts, item.FilePath,
			func(c scan.Count, p string) int { return strings.Compare(c.Path, p) })
		files = append(files, models.FileMatches{
			RepoID: item.RepoID, FilePath: item.FilePath, Matches: counts[i].Lines, AtLeast: counts[i].AtLeast,
		})
	}
	return files
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
func searchNames(ctx context.Context, g *gateway.Gateway, q *lineQuery) (found across.Found, err error) {
	if g.Verdict.Graph {
		found.All = gateway.Files(g.Delta, g.Stored)
	} else {
		listed, err := listing.List(ctx, g.Tree, g.Opener.Listed)
		if err != nil {
			return found, err
		}
		for _, e := range listed.Files {
			found.All = append(found.All, e.Path)
		}
		slices.Sort(found.All)
	}
	accepts := q.accepts()
	take := func(p string) {
		if !q.takes(ctx, p) || accepts != nil && !accepts(ctx, p, []byte(p)) {
			return
		}
		found.Counts = append(found.Counts, scan.Count{Path: p, Lines: 1})
		if len(found.Matches) < q.Limit {
			found.Matches = append(found.Matches, scan.Match{Path: p})
		}
	}
	if g.Verdict.Graph && len(g.Delta.Added)+len(g.Delta.Deleted) == 0 {
		if lines := g.Stored.PathLines(); lines != nil {
			finder := match.Finder{M: q.matcher}
			finder.Lines(ctx, lines, func(h match.Hit) bool {
				take(found.All[h.Line-1])
				return true
			})
			return found, ctx.Err()
		}
	}
	for _, p := range found.All {
		if q.matcher.MatchText(ctx, p) {
			take(p)
		}
	}
	return found, ctx.Err()
}

// countedFiles is in how many files, of all repositories together, lines are counted
// that are behind the page.
const countedFiles = 500

// nothing says what was searched in vain.
func nothing(ctx context.Context, all []across.Found, q *lineQuery) string {
	files, skipped, some, ended := 0, 0, false, false
	for i := range all {
		f := &all[i]
		files += max(f.Files, len(f.All))
		skipped += f.Skipped.Total()
		ended = ended || f.Uncounted || f.Left > 0
		some = some || f.Files > 0 || slices.ContainsFunc(f.All, func(p string) bool { return q.takes(ctx, p) })
	}
	what := gateway.CountedFiles(files)
	switch {
	case some && q.everyFile():
	case some:
		what = "the files that the filters choose"
	case ended:
		return "time was short: no file was searched; name a folder that has fewer, or give more time"
	case skipped == 0 && q.everyFile():
		return "there are no files to search"
	case skipped == 0 && q.fields:
		return "the filters choose no file"
	case skipped == 0:
		return q.files.None()
	}
	said := fmt.Sprintf("nothing in %s matches; ignored files, binary ones and stores of secrets are not searched", what)
	return strings.Join(append([]string{said}, q.doubts...), "; ")
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
		{s.NoText, "with a match, in no encoding of text that is known"},
		{s.Secret, "with secrets"},
		{s.OddNames, "whose names are not UTF-8 or have control characters (`ragnav coverage` tells which)"},
	} {
		if r.files > 0 {
			reasons = append(reasons, gateway.CountedFiles(r.files)+" "+r.why)
		}
	}
	if s.Submodules > 0 {
		reasons = append(reasons, fmt.Sprintf("what is in %d of its submodules, which are indexed on their own",
			s.Submodules))
	}
	if s.Closed > 0 {
		reasons = append(reasons, "what is in "+models.Counted(s.Closed, "folder")+" that can't be read")
	}
	if s.Sparse > 0 {
		reasons = append(reasons, outOfSight)
	}
	if len(reasons) > 0 {
		meta.Warnings = append(meta.Warnings,
			models.Warning{Code: "FILES_NOT_SEARCHED", Message: "not searched: " + strings.Join(reasons, ", ")})
	}
}
