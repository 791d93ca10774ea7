package listing

import (
	"context"
	"path"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A Scope says which folders of a tree have to be watched to learn of every
// change to what List finds. It goes by the ignore files on disk and by what
// git listed when it was made; where git ignores more than those files say, it
// holds more than needed. Its methods read the disk, and may be called one at a
// time.
type Scope struct {
	tree    *disk.Folder
	limits  Limits
	ignored map[string]bool // listed files in spite of the rules, and the folders above them
}

// NewScope makes the scope of a tree.
func NewScope(ctx context.Context, t *disk.Folder, limits Limits) (*Scope, error) {
	s := &Scope{tree: t, limits: limits, ignored: map[string]bool{}}
	if in, err := t.IsGit(ctx); err != nil || !in {
		return s, err
	}
	files, err := gitFiles(ctx, t)
	if err != nil {
		return nil, err
	}
	dirs, second := s.folders(), newFolders(t, limits, secondRules(t))
	for _, p := range files {
		if own := second.at(relpath.Parent(p)); own.state != listed || own.excludes(p, false) != nil {
			continue // git's word does not count
		}
		dir := dirs.at(relpath.Parent(p))
		if dir.state == stateIgnored || dir.state == listed && dir.excludes(p, false) != nil {
			for ; p != "" && !s.ignored[p]; p = relpath.Parent(p) {
				s.ignored[p] = true
			}
		}
	}
	return s, nil
}

func (s *Scope) folders() *folders { return newFolders(s.tree, s.limits, bothRules) }

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
		entries, err := s.tree.ReadFolder(dir)
		if err != nil {
			continue
		}
		var inner []string
		nested := false
		for _, e := range entries {
			nested = nested || dir != "" && e.Name() == ".git"
			if e.IsDir() && relpath.Odd(e.Name()) == "" {
				inner = append(inner, path.Join(dir, e.Name()))
			}
		}
		if nested && s.tree.Git() {
			continue
		}
		found, todo = append(found, dir), append(todo, inner...)
	}
	return found
}

// Matters reports whether a change of the file or folder of that path can
// change what List finds.
func (s *Scope) Matters(p string) bool {
	if relpath.Hidden(relpath.Base(p)) {
		return false
	}
	dir := s.folders().at(relpath.Parent(p))
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
