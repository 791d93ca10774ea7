package current

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Standing is how the index of one repository stands to its folder.
type Standing struct {
	Repo      models.Repository
	Freshness models.Freshness // of the index: STALE where files differ
	Reason    string           // why it is not FRESH, for people
	// NoCommit is why no commit vouches for the files, "" where one does: what would
	// be FRESH is UNKNOWN then, as spec 002 has it, though the files were compared.
	NoCommit string
	// Sparse tells that git keeps tracked files out of the folder: nobody indexed them.
	Sparse bool
	// Gone tells that the folder is not there, nor anything else to read the files
	// from; Absent, that there is no folder to compare with on this machine.
	Gone, Absent bool
	// Laid tells that requests see the files that differ as they are now.
	Laid bool
	// Unread are files that were indexed, or are new, and may not be read: what is
	// laid has nothing of them.
	Unread []string

	unlooked bool // its folder has too many files for a glance
	delta    fresh.Delta
	laid     *laid
}

// Standings are those of several repositories.
type Standings []Standing

// Compared is the standing of an index whose files differ so from the folder.
func Compared(r models.Repository, d fresh.Delta) Standing {
	st := Standing{Repo: r, Freshness: models.Stale, delta: d}
	switch {
	case d.Head == "":
		st.NoCommit = "no commit is checked out"
	case r.LastIndexedCommit == "":
		st.NoCommit = "the index does not say of which commit it is; `ragnav index` renews it"
	}
	switch {
	case d.Clean():
		st.Freshness = models.Fresh
	case d.TooMany:
		st.Reason = fmt.Sprintf("more than %d files %s", fresh.DefaultMaxChanged, differ(r, 2))
	default:
		st.Reason = models.Counted(d.Count(), "file") + " " + differ(r, d.Count())
	}
	return st
}

// differ says what is with files that are not as in the index of r. What the first run
// has not come to was never in it.
func differ(r models.Repository, files int) string {
	switch {
	case !r.LastIndexedAt.IsZero():
		return "changed since it was indexed"
	case files == 1:
		return "is not indexed yet"
	}
	return "are not indexed yet"
}

// Index is how fresh the index itself is, for a list of repositories. Files that
// differ make it STALE, unless no commit vouches for it and they are few: then it
// is as unknown as what is answered from it.
func (st *Standing) Index() models.Freshness {
	if st.NoCommit != "" && (st.Freshness == models.Fresh || st.laid != nil) {
		return models.Unknown
	}
	return st.Freshness
}

// few reports that files differ, and so few that they can be read meanwhile.
func (st *Standing) few() bool { return st.Freshness == models.Stale && !st.delta.TooMany }

// Count is how many files are known to differ. Those that only look so, and were
// not read as enough others differ, are not among them.
func (st *Standing) Count() int { return st.delta.Count() }

// Names are some of the files that differ, at most n, in order.
func (st *Standing) Names(n int) []string { return st.delta.Some(n) }

// State is how a file stands to what was indexed of it.
func (st *Standing) State(path string) models.FileState {
	holds := func(paths []string) bool {
		_, ok := slices.BinarySearch(paths, path)
		return ok
	}
	switch d := &st.delta; {
	case holds(d.Deleted):
		return models.FileGone
	case holds(d.Changed), holds(d.Added):
		return models.FileChanged
	case st.Freshness == models.Unknown, d.TooMany:
		return models.FileUnknown
	}
	return models.FileSame
}

// Below reports whether a file differs below a folder, "a/b/" or "" for the root.
func (st *Standing) Below(folder string) bool {
	if st.Freshness != models.Stale {
		return false
	}
	return st.delta.TooMany || slices.ContainsFunc(slices.Concat(st.delta.Changed, st.delta.Added, st.delta.Deleted),
		func(p string) bool { return strings.HasPrefix(p, folder) })
}

// standingsKey is under what a context has the standings that it was laid with.
type standingsKey struct{}

// standings are the standings of the repositories under a context of Lay.
func standings(ctx context.Context) (Standings, bool) {
	all, ok := ctx.Value(standingsKey{}).(Standings)
	return all, ok
}
