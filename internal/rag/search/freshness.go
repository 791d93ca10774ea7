package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Current shows the files of repositories as they are now, as far as it can.
type Current interface {
	// Lay returns a context under which the index is searched with the files that
	// changed, and how that of each repository stands to its folder.
	Lay(ctx context.Context, repos []models.Repository) (over context.Context, all current.Standings, release func(),
		err error)
	// Verify compares files that are quoted with what was indexed of them, where nobody
	// has looked at them yet.
	Verify(ctx context.Context, all current.Standings, quoted map[models.RepoID][]string) (current.Standings, error)
}

// quoted are the files of items, by repository.
func quoted(items []models.SearchResult) map[models.RepoID][]string {
	all := map[models.RepoID][]string{}
	for i := range items {
		id, p := items[i].RepoID, items[i].FilePath
		if p != nil && items[i].DocType != models.TypeModule && !slices.Contains(all[id], *p) {
			all[id] = append(all[id], *p)
		}
	}
	return all
}

// ready are the repositories that answer.
func ready(repos []models.Repository) []models.Repository {
	return slices.DeleteFunc(slices.Clone(repos), func(r models.Repository) bool { return r.State != models.StateFresh })
}

// maxStaleFiles is how many stale files a reply names.
const maxStaleFiles = 5

// freshness says in the head how the reply stands to the folders: FRESH when all
// of what was searched is as it is on disk now, STALE when files differ that
// were not searched as they are, UNKNOWN when nobody can tell here. Items of
// such files are marked, those whose files are gone taken out.
func freshness(all current.Standings, level models.Level, resp *Response) {
	meta := &resp.Meta
	items, onPage := resp.Items, map[models.RepoID]bool{}
	for _, item := range items {
		onPage[item.RepoID] = true
	}
	byRepo := make(map[models.RepoID]*current.Standing, len(all))
	meta.FreshnessState = models.Fresh
	for i := range all {
		st := &all[i]
		byRepo[st.Repo.RepoID] = st
		state := stateOf(st, level, len(items) == 0 || onPage[st.Repo.RepoID], meta)
		if state == models.Fresh && st.NoCommit != "" {
			state = models.Unknown // warnUnknown says why
		}
		meta.FreshnessState = models.LeastFresh(meta.FreshnessState, state)
	}
	warnUnknown(all, meta)
	warnSparse(all, meta)
	nameStale(all, meta)
	resp.Items = slices.DeleteFunc(items, func(item models.SearchResult) bool {
		st := byRepo[item.RepoID]
		return item.FilePath != nil && st != nil && !st.Laid && st.State(*item.FilePath) == models.FileGone
	})
	for i := range resp.Items {
		if item := &resp.Items[i]; outdated(byRepo[item.RepoID], item) {
			item.Freshness = models.Stale
		}
	}
}

// outdated reports that an item is not of its file as it is now.
func outdated(st *current.Standing, item *models.SearchResult) bool {
	switch {
	case st == nil || item.FilePath == nil && item.DocType != models.TypeRepo:
		return false
	case item.DocType == models.TypeModule, item.DocType == models.TypeRepo:
		folder := ""
		if item.FilePath != nil && *item.FilePath != "." {
			folder = *item.FilePath + "/"
		}
		return st.Below(folder)
	}
	return !st.Laid && st.State(*item.FilePath) == models.FileChanged
}

