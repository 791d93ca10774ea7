package listing

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// Paths is what List finds of the given files, and below the given folders.
// Paths are relative to the root, with slashes. It is false when only List can
// tell: a path leads into a submodule or a nested repository, has a name that
// is not text, or git refuses it.
func Paths(ctx context.Context, t *disk.Folder, paths []string, limits Limits) (Listing, bool, error) {
	in, err := t.IsGit(ctx)
	if err != nil {
		return Listing{}, false, err
	}
	for _, p := range paths {
		if p == "" || relpath.Odd(p) != "" || nestedRepo(t, p) != "" {
			return Listing{}, false, nil
		}
	}
	if !in {
		found, err := walkPaths(ctx, t, paths, limits)
		return listingOf(found), true, err
	}
	files, unreadable, err := gitFound(ctx, t, limits, paths...)
	if err != nil {
		return Listing{}, false, ctx.Err()
	}
	found, err := examineInParallel(ctx, t, files, limits)
	return listingOf(inOrder(append(found, unreadable...))), true, err
}

// walkPaths looks at paths of a folder that git does not know.
func walkPaths(ctx context.Context, t *disk.Folder, paths []string, limits Limits) ([]finding, error) {
	w := walker{tree: t, dirs: newFolders(t, limits, bothRules)}
	for _, p := range paths {
		if info, err := t.Lstat(p); err == nil && info.IsDir() {
			if err := w.walk(ctx, p); err != nil {
				return nil, err
			}
		} else if dir := w.dirs.at(relpath.Parent(p)); dir.state == listed && dir.excludes(p, false) == nil {
			w.paths = append(w.paths, p)
		}
	}
	slices.Sort(w.paths)
	found, err := examineInParallel(ctx, t, slices.Compact(w.paths), limits)
	return inOrder(append(found, w.unreadable...)), err
}
