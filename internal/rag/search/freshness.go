package search

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Comparison tells how the index of some repositories stands to their folders.
type Comparison interface {
	// Look begins to look at repositories: those that results are of.
	Look(ctx context.Context, ids []models.RepoID)
	// Gone reports whether the folder of a repository is not there, nor anything
	// else to read its files from.
	Gone(id models.RepoID) bool
	// Knows reports whether the folder of a repository could be looked at, and
	// whether the commit that is checked out is the one that was indexed.
	Knows(id models.RepoID) (known, sameCommit bool)
	// Files compares files with what was indexed of them; those that it does not
	// know are left out.
	Files(ctx context.Context, id models.RepoID, paths []string) map[string]models.FileState
	// Added are the files that came into the folders after they were indexed.
	Added() map[models.RepoID][]string
	Close()
}

// Compare makes searches say how fresh their results are. The function begins
// to look at the folders of repositories, while the search runs.
func (s *Service) Compare(begin func(context.Context, []models.Repository) Comparison) {
	s.compare = begin
}

// maxStaleFiles is how many stale files a reply names.
const maxStaleFiles = 5

// freshness marks the items whose files changed since they were indexed, takes
// out those whose files are gone, and says in the head how the reply stands to
// the disk: FRESH when all files in it are as they were indexed, at the commit
// that was indexed, and no file is new; STALE when one is not; UNKNOWN when nobody can tell here.
func freshness(ctx context.Context, c Comparison, items []models.SearchResult, meta *models.Meta) []models.SearchResult {
	paths := map[models.RepoID][]string{}
	for _, item := range items {
		if item.FilePath == nil {
			paths[item.RepoID] = append(paths[item.RepoID], []string{}...) // its commit counts
		} else if !slices.Contains(paths[item.RepoID], *item.FilePath) {
			paths[item.RepoID] = append(paths[item.RepoID], *item.FilePath)
		}
	}
	meta.FreshnessState = models.Fresh
	c.Look(ctx, slices.Collect(maps.Keys(paths)))
	states := map[models.RepoID]map[string]models.FileState{}
	for id, files := range paths {
		known, sameCommit := c.Knows(id)
		switch {
		case !known:
			meta.FreshnessState = models.Unknown
		case !sameCommit && meta.FreshnessState == models.Fresh:
			meta.FreshnessState = models.Stale
		}
		states[id] = c.Files(ctx, id, files)
	}
	warnOfGone(c, slices.Sorted(maps.Keys(paths)), meta)
	if len(items) == 0 {
		meta.FreshnessState = models.Unknown
	}
	return mark(items, states, c.Added(), meta)
}

// warnOfGone says which results are of folders that are not there any more. They
// stay in the reply: a folder may be on a disk that comes back.
func warnOfGone(c Comparison, ids []models.RepoID, meta *models.Meta) {
	for _, id := range ids {
		if c.Gone(id) {
			meta.Warnings = append(meta.Warnings, models.Warning{Code: "FOLDER_GONE", Message: fmt.Sprintf(
				"the folder of %s is gone, its results are those of the last index run; put it back, or forget it with `ragnav remove %s`", id, id)})
		}
	}
}

func mark(items []models.SearchResult, states map[models.RepoID]map[string]models.FileState, added map[models.RepoID][]string, meta *models.Meta) []models.SearchResult {
	stale := map[string]bool{} // by repository and path
	for id, paths := range added {
		for _, p := range paths {
			stale[string(id)+":"+p] = true
			meta.StaleFiles = append(meta.StaleFiles, p)
		}
	}
	if n := len(stale); n > 0 {
		meta.Warnings = append(meta.Warnings, models.Warning{Code: "FILES_NOT_INDEXED", Message: fmt.Sprintf(
			"not searched, because newer than the index: %d of the repositories' files; `ragnav index` brings the index up to date, `ragnav watch` keeps it so", n)})
	}
	kept := items[:0]
	for _, item := range items {
		state := models.FileUnknown
		if item.FilePath != nil {
			state = states[item.RepoID][*item.FilePath]
		}
		if state == models.FileUnknown && meta.FreshnessState == models.Fresh {
			meta.FreshnessState = models.Unknown // a summary, or a file that nobody could compare
		}
		if state == models.FileChanged || state == models.FileGone {
			if key := string(item.RepoID) + ":" + *item.FilePath; !stale[key] {
				stale[key] = true
				meta.StaleFiles = append(meta.StaleFiles, *item.FilePath)
			}
			item.Freshness = models.Stale
		}
		if state != models.FileGone {
			kept = append(kept, item)
		}
	}
	if len(stale) == 0 {
		return kept
	}
	meta.FreshnessState, meta.StaleFileCount = models.Stale, len(stale)
	slices.Sort(meta.StaleFiles)
	meta.StaleFiles = meta.StaleFiles[:min(len(stale), maxStaleFiles)]
	return kept
}
