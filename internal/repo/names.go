package repo

import (
	"context"
	"os"
	"slices"
	"strings"
)

// TrackedNames are the files that git tracks, in path order; none where there
// is no git. Together with OtherNames they are the paths of List's files and of
// those that List skips when it judges them: missing, irregular, too large,
// stores of secrets. Not looking at each file saves most of the time of a list,
// for readers that look for themselves.
func (t *Tree) TrackedNames(ctx context.Context, limits Limits) ([]string, error) {
	paths, err := t.Tracked(ctx)
	if err != nil {
		return nil, err
	}
	return t.allowedNames(ctx, paths, limits, t.secondRules())
}

// OtherNames are the files that List finds beside those that git tracks, in
// path order: all where there is no git.
func (t *Tree) OtherNames(ctx context.Context, limits Limits) ([]string, error) {
	in, err := t.IsGit(ctx)
	if err != nil {
		return nil, err
	}
	if !in {
		paths, _, err := t.candidates(ctx, "", limits)
		if err != nil {
			return nil, err
		}
		return t.allowedNames(ctx, paths, limits, nil)
	}
	paths, _, err := t.lsFiles(ctx, "-o", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return t.allowedNames(ctx, paths, limits, t.secondRules())
}

// allowedNames drops the paths that are hidden or excluded by the given kinds of
// ignore files, and folders, in place.
func (t *Tree) allowedNames(ctx context.Context, paths []string, limits Limits, kinds []string) ([]string, error) {
	if !slices.IsSorted(paths) {
		slices.Sort(paths)
	}
	paths = slices.Compact(paths)
	names := t.newFolders(limits, nil)
	full := t.newFolders(limits, kinds)
	ruled := map[string]bool{}
	dir, judged := "", (*folder)(nil)
	kept := paths[:0]
	for _, p := range paths {
		if parent := parentOf(p); judged == nil || parent != dir {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			dir, judged = parent, names.byName(parent)
			if judged.state == listed && len(kinds) > 0 && t.underRules(parent, ruled) {
				judged = full.at(parent)
			}
		}
		if judged.state == listed && !strings.HasSuffix(p, "/") && !hidden(baseOf(p)) && oddName(p) == "" && judged.excludes(p, false) == nil {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// underRules reports whether there is a file of our own rules in a folder or
// above it. Known are the answers so far.
func (t *Tree) underRules(dir string, known map[string]bool) bool {
	under, ok := known[dir]
	if !ok {
		_, err := os.Lstat(t.root + "/" + dir + "/" + ragnavRules)
		under = err == nil || dir != "" && t.underRules(parentOf(dir), known)
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
		f.parent = fs.byName(parentOf(dir))
		if f.state = f.parent.state; hidden(baseOf(dir)) || slices.Contains(fs.exclude, dir) {
			f.state = stateHidden
		}
	}
	fs.known[dir] = f
	return f
}
