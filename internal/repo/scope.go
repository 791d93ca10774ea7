package repo

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A Scope says which folders of a tree have to be watched to learn of every
// change to what List finds. It goes by the ignore files on disk and by what
// git listed when it was made; where git ignores more than those files say, it
// holds more than needed. Its methods read the disk, and may be called one at a
// time.
type Scope struct {
	tree    *Tree
	limits  Limits
	ignored map[string]bool // listed files in spite of the rules, and the folders above them
}

// Scope makes the scope of a tree.
func (t *Tree) Scope(ctx context.Context, limits Limits) (*Scope, error) {
	s := &Scope{tree: t, limits: limits, ignored: map[string]bool{}}
	if in, err := t.IsGit(ctx); err != nil || !in {
		return s, err
	}
	files, err := t.gitFiles(ctx)
	if err != nil {
		return nil, err
	}
	dirs, second := s.folders(), t.newFolders(limits, t.secondRules())
	for _, p := range files {
		if own := second.at(parentOf(p)); own.state != listed || own.excludes(p, false) != nil {
			continue // git's word does not count
		}
		dir := dirs.at(parentOf(p))
		if dir.state == stateIgnored || dir.state == listed && dir.excludes(p, false) != nil {
			for ; p != "" && !s.ignored[p]; p = parentOf(p) {
				s.ignored[p] = true
			}
		}
	}
	return s, nil
}

func (s *Scope) folders() *folders { return s.tree.newFolders(s.limits, bothRules) }

// Folders are the folders to watch at and below dir, outer ones first; "" is
// the root. There are none where dir is no folder, or none of its files can be
// listed.
func (s *Scope) Folders(ctx context.Context, dir string) []string {
	dirs := s.folders()
	var found []string
	todo := []string{dir}
	for len(todo) > 0 && ctx.Err() == nil {
		dir, todo = todo[0], todo[1:]
		state := dirs.at(dir).state
		if state != listed && (state != stateIgnored || !s.ignored[dir]) {
			continue
		}
		entries, err := s.tree.readFolder(dir)
		if err != nil {
			continue
		}
		var inner []string
		nested := false
		for _, e := range entries {
			nested = nested || dir != "" && e.Name() == ".git"
			if e.IsDir() && oddName(e.Name()) == "" {
				inner = append(inner, path.Join(dir, e.Name()))
			}
		}
		if nested && s.tree.git {
			continue
		}
		found, todo = append(found, dir), append(todo, inner...)
	}
	return found
}

// Matters reports whether a change of the file or folder of that path can
// change what List finds.
func (s *Scope) Matters(p string) bool {
	if hidden(baseOf(p)) {
		return false
	}
	dir := s.folders().at(parentOf(p))
	switch dir.state {
	case listed:
		return s.ignored[p] || dir.excludes(p, false) == nil
	case stateIgnored:
		return s.ignored[p]
	case stateGone:
		return true // it is about to be told why
	case stateHidden, stateLink:
	}
	return false
}

// GitFolders are the absolute paths of the folder that holds HEAD and the index
// of a git tree, and of the one that holds its file of more rules, "exclude".
// Both are "" without git.
func (t *Tree) GitFolders(ctx context.Context) (dir, info string, err error) {
	if in, err := t.IsGit(ctx); err != nil || !in {
		return "", "", err
	}
	out, err := git(ctx, t.root, "rev-parse", "--absolute-git-dir", "--git-path", "info/exclude")
	if err != nil {
		return "", "", gitFault(err)
	}
	dir, exclude, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	exclude = filepath.FromSlash(exclude)
	if !filepath.IsAbs(exclude) {
		exclude = filepath.Join(t.root, exclude)
	}
	return filepath.FromSlash(dir), filepath.Dir(exclude), nil
}

// Same reports whether the folder at the tree's path is still the one that was
// opened.
func (t *Tree) Same() bool {
	opened, err := t.dir.Stat(".")
	if err != nil {
		return false
	}
	here, err := os.Stat(t.root)
	return err == nil && os.SameFile(opened, here)
}
