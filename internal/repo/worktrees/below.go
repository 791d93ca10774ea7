// Package worktrees finds the git work trees at, below and around folders.
package worktrees

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
)

// MaxBelow is how many repositories Below finds at most.
const MaxBelow = 1000

// Below finds the git work trees at and below an absolute folder, in path order.
// It does not look into a work tree, so submodules and what else is nested in
// one are part of it, nor into folders whose name begins with ".", bare
// repositories, and symlinks. Of several work trees of one repository it
// returns the main one, or else the first. Folders that can't be read are
// returned beside.
func Below(ctx context.Context, folder string) (roots, unreadable []string, err error) {
	folder, err = disk.Real(folder)
	if err != nil {
		return nil, nil, err
	}
	s := seeker{linked: map[string]string{}, main: map[string]bool{}}
	if err := s.look(ctx, folder); err != nil {
		return nil, nil, err
	}
	for store, root := range s.linked {
		if !s.main[store] {
			s.roots = append(s.roots, root)
		}
	}
	if len(s.roots) > MaxBelow {
		return nil, nil, fault.New(fault.InvalidRequest,
			"there are more than %d repositories below %s; give folders with fewer", MaxBelow, folder)
	}
	slices.Sort(s.roots)
	return s.roots, s.unreadable, nil
}

// A seeker looks for work trees.
type seeker struct {
	roots      []string
	unreadable []string
	main       map[string]bool   // repositories whose main work tree was found
	linked     map[string]string // repository → the first of its other work trees
}

// look goes through a folder and all below it.
func (s *seeker) look(ctx context.Context, folder string) error {
	todo := []string{folder}
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		dir := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		entries, err := os.ReadDir(dir)
		if err != nil {
			s.unreadable = append(s.unreadable, dir)
			continue
		}
		if s.isRepository(dir, entries) {
			continue
		}
		for _, e := range slices.Backward(entries) { // so that they come in order
			if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				todo = append(todo, filepath.Join(dir, e.Name()))
			}
		}
	}
	return nil
}

// isRepository reports that a folder is one, which need not be looked into, and
// takes note of it when it is a work tree.
func (s *seeker) isRepository(dir string, entries []fs.DirEntry) bool {
	i, there := slices.BinarySearchFunc(entries, ".git",
		func(e fs.DirEntry, name string) int { return cmp.Compare(e.Name(), name) })
	if !there {
		return git.IsBare(entries)
	}
	store := filepath.Join(dir, ".git")
	if !entries[i].IsDir() {
		store = git.LinkedStore(dir)
	}
	if _, err := os.Stat(filepath.Join(store, "HEAD")); store == "" || err != nil {
		return false // a folder of that name, and nothing of git's
	}
	if parent := filepath.Dir(store); !entries[i].IsDir() && filepath.Base(parent) == "worktrees" {
		store = filepath.Dir(parent)
		if _, known := s.linked[store]; !known {
			s.linked[store] = dir
		}
		return true
	}
	s.main[store] = true
	s.roots = append(s.roots, dir)
	return true
}
