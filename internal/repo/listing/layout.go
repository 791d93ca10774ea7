package listing

import (
	"context"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A Layout is where new files can appear. While no folder of it gets or loses an
// entry, and nothing changes that decides about files (ignore files, what is
// nested, git's index and settings), List finds no file that it did not find.
type Layout struct {
	// Folders are those whose entries matter, outer ones first, "" is the root.
	// They may be more than List looks into.
	Folders []string
	// Nested are folders below the root with an entry ".git". Whether that
	// makes them repositories of their own is what Nested tells.
	Nested []string
	// Ignored are the outermost folders that rules exclude, in those folders.
	// They stay so for as long as the rules stay.
	Ignored []string
}

// FindLayout finds the layout at and below folders. Before it looks into a folder it
// tells that to before, so that a folder's times can be taken first, also of
// some folders that are then left out: those that are ignored, hidden or gone.
func FindLayout(ctx context.Context, t *disk.Folder, dirs []string, limits Limits, before func(dir string)) (Layout,
	error,
) {
	l := layouter{tree: t, before: before, seen: map[string]bool{}}
	tracked, err := trackedFolders(ctx, t, dirs)
	if err != nil {
		return Layout{}, err
	}
	l.tracked, l.dirs = tracked, newFolders(t, limits, layoutRules(t))
	if err := l.walk(ctx, dirs); err != nil {
		return Layout{}, err
	}
	for dir := range tracked {
		if !l.seen[dir] && l.listed(dir) {
			l.add(dir)
		}
	}
	slices.Sort(l.found.Folders)
	slices.Sort(l.found.Nested)
	slices.Sort(l.found.Ignored)
	return l.found, nil
}

// layoutRules are the ignore files that are not held against folders by git.
func layoutRules(t *disk.Folder) []string {
	if t.Git() {
		return secondRules(t)
	}
	return bothRules
}

// trackedFolders are the folders of tracked files with those above them: what
// is tracked is listed wherever it is. There are none without git.
func trackedFolders(ctx context.Context, t *disk.Folder, dirs []string) (map[string]bool, error) {
	found := map[string]bool{}
	var only []string
	if !slices.Contains(dirs, "") {
		only = behind(dirs)
	}
	paths, err := index(ctx, t, only...)
	for _, p := range paths {
		for dir := relpath.Parent(p); dir != "" && !found[dir]; dir = relpath.Parent(dir) {
			found[dir] = relpath.Odd(dir) == ""
		}
	}
	return found, err
}

type layouter struct {
	tree    *disk.Folder
	before  func(string)
	dirs    *folders
	tracked map[string]bool
	seen    map[string]bool
	found   Layout
}

// walk goes down level by level, so that git judges a level at a time.
func (l *layouter) walk(ctx context.Context, level []string) error {
	for len(level) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		level = slices.DeleteFunc(level, func(dir string) bool { return l.seen[dir] || !l.listed(dir) })
		ignored, err := gitIgnores(ctx, l.tree, level)
		if err != nil {
			return err
		}
		var next []string
		for _, dir := range level {
			if ignored[dir] {
				l.found.Ignored = append(l.found.Ignored, dir)
			} else {
				next = append(next, l.add(dir)...)
			}
		}
		level = next
	}
	return nil
}

// listed looks at a folder and its own ignore files.
func (l *layouter) listed(dir string) bool {
	l.before(dir)
	here := l.dirs.at(dir)
	if here.state == stateIgnored && !slices.Contains(l.found.Ignored, dir) {
		l.found.Ignored = append(l.found.Ignored, dir)
	}
	return here.state == listed
}

// add takes a folder in and returns the folders in it that List may look into.
func (l *layouter) add(dir string) []string {
	l.seen[dir] = true
	entries, _ := l.tree.ReadFolder(dir) // one that can't be read has none, and changes when it can be
	var inner []string
	nested := false
	for _, e := range entries {
		nested = nested || dir != "" && e.Name() == ".git"
		if e.IsDir() && relpath.Odd(e.Name()) == "" && !relpath.Hidden(e.Name()) {
			inner = append(inner, path.Join(dir, e.Name()))
		}
	}
	if nested && l.tree.Git() {
		l.found.Nested = append(l.found.Nested, dir)
		if Nested(l.tree, dir) && !l.tracked[dir] {
			return nil
		}
	}
	l.found.Folders = append(l.found.Folders, dir)
	return inner
}

// Nested reports whether a folder below the root is a repository of its own,
// as far as the files that make one go.
func Nested(t *disk.Folder, dir string) bool {
	dot := path.Join(dir, ".git")
	info, err := t.Lstat(dot)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		store := git.LinkedStore(path.Join(t.Root(), dir))
		_, err := os.Stat(path.Join(store, "HEAD"))
		return store != "" && err == nil
	}
	for _, part := range []string{"HEAD", "objects", "refs"} {
		if _, err := t.Lstat(path.Join(dot, part)); err != nil {
			return false
		}
	}
	return true
}

// gitIgnores says which folders git's rules exclude, tracked files or not.
func gitIgnores(ctx context.Context, t *disk.Folder, dirs []string) (map[string]bool, error) {
	dirs = slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return dir == "" })
	if !t.Git() || len(dirs) == 0 {
		return nil, nil
	}
	found, err := checkIgnore(ctx, t, dirs, "--no-index")
	if err != nil {
		return nil, err
	}
	ignored := map[string]bool{}
	for _, p := range found {
		ignored[strings.TrimPrefix(p, "./")] = true
	}
	return ignored, nil
}
