package ask

import (
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

const (
	considered   = 20 // results of a level, which are candidates
	maxSummaries = 2  // of a level
)

// A place is a file that may be cited, and what in it is most like the question.
type place struct {
	repo   models.RepoID
	path   string
	parts  []models.DocumentID // documents with lines, best first
	close  []models.DocumentID // those of them that are almost as like the question as the best
	cosine float64
	share  float64 // its score as a share of that of the best of its level
	weak   bool

	document bool              // of its own, not what speaks for something
	leader   models.DocumentID // the symbol in it that the answer begins with
}

func (p place) file() string { return string(p.repo) + ":" + p.path }

func (p place) sameFile(other place) bool { return p.repo == other.repo && p.path == other.path }

func (p place) readme() bool {
	return len(p.path) >= len("readme") && strings.EqualFold(p.path[:len("readme")], "readme")
}

// findings are the candidates of all levels, best first.
type findings struct {
	places    []place
	summaries []models.SearchResult // of repositories and folders, which have no lines
	replies   map[models.Level]search.Response
}

// A finder searches.
type finder struct {
	read   reader // of what may lead
	search Searcher
	asked  question.Question

	*notes
}

// find searches the levels that the question asks for.
func (f finder) find(ctx context.Context) (found findings, err error) {
	order := f.order()
	lists := map[models.Level][]place{}
	found.replies = map[models.Level]search.Response{}
	for _, level := range order {
		if !f.Step(1, "level "+string(level)+" was searched") {
			continue
		}
		resp, err := f.searched(ctx, level)
		if err != nil {
			return found, err
		}
		if level == models.LevelRepo || level == models.LevelModule {
			summaries := slices.DeleteFunc(slices.Clone(resp.Items), func(item models.SearchResult) bool {
				return item.DocType == models.TypeDocument
			})
			found.summaries = append(found.summaries, summaries[:min(maxSummaries, len(summaries))]...)
		}
		lists[level], found.replies[level] = places(resp), resp
	}
	found.places = like(merge(order, lists))
	if len(order) > 1 && order[0] == models.LevelFile {
		found.places, err = f.led(ctx, found.places)
	}
	return found, err
}

// order lists the levels to search, the most asked for first.
func (f finder) order() []models.Level {
	level := f.asked.Level
	if level == "" || level == models.LevelAuto {
		if level = intent.Level(f.asked.Text(), f.asked.Filter); level == models.LevelSymbol {
			level = models.LevelFile // symbols speak for files, and documents may answer too
		}
	}
	switch level {
	case models.LevelDoc:
		if f.asked.Level == models.LevelDoc {
			return []models.Level{models.LevelDoc}
		}
		return []models.Level{models.LevelDoc, models.LevelFile}
	case models.LevelSymbol:
		return []models.Level{models.LevelSymbol}
	case models.LevelModule, models.LevelRepo:
		return []models.Level{level, models.LevelDoc, models.LevelFile}
	}
	if f.asked.Level == models.LevelFile {
		return []models.Level{models.LevelFile}
	}
	return []models.Level{models.LevelFile, models.LevelDoc}
}

// searched searches one level.
func (f finder) searched(ctx context.Context, level models.Level) (search.Response, error) {
	return f.searchedFor(ctx, f.asked.Text(), level)
}

// searchedFor searches one level for a text, which is the question put in some way.
func (f finder) searchedFor(ctx context.Context, text string, level models.Level) (search.Response, error) {
	by := level
	if level == models.LevelRepo && intent.AboutProject(f.asked.Text(), f.asked.Filter) {
		by = models.LevelAuto // which brings the README, too
	}
	resp, err := f.search.Search(ctx, search.Request{
		Query: text, Level: by, RepoFilter: f.asked.Filter, Limit: new(considered),
		AsRanked: true,
	})
	if err != nil {
		return resp, err
	}
	f.levels = append(f.levels, level)
	f.Did("search_code", "level "+string(level)+": "+text, len(resp.Items))
	f.Warn(resp.Meta.Warnings)
	if f.head == nil {
		f.head = &resp.Meta
	}
	for _, word := range resp.Words {
		for _, term := range fts.Analyze(word.Text) {
			f.weights[term] = max(f.weights[term], word.Rarity())
		}
	}
	return resp, nil
}

// First quotes the best that a search of a level finds.
func (f finder) First(ctx context.Context, text string, level models.Level) ([]extract.Quote, error) {
	resp, err := f.searchedFor(ctx, text, level)
	if err != nil {
		return nil, err
	}
	found := places(resp)
	found = found[:min(1, len(found))]
	docs, err := f.read.documents(ctx, found)
	if err != nil {
		return nil, err
	}
	quotes, err := f.read.read(ctx, found, docs)
	return quotes[:min(1, len(quotes))], err
}

// places groups results by file, in order of their first.
func places(resp search.Response) []place {
	var all []place
	at := map[models.DocumentID]int{} // of a file
	best := 0.0
	for _, item := range resp.Items {
		best = max(best, item.Score)
		like := resp.Likeness[item.DocumentID]
		for n, sp := range spans(item, like) {
			file := models.FileID(sp.RepoID, sp.FilePath)
			i, known := at[file]
			if !known {
				i = len(all)
				at[file] = i
				all = append(all, place{
					repo: sp.RepoID, path: sp.FilePath, cosine: like.Cosine, weak: item.Weak,
					document: item.DocType == models.TypeDocument, share: item.Score / best,
				})
			}
			all[i].parts = append(all[i].parts, sp.ID)
			if n > 0 && sp.Score > 0 && sp.Score >= closeShare*like.Speakers[0].Score {
				all[i].close = append(all[i].close, sp.ID)
			}
			all[i].weak = all[i].weak && item.Weak
		}
	}
	return all
}

// spans are the documents with lines that a result stands for: itself, or what
// speaks for it; for a file without any what is in it, from its head.
func spans(item models.SearchResult, like search.Likeness) []search.Speaker {
	of := func(id models.DocumentID) []search.Speaker {
		return []search.Speaker{{Header: models.Header{ID: id, RepoID: item.RepoID, FilePath: *item.FilePath}}}
	}
	switch {
	case item.DocType == models.TypeSymbol || item.DocType == models.TypeDocument:
		return of(item.DocumentID)
	case len(like.Speakers) > 0 || item.DocType != models.TypeFile:
		return like.Speakers
	case len(item.ChildrenIDs) > 0:
		return of(item.ChildrenIDs[0])
	}
	return nil
}

// merge joins the levels to one list of files. Where files are asked for,
// documents stand among them only when they are as like the question, and few do.
func merge(order []models.Level, lists map[models.Level][]place) []place {
	switch order[0] {
	case models.LevelFile:
		return insertDocs(lists[models.LevelFile], lists[models.LevelDoc])
	case models.LevelRepo: // what a repository is about its readme says
		order = []models.Level{models.LevelDoc, models.LevelRepo, models.LevelFile}
		introduced, others := documentsOf(lists[models.LevelRepo])
		slices.SortStableFunc(lists[models.LevelDoc], func(a, b place) int { return count(!a.readme()) - count(!b.readme()) })
		lists[models.LevelDoc], lists[models.LevelRepo] = append(introduced, lists[models.LevelDoc]...), others
	}
	var all []place
	taken := map[models.DocumentID]bool{}
	for n := 0; ; n++ {
		more := false
		for i, level := range order {
			for range 2 - min(i, 1) { // two of the first to one of the others
				if len(lists[level]) == 0 {
					break
				}
				more = true
				p := lists[level][0]
				lists[level] = lists[level][1:]
				if id := models.FileID(p.repo, p.path); !taken[id] {
					taken[id] = true
					all = append(all, p)
				}
			}
		}
		if !more {
			return all
		}
	}
}

// What is cited beside the first places is at least this like the question, as a
// share of the score of the best of its level. On the tuning half of bench/ask .35
// gives 9.2 citations, .4 8.6 with all of the files that are asked for, .45 8.0.
const (
	always    = 3
	likeShare = 0.4
)

// like leaves out what would only fill a page.
func like(all []place) []place {
	first := min(always, len(all))
	return append(slices.Clone(all[:first]),
		slices.DeleteFunc(slices.Clone(all[first:]), func(p place) bool { return p.share < likeShare })...)
}

// written leaves out, after the first places, what no person wrote: of a bundle of
// JavaScript each answer would have a copy in each of its forms.
func written(all []place, docs map[models.DocumentID]models.Document) []place {
	first := min(always, len(all))
	return append(slices.Clone(all[:first]), slices.DeleteFunc(slices.Clone(all[first:]), func(p place) bool {
		return len(p.parts) > 0 && docs[p.parts[0]].Generated
	})...)
}

// documentsOf are documents, which introduce a repository, and what speaks for it.
func documentsOf(found []place) (documents, others []place) {
	for _, p := range found {
		if p.document {
			documents = append(documents, p)
		} else {
			others = append(others, p)
		}
	}
	return documents, others
}

// Where documents stand among files, from 0, and how like the question they must
// be, as a share of the likeness of the best file.
var docSlots = []int{2, 5}

const docLikeness = 0.9

func insertDocs(files, docs []place) []place {
	if len(files) == 0 {
		return docs
	}
	best := slices.MaxFunc(files, func(a, b place) int { return int(a.cosine*1e6) - int(b.cosine*1e6) }).cosine
	all := slices.Clone(files)
	var rest []place
	for i, d := range docs {
		switch alike := !d.weak && d.cosine >= docLikeness*best; {
		case alike && i < len(docSlots):
			all = slices.Insert(all, min(docSlots[i], len(all)), d)
		case alike || len(files) < always:
			rest = append(rest, d)
		}
	}
	return append(all, rest...)
}
