package repo

import (
	"context"
	"path"
	"slices"
)

// HoldsRules reports whether a file of that path is an ignore file, which
// decides about other files.
func HoldsRules(p string) bool { return slices.Contains(bothRules, path.Base(p)) }

// ListPaths is what List finds of the given files, and below the given folders.
// Paths are relative to the root, with slashes. It is false when only List can
// tell: a path leads into a submodule or a nested repository, has a name that
// is not text, or git refuses it.
func (t *Tree) ListPaths(ctx context.Context, paths []string, limits Limits) (Listing, bool, error) {
	in, err := t.IsGit(ctx)
	if err != nil {
		return Listing{}, false, err
	}
	for _, p := range paths {
		if p == "" || oddName(p) != "" || t.nestedRepo(p) != "" {
			return Listing{}, false, nil
		}
	}
	if !in {
		found, err := t.walkPaths(ctx, paths, limits)
		return listingOf(found), true, err
	}
	files, unreadable, err := t.gitFound(ctx, limits, paths...)
	if err != nil {
		return Listing{}, false, ctx.Err()
	}
	found, err := t.examineInParallel(ctx, files, limits)
	return listingOf(inOrder(append(found, unreadable...))), true, err
}

// walkPaths looks at paths of a folder that git does not know.
func (t *Tree) walkPaths(ctx context.Context, paths []string, limits Limits) ([]finding, error) {
	w := walker{tree: t, dirs: t.newFolders(limits, bothRules)}
	for _, p := range paths {
		if info, err := t.dir.Lstat(p); err == nil && info.IsDir() {
			if err := w.walk(ctx, p); err != nil {
				return nil, err
			}
		} else if dir := w.dirs.at(parentOf(p)); dir.state == listed && dir.excludes(p, false) == nil {
			w.paths = append(w.paths, p)
		}
	}
	slices.Sort(w.paths)
	found, err := t.examineInParallel(ctx, slices.Compact(w.paths), limits)
	found = inOrder(append(found, w.unreadable...))
	return slices.CompactFunc(found, func(a, b finding) bool { return a.Path == b.Path }), err
}
