package repos

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// A folder's time changes when a file comes or goes in it, so only folders that
// changed since the index run began are looked into: a few milliseconds for
// thousands of folders.
const (
	maxFolders = 20_000 // of a repository; of more nothing is said
	maxUnknown = 1_000  // names in them that the index does not know; of more neither
)

// Limit sets the limits under which files are indexed, which Added goes by.
func (s *Service) Limit(limits repo.Limits) { s.limits = limits }

// Added are the files of all repositories that came into their folders after
// they were indexed, and would be indexed now, in order. What can't be told is
// left out.
func (c *Comparison) Added() map[models.RepoID][]string {
	all := map[models.RepoID][]string{}
	for id, one := range c.all {
		if <-one.ready; len(one.added) > 0 {
			all[id] = one.added
		}
	}
	return all
}

// A surroundings is what one repository was found to be like: it is looked into
// again when another index run ended, or a folder changed.
type surroundings struct {
	mu      sync.Mutex
	indexed time.Time
	folders []string // with indexed files, and those around them, in order
	times   string   // of folders that changed since
	unknown []string // names that were found in them
	added   []string
}

func (s *Service) surroundings(id models.RepoID) *surroundings {
	found, _ := s.around.LoadOrStore(id, &surroundings{})
	return found.(*surroundings)
}

// additions finds the files that were added.
func (c *compared) additions(ctx context.Context, s *Service) []string {
	a := s.surroundings(c.known.RepoID)
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.indexed.Equal(c.known.LastIndexedAt) || a.folders == nil {
		folders, ok := s.folders(ctx, c.known.RepoID)
		if !ok {
			return nil
		}
		a.indexed, a.folders, a.times, a.unknown, a.added = c.known.LastIndexedAt, folders, "", nil, nil
	}
	changed, times := c.changed(append(slices.Clone(a.folders), a.unknown...))
	if times == a.times {
		return a.added
	}
	unknown, ok := c.unknown(ctx, s, a.folders, changed)
	if !ok {
		return nil
	}
	added, err := c.listed(ctx, s, unknown)
	if err != nil {
		return nil
	}
	_, times = c.changed(append(slices.Clone(a.folders), unknown...))
	a.times, a.unknown, a.added = times, unknown, added
	return added
}

// folders are those with indexed files, and those around them.
func (s *Service) folders(ctx context.Context, id models.RepoID) ([]string, bool) {
	var set struct {
		Dirs []string `json:"dirs"`
	}
	ok, err := s.records.Record(ctx, models.CollectionMeta, models.FoldersKey(id), &set)
	if err != nil || !ok || len(set.Dirs) > maxFolders {
		return nil, false
	}
	all := []string{""}
	seen := map[string]bool{"": true}
	for _, d := range set.Dirs {
		for d = path.Clean(d); d != "." && !seen[d]; d = path.Dir(d) {
			seen[d] = true
			all = append(all, d)
		}
	}
	slices.Sort(all)
	return all, true
}

// changed are the folders in which something may have come or gone since the
// index run began, and their times in one text.
func (c *compared) changed(paths []string) (changed []string, times string) {
	var b strings.Builder
	since := c.known.LastIndexedAt.Add(-time.Second)
	for _, dir := range paths {
		info, err := os.Lstat(path.Join(c.tree.Root(), dir))
		if err != nil || !info.IsDir() || info.ModTime().Before(since) {
			continue
		}
		changed = append(changed, dir)
		fmt.Fprintf(&b, "%s\x00%d\x00", dir, info.ModTime().UnixNano())
	}
	return changed, b.String()
}

// unknown are the files and folders in folders that the index does not know. It
// is false when there are too many.
func (c *compared) unknown(ctx context.Context, s *Service, folders, changed []string) ([]string, bool) {
	var unknown []string
	for _, dir := range changed {
		entries, err := c.tree.ReadDir(ctx, dir)
		if err != nil {
			continue // it is gone, or a new one that no index knows
		}
		for _, e := range entries {
			if _, known := slices.BinarySearch(folders, e.Path); e.IsDir && known || !e.IsDir && c.recorded(ctx, s, e.Path) {
				continue
			}
			if unknown = append(unknown, e.Path); len(unknown) > maxUnknown {
				return nil, false
			}
		}
	}
	slices.Sort(unknown)
	return slices.Compact(unknown), ctx.Err() == nil
}

// listed are the files among and below paths that would be indexed.
func (c *compared) listed(ctx context.Context, s *Service, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	found, _, err := c.tree.ListPaths(ctx, paths, s.limits)
	if err != nil {
		return nil, err
	}
	var added []string
	for _, f := range found.Files {
		if !c.recorded(ctx, s, f.Path) {
			added = append(added, f.Path)
		}
	}
	return added, nil
}

// recorded reports whether the index knows a file, indexed or not.
func (c *compared) recorded(ctx context.Context, s *Service, p string) bool {
	var rec models.FileRecord
	ok, err := s.records.Record(ctx, models.FilesCollection(c.known.RepoID), p, &rec)
	return err != nil || ok
}
