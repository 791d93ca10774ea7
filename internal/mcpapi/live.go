package mcpapi

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/view"
)

// What a search without an index looks at and shows.
const (
	liveLines    = 1000 // lines with a word, at most
	liveBudget   = 3 * time.Second
	liveFiles    = 5
	linesPerFile = 4
	shortWord    = 3 // letters; such words are in most files
)

// patience is how long a call waits for the first index, which says more than
// what can be found without one.
func (c caller) patience() time.Duration {
	switch c.tool.Row.About().Name {
	case op.Ask.Name:
		return askTimeout / 2
	case op.Search.Name:
		return 3 * time.Second
	}
	return 0
}

// await waits for the first index of the repository that a call is about, as
// long as it is being made and can be expected in time. It reports whether it is
// worth while to ask again.
func (c caller) await(ctx context.Context) bool {
	const look = 100 * time.Millisecond
	until := time.Now().Add(c.patience())
	if time.Now().After(until) {
		return false
	}
	id, err := c.repository(ctx)
	if err != nil {
		return false
	}
	for began := time.Now(); ; {
		job, err := c.running(ctx, id)
		if job == nil || err != nil {
			return err == nil
		}
		left := time.Until(until)
		if left < look || time.Since(began) > time.Second && job.ETASeconds > left.Seconds() {
			return false
		}
		select {
		case <-time.After(look):
		case <-ctx.Done():
			return false
		}
	}
}

// running is the job that indexes a repository now, or nil.
func (c caller) running(ctx context.Context, id models.RepoID) (*jobs.Job, error) {
	resp, err := op.Jobs.By(ctx, c.Ops, index.JobsRequest{RepoID: id})
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(resp.Items, func(j jobs.Job) bool { return j.FinishedAt == nil })
	if i < 0 {
		return nil, nil
	}
	return &resp.Items[i], nil
}

// live answers a search or a question while the first index is being built:
// files with most of the words, by scans of the repository as it is.
func (c caller) live(ctx context.Context, req any, notReady error) (models.Envelope, string, error) {
	var asked search.Request
	switch req := req.(type) {
	case *search.Request:
		asked = *req
	case *ask.Request:
		asked = search.Request{Query: req.Query, RepoFilter: req.RepoFilter}
	}
	words := wordsOf(asked.Query)
	if fault.CodeOf(notReady) != fault.IndexNotReady || len(words) == 0 {
		return nil, "", notReady
	}
	id, err := c.repository(ctx)
	if err != nil || asked.RepoFilter != "" && asked.RepoFilter != string(id) {
		return nil, "", notReady
	}
	scan := nav.SearchRequest{
		RepoID: id, Case: "insensitive", PathFilter: asked.PathFilter, Language: asked.Language, Limit: new(liveLines),
	}
	var resp *nav.SearchResponse
	files := map[string]*liveFile{}
	began, looked := time.Now(), 0
	for _, w := range words {
		if scan.Query = w; looked > 0 && time.Since(began) > liveBudget {
			break
		}
		looked++
		env, err := op.NavSearch.Do(ctx, c.Ops, &scan)
		if err != nil {
			return nil, "", notReady
		}
		resp = env.(*nav.SearchResponse)
		add(files, resp.Items, weightOf(resp))
	}
	if len(files) == 0 {
		return nil, "", notReady
	}
	resp.Items = best(files)
	resp.Meta.Status, resp.Meta.Source, resp.Meta.NextCursor, resp.Meta.Total = models.StatusFallback,
		models.SourceFallback, "", nil
	why := fault.MessageOf(notReady)
	if job, err := c.running(ctx, id); err == nil && job != nil {
		why = fmt.Sprintf("%s is being indexed for the first time (%d of %d files)", id, job.Done, job.Total)
	}
	resp.FileCount = min(liveFiles, len(files))
	why += fmt.Sprintf("; meanwhile: lines of the %d files, of %d, that have most of the words, and the rarest",
		resp.FileCount, len(files))
	if looked < len(words) {
		why += fmt.Sprintf("; %d of %d words were looked for in the time", looked, len(words))
	}
	resp.Meta.Message = &why
	scan.Query = asked.Query
	return resp, view.Text(op.NavSearch, &scan, resp), nil
}

// A liveFile is a file with words of the query.
type liveFile struct {
	path  string
	score float64
	lines map[int]*liveLine
}

// A liveLine is a line, and what the words in it weigh.
type liveLine struct {
	item   models.NavItem
	weight float64
}

// weightOf is what a word weighs that is in so many lines.
func weightOf(found *nav.SearchResponse) float64 {
	n := len(found.Items)
	if found.Meta.Total != nil {
		n = max(n, *found.Meta.Total)
	}
	return 1 / math.Log2(2+float64(n))
}

// add adds lines with a word to their files. A file has the word once, and a
// little more for each time that it comes again.
func add(files map[string]*liveFile, items []models.NavItem, weight float64) {
	times := map[string]int{}
	for _, item := range items {
		f := files[item.FilePath]
		if f == nil {
			f = &liveFile{path: item.FilePath, lines: map[int]*liveLine{}}
			files[item.FilePath] = f
		}
		if times[f.path]++; times[f.path] == 1 {
			f.score += weight
		} else {
			f.score += weight / 10 / float64(times[f.path])
		}
		line := f.lines[item.Line]
		if line == nil {
			line = &liveLine{item: item}
			f.lines[item.Line] = line
		}
		line.weight += weight
	}
}

// best are the best lines of the best files: code before tests, and these before
// prose, data and what is not the repository's own.
func best(files map[string]*liveFile) []models.NavItem {
	ranked := slices.Collect(maps.Values(files))
	for _, f := range ranked {
		switch is := filekind.Of(f.path, nil); {
		case is.Documentation, is.Data, is.Vendored, is.Generated:
			f.score /= 2
		case is.Test:
			f.score *= .8
		}
	}
	slices.SortFunc(ranked, func(a, b *liveFile) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path))
	})
	var shown []models.NavItem
	for _, f := range ranked[:min(liveFiles, len(ranked))] {
		lines := slices.SortedFunc(maps.Values(f.lines), func(a, b *liveLine) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.item.Line, b.item.Line))
		})
		lines = lines[:min(linesPerFile, len(lines))]
		slices.SortFunc(lines, func(a, b *liveLine) int { return cmp.Compare(a.item.Line, b.item.Line) })
		for _, line := range lines {
			shown = append(shown, line.item)
		}
	}
	return shown
}

// wordsOf are the words of a query that may tell files apart: those that are short
// only where there are no others, as in "TLS".
func wordsOf(query string) []string {
	var words, short []string
	for _, w := range strings.FieldsFunc(strings.ToLower(query), func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') && r <= 127
	}) {
		switch {
		case dull[w] || slices.Contains(words, w) || slices.Contains(short, w):
		case len(w) > shortWord:
			words = append(words, w)
		default:
			short = append(short, w)
		}
	}
	if len(words) == 0 {
		return short
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
