package embedded

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/store/embedded/beside"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

var _ interface {
	store.Store
	store.Pinner
	store.Overlayer
	store.Drafter
	store.Compacter
	store.Loser
	store.Announcer
	store.Checker
} = (*Store)(nil)

// FoldersDir is what a data directory has beside the files of its store: what is known
// of the folders of repositories.
const FoldersDir = "folders"

// A Store is an open data directory. Its methods may be called concurrently;
// batches wait for each other.
type Store struct {
	files     *files
	readers   *readers
	writer    *writer
	drafts    *drafts
	stopScrub func()
	stopMerge func()
	stopMend  func()
}

func newStore(f *files) *Store {
	r := &readers{files: f}
	w := &writer{files: f, readers: r, merging: newTurn()}
	d := &drafts{files: f, readers: r, writer: w}
	d.folder.Dir = filepath.Join(f.dir, disk.DraftsDir)
	return &Store{
		files: f, readers: r, writer: w, drafts: d, stopScrub: func() {}, stopMerge: func() {}, stopMend: func() {},
	}
}

// openAll opens the files and brings what was cut off or damaged to an end.
func (s *Store) openAll(ctx context.Context) error {
	o := &opening{files: s.files}
	registered, err := o.find()
	if err != nil {
		return err
	}
	if s.files.readOnly {
		return o.toRead(ctx, registered)
	}
	s.writer.reopen = func() error {
		return errors.Join(beside.Finish(s.files.dir), (&opening{files: s.files}).whole(context.WithoutCancel(ctx)))
	}
	return s.bringUp(ctx, o)
}

// bringUp opens the files of a store that is written to, and puts aside what is damaged.
func (s *Store) bringUp(ctx context.Context, o *opening) error {
	if err := o.whole(ctx); err != nil {
		return err
	}
	if err := s.drafts.resume(ctx); err != nil {
		return err
	}
	if err := o.reconcile(ctx); err != nil {
		return err
	}
	if err := s.writer.demote(ctx); err != nil {
		return err
	}
	if err := s.files.seals.Save(); !disk.IsFull(err) {
		return err
	}
	return nil // as if the process had been killed here: the next Open takes longer
}

// Close waits for batches and searches under way and closes the files. A
// second Close does nothing.
func (s *Store) Close() error {
	s.stopScrub()
	s.stopMerge()
	s.stopMend()
	s.files.writing <- struct{}{}
	defer s.files.writing.end()
	if s.readers.close() {
		return nil
	}
	f := s.files
	f.engine.DropOverlays()
	var err error
	if !s.writer.broken && !f.readOnly && s.drafts.publishing == nil && f.integrity.unwritable(nil) == nil {
		if err = f.stillThere(); err == nil {
			err = parallel.Call(func() error { _, err := s.writer.purge(); return err })
		}
		if err == nil {
			// Without it the next Open takes longer.
			_ = parallel.Call(f.saveKnown)
			disk.KeepReserve(f.dir)
		}
	}
	if err = errors.Join(err, s.closeFiles()); err != nil {
		return f.unavailable(context.Background(), "close it", err)
	}
	return nil
}

func (s *Store) closeFiles() error {
	s.readers.unpin()
	return s.files.close()
}

// ReadOnly reports whether writing is refused.
func (s *Store) ReadOnly() bool { return s.files.readOnly }

// Lost are the repositories of which a part was lost, as they have to be indexed
// again.
func (s *Store) Lost() []models.Repository { return s.files.registrations.Load().Lost() }

// Checks tells when the directory or its commit is gone or damaged, without which
// searches go on, and the next batch does not. While somebody writes, who has looked, it is not looked at. Who only
// reads writes none, and may have found no directory.
func (s *Store) Checks(ctx context.Context) []models.Check {
	if s.files.readOnly {
		return nil
	}
	select {
	case s.files.writing <- struct{}{}:
		defer s.files.writing.end()
	default:
		return nil
	}
	err := s.files.stillThere()
	if err == nil {
		return nil
	}
	message := fault.MessageOf(s.files.unavailable(ctx, "look at it", err))
	return []models.Check{{Name: "data_directory", Message: message}}
}

// Announce writes the address under which this process can be reached for
// LockInfo to find. On a full disk nobody finds it, but who knows it is answered.
func (s *Store) Announce(address string) error {
	err := disk.WriteOwner(s.files.dir, address)
	if disk.IsFull(err) {
		err = disk.RemoveOwner(s.files.dir)
	}
	if err != nil {
		return fmt.Errorf("announce the address: %w", err)
	}
	return nil
}
