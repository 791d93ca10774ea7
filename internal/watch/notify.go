package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// notifications are what the system tells of watched folders.
type notifications struct {
	events <-chan fsnotify.Event
	errors <-chan error
	add    func(folder string) error
	remove func(folder string) error
	close  func() error
}

func openNotifications() (*notifications, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return &notifications{w.Events, w.Errors, w.Add, w.Remove, w.Close}, nil
}

// exhausted reports whether the system has no more watches to give, or none at
// all.
func exhausted(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) ||
		errors.Is(err, syscall.ENOMEM) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOSYS)
}

// A notified is the source that the system notifies.
type notified struct {
	*notifications

	tree    *disk.Folder
	limits  listing.Limits
	scope   *listing.Scope
	gitDir  string          // with HEAD and index, absolute; "" without git
	info    string          // with the file of more rules
	watched map[string]bool // folders, relative; "" is the root
	fresh   bool            // nothing happened since the last refresh
	taken   chan func(context.Context) change
	stop    chan struct{}
}

// newNotified watches a tree, which it closes in the end.
func newNotified(ctx context.Context, tree *disk.Folder, n *notifications, limits listing.Limits) (*notified, error) {
	s := &notified{
		notifications: n, tree: tree, limits: limits, watched: map[string]bool{},
		taken: make(chan func(context.Context) change), stop: make(chan struct{}),
	}
	parallel.Start(s.pass)
	if err := s.refresh(ctx); err != nil {
		s.close()
		return nil, err
	}
	s.fresh = true
	return s, nil
}

// pass hands on what the system tells, to be looked at by the source's user.
func (s *notified) pass() error {
	for {
		var take func(context.Context) change
		select {
		case ev, ok := <-s.events:
			take = func(ctx context.Context) change { return s.take(ctx, ev) }
			if !ok {
				take = func(context.Context) change { return change{lost: true} }
			}
		case err, ok := <-s.errors:
			take = func(context.Context) change { return change{all: true, lost: !ok || exhausted(err)} }
		case <-s.stop:
			return nil
		}
		select {
		case s.taken <- take:
		case <-s.stop:
			return nil
		}
	}
}

func (s *notified) next() <-chan func(ctx context.Context) change { return s.taken }

func (s *notified) there() bool { return s.tree.Same() }

func (s *notified) busy() bool {
	if s.gitDir == "" {
		return false
	}
	_, err := os.Lstat(filepath.Join(s.gitDir, gitLock))
	return err == nil
}

func (s *notified) close() {
	close(s.stop)
	_ = s.notifications.close()
	_ = s.tree.Close()
}

// refresh brings what is watched in line with the rules as they are now.
func (s *notified) refresh(ctx context.Context) error {
	if s.fresh {
		s.fresh = false
		return nil
	}
	scope, err := listing.NewScope(ctx, s.tree, s.limits)
	if err != nil {
		return err
	}
	s.scope = scope
	if s.gitDir, s.info, err = listing.GitFolders(ctx, s.tree); err != nil {
		return err
	}
	for _, dir := range []string{s.gitDir, s.info} {
		if dir == "" {
			continue
		}
		if err := s.add(dir); exhausted(err) {
			return err
		}
	}
	old := s.watched
	s.watched = make(map[string]bool, len(old))
	if err := s.watch(ctx, ""); err != nil {
		return err
	}
	for dir := range old {
		if !s.watched[dir] {
			_ = s.remove(s.absolute(dir))
		}
	}
	return ctx.Err()
}

// watch watches a folder and those below it. A folder made while this looks at
// the one around it is found again: it is looked for after the watch is set.
func (s *notified) watch(ctx context.Context, dir string) error {
	for added := true; added; {
		added = false
		for _, d := range s.scope.Folders(ctx, dir) {
			if s.watched[d] {
				continue
			}
			err := s.add(s.absolute(d))
			if exhausted(err) {
				return err
			}
			if err == nil { // else it is gone, or not ours to read
				s.watched[d], added = true, true
			}
		}
	}
	return nil
}

// unwatch forgets a folder that has left its place, with those below it.
func (s *notified) unwatch(dir string) {
	for d := range s.watched {
		if d == dir || strings.HasPrefix(d, dir+"/") {
			_ = s.remove(s.absolute(d))
			delete(s.watched, d)
		}
	}
}

func (s *notified) absolute(dir string) string {
	return filepath.Join(s.tree.Root(), filepath.FromSlash(dir))
}
