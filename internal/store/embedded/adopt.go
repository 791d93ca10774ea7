package embedded

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// Another index can take the place of a store's: one with vectors of another
// embedder, say, made in a store of its own in the folder besideDir. While its
// files get their places nothing is open, and a file says that they are to: who
// finds it goes on from there.

const (
	// besideDir is where an index is made that is to take the place of this one.
	besideDir = "beside"
	// adoptFile says that it is doing so.
	adoptFile = "adopt.json"
)

// Requests under way keep their index: Adopt waits for a moment without any, for
// so long with others held back, and again later.
const (
	adoptHold  = time.Second
	adoptRetry = time.Second
)

// adoptKey marks the context of Adopt itself, which reads behind the gate.
type adoptKey struct{ store *Store }

// BesideDir is where the index is made that Adopt takes over.
func BesideDir(dir string) string { return filepath.Join(dir, besideDir) }

// Adopt puts the index in BesideDir, which nobody has open, in the place of this
// one, for all requests from then on, and removes the old one. An error of the
// context means that nothing has changed.
//
// Then is called while nobody reads, once the new index is there.
func (s *Store) Adopt(ctx context.Context, then func()) error {
	dims := disk.DimsOf(BesideDir(s.dir))
	for _, name := range adopted {
		if _, err := os.Stat(filepath.Join(BesideDir(s.dir), name)); err != nil || dims == 0 {
			return fault.Wrap(fault.Internal, err, "there is no whole index with repositories in %s", BesideDir(s.dir))
		}
	}
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := s.writable(ctx); err != nil {
		return err
	}
	if err := s.holdBack(ctx); err != nil {
		return err
	}
	defer s.gate.Unlock()
	if err := s.replaceBy(context.WithoutCancel(ctx), dims); err != nil {
		s.broken = true
		return s.unavailable(context.WithoutCancel(ctx), "put another index in its place", err)
	}
	then()
	return nil
}

// holdBack waits until nobody reads, and keeps it so: the caller opens the gate.
func (s *Store) holdBack(ctx context.Context) error {
	tick := time.NewTicker(adoptHold / 500)
	defer tick.Stop()
	for {
		s.gate.Lock()
		for end := time.Now().Add(adoptHold); time.Now().Before(end); <-tick.C {
			if s.reading.Load() == 0 {
				return nil
			}
		}
		s.gate.Unlock()
		select {
		case <-time.After(adoptRetry):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// replaceBy closes all files, gives those of the other index their places, and
// opens them.
func (s *Store) replaceBy(ctx context.Context, dims int) error {
	s.engine.DropOverlays()
	s.mu.Lock()
	if s.pinned != nil {
		s.pinned.Release()
		s.pinned = nil
	}
	err := s.closeIndex()
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if err := disk.Replace(filepath.Join(s.dir, adoptFile), []byte("{}\n"), true); err != nil {
		return errors.Join(err, s.reopen())
	}
	s.dims.Store(int64(dims))
	if err := finishAdoption(s.dir); err != nil {
		return err
	}
	s.engine.Forget()
	return s.openAll(context.WithValue(ctx, adoptKey{s}, true))
}

// adopted are the files that an index consists of, but for what is dropped.
var adopted = []string{disk.TextDir, disk.RowsDir, disk.FormatFile, disk.SealsFile, disk.RegistrationsFile}

// finishAdoption gives the files of the other index their places, if that has
// begun.
func finishAdoption(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, adoptFile)); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	if err := os.RemoveAll(filepath.Join(dir, disk.DraftsDir)); err != nil {
		return err
	}
	for _, name := range adopted {
		from, to := filepath.Join(dir, besideDir, name), filepath.Join(dir, name)
		if _, err := os.Lstat(from); errors.Is(err, os.ErrNotExist) {
			continue // it has its place
		}
		if err := os.RemoveAll(to); err != nil {
			return err
		}
		if err := os.Rename(from, to); err != nil {
			return err
		}
	}
	if err := errors.Join(disk.SyncDir(dir), os.RemoveAll(filepath.Join(dir, besideDir))); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, adoptFile)); err != nil {
		return err
	}
	return disk.SyncDir(dir)
}

// unadopted refuses to read an index that another one is about to replace.
func unadopted(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, adoptFile)); err != nil {
		return nil //nolint:nilerr // there is none
	}
	return fault.Wrap(fault.IndexNotReady, ErrUnfinished,
		"the index in %s is being replaced by another: the process that did so was ended; run `ragnav index` as its owner, "+
			"which takes it to its end", dir)
}
