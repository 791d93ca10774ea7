package repo

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// DefaultMaxFileSize is the size in bytes above which a file is not indexed.
const DefaultMaxFileSize = 1 << 20

// Limits say what List leaves out.
type Limits struct {
	MaxFileSize int64    // bytes; 0 means DefaultMaxFileSize
	Exclude     []string // absolute folders that are never listed: the data directory
}

// An Entry is a file as it was when it was looked at.
type Entry struct {
	Path    string // relative to the root, slashes
	Size    int64
	ModTime int64 // nanoseconds since 1970
	Changed int64 // when content, name or permissions last changed, which no program can set; 0 where the system does not tell
}

// A Listing is what there is to index, and what is not for which reason. Both
// lists are in path order and have each path once. Ignored files are in
// neither; WhyIgnored tells about them.
type Listing struct {
	Files   []Entry
	Skipped []models.FileRecord
}

// List finds the repository's files, as the package documentation says which.
// Their names and sizes are judged here; what Examine says of their content
// is the reader's part.
func (t *Tree) List(ctx context.Context, limits Limits) (Listing, error) {
	found, err := t.scan(ctx, "", limits)
	if err != nil {
		return Listing{}, err
	}
	return listingOf(found), nil
}

func listingOf(found []finding) Listing {
	l := Listing{Files: make([]Entry, 0, len(found))}
	for _, f := range found {
		if f.skip == "" {
			l.Files = append(l.Files, f.Entry)
			continue
		}
		l.Skipped = append(l.Skipped, models.FileRecord{
			Path: f.Path, Size: f.Size, ModTime: f.ModTime, Changed: f.Changed, Skipped: f.skip, Detail: f.detail,
		})
	}
	return l
}

// A finding is one path of a scan.
type finding struct {
	Entry

	regular bool // a regular file with a usable name
	skip    models.SkipReason
	detail  string
}

// scanners look at the found paths in parallel; more than two gain nothing.
const scanners = 2

func (t *Tree) scan(ctx context.Context, dir string, limits Limits) ([]finding, error) {
	paths, unreadable, err := t.candidates(ctx, dir, limits)
	if err != nil {
		return nil, err
	}
	found, err := t.examineInParallel(ctx, paths, limits)
	if err != nil {
		return nil, err
	}
	return inOrder(append(found, unreadable...)), nil
}

func inOrder(found []finding) []finding {
	slices.SortFunc(found, func(a, b finding) int { return cmp.Compare(a.Path, b.Path) })
	return found
}

func (t *Tree) examineInParallel(ctx context.Context, paths []string, limits Limits) ([]finding, error) {
	slices.Sort(paths)
	paths = slices.Compact(paths)
	parts := make([][]finding, scanners)
	group, ctx := parallel.NewGroup(ctx)
	for i := range scanners {
		share := paths[i*len(paths)/scanners : (i+1)*len(paths)/scanners]
		group.Go(func() error {
			found, err := t.examineAll(ctx, share, limits)
			parts[i] = found
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(parts...), nil
}

func (t *Tree) examineAll(ctx context.Context, paths []string, limits Limits) ([]finding, error) {
	found := make([]finding, 0, len(paths))
	dirs := t.newFolders(limits, t.secondRules())
	here := handle{tree: t}
	defer here.close()
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p = strings.TrimSuffix(p, "/")
		dir := dirs.at(parentOf(p))
		if dir.state != listed || hidden(baseOf(p)) || dir.excludes(p, false) != nil {
			continue
		}
		if f, ok := t.examine(here.lstat, p, limits); ok {
			found = append(found, f)
		}
	}
	return found, nil
}

// examine looks at one path; false when there is nothing any more.
func (t *Tree) examine(lstat func(string) (fs.FileInfo, error), p string, limits Limits) (finding, bool) {
	f := finding{Entry: Entry{Path: p}}
	if detail := oddName(p); detail != "" {
		f.Path, f.skip, f.detail = printable(p), models.SkipUnreadable, detail
		return f, true
	}
	info, err := lstat(p)
	if err != nil {
		return f, false
	}
	f.Entry = entryOf(p, info)
	f.regular = info.Mode().IsRegular()
	f.skip, f.detail = t.judge(p, info, limits)
	return f, true
}

// below is the path of an absolute folder relative to the root, "" when it is
// not below it.
func (t *Tree) below(folder string) string {
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}
	rel, err := filepath.Rel(t.root, folder)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}
