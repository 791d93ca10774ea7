package watch

import (
	"context"
	"path"
	"path/filepath"

	"github.com/fsnotify/fsnotify"

	"github.com/ragnav/ragnav/internal/repo/listing"
)

// take finds out what an event means, and watches new folders.
func (s *notified) take(ctx context.Context, ev fsnotify.Event) change {
	s.fresh = false
	if dir, name := filepath.Split(ev.Name); s.gitDir != "" && (within(dir, s.gitDir) || within(dir, s.info)) {
		return ofGit(name)
	}
	rel, err := filepath.Rel(s.tree.Root(), ev.Name)
	if err != nil || !filepath.IsLocal(rel) {
		return change{}
	}
	if rel == "." {
		return change{all: true, lost: ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename)}
	}
	p := filepath.ToSlash(rel)
	if path.Base(p) == ".git" {
		return change{all: !ev.Has(fsnotify.Chmod)}
	}
	return s.changed(ctx, p, ev.Op)
}

func (s *notified) changed(ctx context.Context, p string, op fsnotify.Op) change {
	c := change{path: p, all: listing.HoldsRules(p)}
	if s.watched[p] && (op.Has(fsnotify.Remove) || op.Has(fsnotify.Rename)) {
		s.unwatch(p)
		return c
	}
	if !s.scope.Matters(p) {
		return change{all: c.all}
	}
	if op.Has(fsnotify.Create) {
		if err := s.watch(ctx, p); err != nil {
			c.lost = true
		}
	}
	return c
}

// gitLock is there while git changes the index and the work tree.
const gitLock = "index.lock"

// ofGit is what a change in git's own folder means.
func ofGit(name string) change {
	switch name {
	case "HEAD", "HEAD.lock", "index", "exclude":
		return change{all: true, git: true}
	case gitLock:
		return change{git: true}
	}
	return change{}
}

// within reports whether dir, which may end in a separator, is that folder.
func within(dir, folder string) bool { return filepath.Clean(dir) == folder }
