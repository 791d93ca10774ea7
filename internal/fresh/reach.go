package fresh

import (
	"strings"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A reacher looks at single paths of a tree.
type reacher struct{ root place }

func newReacher(tree *disk.Folder) (reacher, error) {
	root, err := openTree(tree)
	return reacher{root}, err
}

func (r reacher) close() { r.root.close() }

// in calls look with the place of a folder, nil where there is none.
func (r reacher) in(dir string, look func(here place) error) error {
	here, opened := r.root, []place(nil)
	if inner, ok := straight(here, dir); ok {
		defer inner.close()
		return look(inner)
	}
	defer func() {
		for _, p := range opened {
			p.close()
		}
	}()
	for dir != "" {
		var name string
		name, dir, _ = strings.Cut(dir, "/")
		inner, err := here.inner(name)
		if err != nil {
			if absent(err) {
				return look(nil)
			}
			return err
		}
		here, opened = inner, append(opened, inner)
	}
	return look(here)
}

// look looks at one file.
func (r reacher) look(p string) (seen stat, err error) {
	err = r.in(relpath.Parent(p), func(here place) error {
		seen, err = lookFor(here, relpath.Base(p))
		return err
	})
	return seen, err
}
