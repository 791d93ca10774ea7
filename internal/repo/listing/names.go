package listing

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// Names are the paths of List's files and of those that List skips for what a look
// at them tells, in path order: missing, irregular, too large.
func Names(ctx context.Context, t *disk.Folder, limits Limits) ([]string, error) {
	paths, _, err := candidates(ctx, t, "", limits)
	if err != nil {
		return nil, err
	}
	paths, err = allowedNames(ctx, t, paths, limits, secondRules(t))
	return slices.DeleteFunc(paths, func(p string) bool {
		_, secret := filekind.Secret(p)
		return secret
	}), err
}

// TrackedNames are the files that git tracks, in path order; none where there
// is no git. Together with OtherNames they are the paths of List's files and of
// those that List skips when it judges them: missing, irregular, too large,
// stores of secrets. Not looking at each file saves most of the time of a list,
// for readers that look for themselves.
func TrackedNames(ctx context.Context, t *disk.Folder, limits Limits) ([]string, error) {
	paths, err := Tracked(ctx, t)
	if err != nil {
		return nil, err
	}
	return allowedNames(ctx, t, paths, limits, secondRules(t))
}

// OtherNames are the files that List finds beside those that git tracks, in
// path order: all where there is no git.
func OtherNames(ctx context.Context, t *disk.Folder, limits Limits) ([]string, error) {
	in, err := t.IsGit(ctx)
	if err != nil {
		return nil, err
	}
	if !in {
		paths, _, err := candidates(ctx, t, "", limits)
		if err != nil {
			return nil, err
		}
		return allowedNames(ctx, t, paths, limits, nil)
	}
	paths, _, err := lsFiles(ctx, t, "-o", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return allowedNames(ctx, t, paths, limits, secondRules(t))
}

// allowedNames drops the paths that are hidden or excluded by the given kinds of
// ignore files, and folders, in place.
func allowedNames(ctx context.Context, t *disk.Folder, paths []string, limits Limits, kinds []string) ([]string,
	error,
) {
	if !slices.IsSorted(paths) {
		slices.Sort(paths)
	}
	paths = slices.Compact(paths)
	names := newFolders(t, limits, nil)
	full := newFolders(t, limits, kinds)
	ruled := map[string]bool{}
	dir, judged := "", (*folder)(nil)
	kept := paths[:0]
	for _, p := range paths {
		if parent := relpath.Parent(p); judged == nil || parent != dir {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			dir, judged = parent, names.byName(parent)
			if judged.state == listed && len(kinds) > 0 && underRules(t, parent, ruled) {
				judged = full.at(parent)
			}
		}
		if judged.state == listed && !strings.HasSuffix(p, "/") && !relpath.Hidden(relpath.Base(p)) && relpath.Odd(p) == "" &&
			judged.excludes(p, false) == nil {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// underRules reports whether there is a file of our own rules in a folder or
// above it. Known are the answers so far.
func underRules(t *disk.Folder, dir string, known map[string]bool) bool {
	under, ok := known[dir]
	if !ok {
		_, err := os.Lstat(t.Root() + "/" + dir + "/" + ragnavRules)
		under = err == nil || dir != "" && underRules(t, relpath.Parent(dir), known)
		known[dir] = under
	}
	return under
}

// byName is a folder judged by its name and those above it alone, without
// rules.
func (fs *folders) byName(dir string) *folder {
	if f, known := fs.known[dir]; known {
		return f
	}
	f := &folder{path: dir}
	if dir != "" {
		f.parent = fs.byName(relpath.Parent(dir))
		switch f.state = f.parent.state; {
		case relpath.Hidden(relpath.Base(dir)), slices.Contains(fs.exclude, dir):
			f.state = stateHidden
		case f.state == listed && strings.Count(dir, "/") >= maxDepth:
			f.state = stateDeep
		}
	}
	fs.known[dir] = f
	return f
}