// stateOf is what one repository makes of a reply at that level; a warning says
// what to do about it.
func stateOf(st *current.Standing, level models.Level, counts bool, meta *models.Meta) models.Freshness {
	id := st.Repo.RepoID
	switch {
	case st.Gone && counts:
		warn(meta, "FOLDER_GONE",
			"the folder of %s is gone, its results are those of the last index run; put it back, index it where it is "+
				"now with `ragnav index --repo-id %[1]s PATH`, or forget it with `ragnav remove %[1]s`", id)
		return models.Unknown
	case st.Absent && !counts: // nothing on this machine can be newer
		return models.Fresh
	case st.Absent:
		return models.Unknown
	case st.Freshness == models.Unknown: // warnUnknown says why
	case st.Freshness == models.Stale && st.Laid && (level == models.LevelModule || level == models.LevelRepo):
		warn(meta, "SUMMARIES_NOT_UPDATED",
			"%s: %s; files were searched as they are, summaries of folders as they were; `ragnav index` renews them", id,
			st.Reason)
	case st.Freshness == models.Stale && st.Laid && len(st.Unread) > 0:
		warn(meta, "FILES_UNREADABLE",
			"%s: %s may not be read by this program and could not be searched; "+
				"change the permissions, or index it again without", id, someOf(st.Unread))
	case st.Freshness == models.Stale && st.Laid:
		return models.Fresh
	case st.Freshness == models.Stale:
		warn(meta, "FILES_NOT_INDEXED",
			"%s: %s, and what they say now was not searched; `ragnav index` brings the index up to date, `ragnav watch` "+
				"keeps it so", id, st.Reason)
	}
	return st.Freshness
}

// warnUnknown says of which repositories nobody can tell whether they are as
// indexed: once for each reason, as on a busy machine that are most of many.
func warnUnknown(all current.Standings, meta *models.Meta) {
	var reasons []string
	ids := map[string][]string{}
	for i := range all {
		st, reason := &all[i], all[i].Reason
		switch {
		case st.Absent, st.Gone:
			continue
		case st.Freshness == models.Unknown:
		case st.NoCommit != "" && (st.Freshness == models.Fresh || st.Laid):
			reason = st.NoCommit + "; the files were compared with the index one by one, the answer is of them as they are now"
		default:
			continue
		}
		if len(ids[reason]) == 0 {
			reasons = append(reasons, reason)
		}
		ids[reason] = append(ids[reason], string(st.Repo.RepoID))
	}
	for _, reason := range reasons {
		of := ids[reason]
		slices.Sort(of)
		warn(meta, "FRESHNESS_UNKNOWN", "%s: %s", someRepositories(of), reason)
	}
}

// warnSparse says of which repositories a part is not in the folder, and so was not
// indexed.
func warnSparse(all current.Standings, meta *models.Meta) {
	var of []string
	for i := range all {
		if all[i].Sparse {
			of = append(of, string(all[i].Repo.RepoID))
		}
	}
	if len(of) > 0 {
		warn(meta, "FILES_NOT_SEARCHED",
			"%s: what is outside of the sparse checkout was not indexed; `git sparse-checkout add` adds to it, then "+
				"`ragnav index`", someRepositories(of))
	}
}

// namedOf is how many repositories a warning names.
const namedOf = 3

// someRepositories names the first of some repositories.
func someRepositories(ids []string) string {
	who := strings.Join(ids[:min(len(ids), namedOf)], ", ")
	if more := len(ids) - namedOf; more > 0 {
		who += fmt.Sprintf(" and %d more", more)
	}
	return who
}

// someOf names the first of some files.
func someOf(paths []string) string {
	if n := len(paths); n > 1 {
		return fmt.Sprintf("%s and %d more", paths[0], n-1)
	}
	return paths[0]
}

func warn(meta *models.Meta, code, format string, args ...any) {
	meta.Warnings = append(meta.Warnings, models.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
}

// nameStale names a few of the files that differ from the index, and counts them.
func nameStale(all current.Standings, meta *models.Meta) {
	laid, reasons := 0, []string(nil)
	for i := range all {
		st := &all[i]
		if st.Freshness != models.Stale {
			continue
		}
		meta.StaleFileCount += st.Count()
		meta.StaleFiles = append(meta.StaleFiles, st.Names(maxStaleFiles)...)
		if st.Laid {
			laid, reasons = laid+st.Count(), append(reasons, st.Reason)
		}
	}
	slices.Sort(meta.StaleFiles)
	meta.StaleFiles = meta.StaleFiles[:min(len(meta.StaleFiles), maxStaleFiles)]
	if laid > 0 && meta.Message == nil && meta.FreshnessState != models.Stale {
		said := reasons[0]
		if len(reasons) > 1 {
			said = fmt.Sprintf("%d files are not as indexed", laid)
		}
		meta.Message = new(said + "; " + models.AsNow)
	}
}
