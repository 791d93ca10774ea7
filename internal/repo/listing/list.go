package listing

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// DefaultMaxFileSize is the size in bytes above which a file is not indexed.
const DefaultMaxFileSize = 1 << 20

// Limits say what List leaves out.
type Limits struct {
	MaxFileSize int64    // bytes; 0 means DefaultMaxFileSize
	Exclude     []string // absolute folders that are never listed: the data directory
}

// A Listing is what there is to index, and what is not for which reason. Both
// lists are in path order and have each path once. Ignored files are in
// neither; WhyIgnored tells about them.
type Listing struct {
	Files   []disk.Entry
	Skipped []models.FileRecord
}

// List finds the repository's files, as the package documentation says which.
// Their names and sizes are judged here; what Examine says of their content
// is the reader's part.
func List(ctx context.Context, t *disk.Folder, limits Limits) (Listing, error) {
	found, err := scan(ctx, t, "", limits)
	if err != nil {
		return Listing{}, err
	}
	return listingOf(found), nil
}

// Unseen counts what there is and List leaves out whatever its limits are.
type Unseen struct {
	Odd    int // files whose names are, see relpath.Odd
	Nested int // submodules and nested repositories
	Closed int // folders that can't be read
}

func (u *Unseen) count(detail string) {
	switch detail {
	case relpath.NotUTF8, relpath.HasControls:
		u.Odd++
	case NestedRepository:
		u.Nested++
	case UnreadableFolder:
		u.Closed++
	}
}

// Unseen counts what is skipped for what it is.
func (l Listing) Unseen() (u Unseen) {
	for _, r := range l.Skipped {
		u.count(r.Detail)
	}
	return u
}

// Closed are the folders that can't be read, in order.
func (l Listing) Closed() (all []string) {
	for _, r := range l.Skipped {
		if r.Detail == UnreadableFolder {
			all = append(all, r.Path)
		}
	}
	return all
}

func listingOf(found []finding) Listing {
	l := Listing{Files: make([]disk.Entry, 0, len(found))}
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
	disk.Entry

	regular bool // a regular file with a usable name
	skip    models.SkipReason
	detail  string
}

// scanners look at the found paths in parallel; more than two gain nothing.
const scanners = 2

func scan(ctx context.Context, t *disk.Folder, dir string, limits Limits) ([]finding, error) {
	paths, unreadable, err := candidates(ctx, t, dir, limits)
	if err != nil {
		return nil, err
	}
	found, err := examineInParallel(ctx, t, paths, limits)
	if err != nil {
		return nil, err
	}
	return inOrder(append(found, unreadable...)), nil
}

// inOrder has each path once.
func inOrder(found []finding) []finding {
	slices.SortFunc(found, func(a, b finding) int { return cmp.Compare(a.Path, b.Path) })
	return slices.CompactFunc(found, func(a, b finding) bool { return a.Path == b.Path })
}

func examineInParallel(ctx context.Context, t *disk.Folder, paths []string, limits Limits) ([]finding, error) {
	slices.Sort(paths)
	paths = slices.Compact(paths)
	parts := make([][]finding, scanners)
	group, ctx := parallel.NewGroup(ctx)
	for i := range scanners {
		share := paths[i*len(paths)/scanners : (i+1)*len(paths)/scanners]
		group.Go(func() error {
			found, err := examineAll(ctx, t, share, limits)
			parts[i] = found
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(parts...), nil
}

func examineAll(ctx context.Context, t *disk.Folder, paths []string, limits Limits) ([]finding, error) {
	found := make([]finding, 0, len(paths))
	dirs := newFolders(t, limits, secondRules(t))
	here := handle{tree: t}
	defer here.close()
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p = strings.TrimSuffix(p, "/")
		dir := dirs.at(relpath.Parent(p))
		if dir.state == stateDeep {
			found = append(found, folderFinding(dir.path, DeepFolder))
		}
		if dir.state != listed || relpath.Hidden(relpath.Base(p)) || dir.excludes(p, false) != nil {
			continue
		}
		if f, ok := examine(t, here.lstat, p, limits); ok {
			found = append(found, f)
		}
	}
	return found, nil
}

// examine looks at one path; false when there is nothing any more.
func examine(t *disk.Folder, lstat func(string) (fs.FileInfo, error), p string, limits Limits) (finding, bool) {
	f := finding{Entry: disk.Entry{Path: p}}
	if detail := relpath.Odd(p); detail != "" {
		f.Path, f.skip, f.detail = relpath.Printable(p), models.SkipUnreadable, detail
		return f, true
	}
	info, err := lstat(p)
	if err != nil {
		return f, false
	}
	f.Entry = disk.EntryOf(p, info)
	f.regular = info.Mode().IsRegular()
	f.skip, f.detail = judge(t, p, info, limits)
	return f, true
}

// below is the path of an absolute folder relative to the root, "" when it is
// not below it.
func below(t *disk.Folder, folder string) string {
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}
	rel, err := filepath.Rel(t.Root(), folder)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}
