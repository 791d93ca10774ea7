package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	"github.com/gofrs/flock"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
)

// files are those of a data directory as they are open: the text index and the log,
// what was read of them, and what is known of which are whole.
type files struct {
	dir      string
	dims     atomic.Int64 // see components
	readOnly bool
	repair   bool         // make a new index where the commit is lost
	lock     *flock.Flock // nil where there is no file to lock
	queue    *index.AnalysisQueue
	analyser *fts.Analyser
	engine   *search.Engine

	writing  turn        // who changes what follows has it
	commit   disk.Commit // the last one
	rootSize int64       // of root.bolt

	seals         *disk.Seals
	registrations atomic.Pointer[disk.Registrations] // others where another index takes the place of this one
	opener        *text.Opener
	rowsLost      bool // of a store that is only read: what is whole of a damaged log is read
	integrity     integrity

	// They change while readers have pinned a state, or under the lock of readers.
	text *scorch.Scorch
	dead <-chan struct{} // closed when scorch's background work ended in a panic
	rows *vector.Log
	// known is how the file with what is known of the rows looked before it was mapped;
	// the zero Stamp where it was not.
	known disk.Stamp
}

// newFiles are none yet: opening opens them.
func newFiles(dir string, o Options) *files {
	analyser := fts.NewAnalyser()
	s := &files{
		dir: dir, readOnly: o.ReadOnly, repair: o.Repair, writing: newTurn(),
		analyser: analyser, engine: search.NewEngine(analyser), integrity: newIntegrity(),
	}
	s.dims.Store(int64(o.Dims))
	return s
}

// openText opens the text index in a folder, or an empty one in memory.
func (s *files) openText(dir string) (*scorch.Scorch, error) {
	text.RegisterThrottle()
	text.RegisterBuilder()
	text.RegisterSealer()
	s.noticePanic(dir)
	opened, err := scorch.NewScorch(scorch.Name, map[string]any{
		"path":                   dir,
		"read_only":              s.readOnly,
		"bolt_timeout":           "2s",
		"numSnapshotsToKeep":     1,
		"asyncErrorCallbackName": text.ThrottleName,
		"eventCallbackName":      text.SealerName,
		"scorchMergePlanOptions": text.MergePlan,
		"segmentConfig":          map[string]any{text.OpenerKey: s.opener},
	}, s.queue)
	if err != nil {
		return nil, fmt.Errorf("configure the text index: %w", err)
	}
	text, ok := opened.(*scorch.Scorch)
	if !ok {
		return nil, fmt.Errorf("configure the text index: unexpected %T", opened)
	}
	if err := disk.Guard(text.Open); err != nil {
		return nil, fmt.Errorf("open the text index: %w", err)
	}
	return text, nil
}

// sealRows takes note of the log as it is, on disk only where the store is
// written to.
func (s *files) sealRows() error {
	name := disk.RowsName(s.rows.Mark().Generation)
	info, err := os.Stat(filepath.Join(s.dir, name))
	switch {
	case err == nil:
		s.seals.Put(name, disk.Seal{Stamp: disk.StampOf(info)})
	case s.readOnly && errors.Is(err, os.ErrNotExist): // nothing was written yet
		return nil
	}
	return err
}

// isWhole reports whether a file is known to be whole, and how it looks: not at all
// where it is not there.
func (s *files) isWhole(name string) (bool, disk.Stamp) {
	info, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		return false, disk.Stamp{}
	}
	stamp := disk.StampOf(info)
	return s.seals.Whole(name, stamp), stamp
}

// saveKnown writes down what is known of the rows, and takes note of the file.
func (s *files) saveKnown() error {
	if saved, err := s.engine.SaveKnown(s.rows, s.seals, s.newest); err != nil || !saved {
		return err
	}
	info, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(disk.KnownName)))
	if err != nil {
		return err
	}
	s.seals.Put(disk.KnownName, disk.Seal{Stamp: disk.StampOf(info)})
	return nil
}

// sealRoot takes note of root.bolt after it was closed, where it has the last
// commit. Where it hasn't, Open says so.
func (s *files) sealRoot() {
	if s.integrity.unwritable(nil) != nil {
		return
	}
	found, err := disk.ReadCommit(s.dir, s.seals)
	if err == nil && found.Commit == s.commit {
		s.seals.SetRoot(found.Seal)
	}
}

// noticePanic takes note of it when the background work of the text index in a folder
// ends in a panic: root.bolt is what it has mapped of all that it writes. Nobody
// takes batches any more then, and scorch can't be closed: bolt is locked.
func (s *files) noticePanic(folder string) {
	dead := make(chan struct{})
	s.dead = dead
	text.OnPanic(folder, func() {
		_ = s.integrity.unwritable(&disk.Damage{
			File:   disk.SegmentName(disk.RootFile),
			Reason: "was cut or changed while it was written to",
		})
		close(dead)
	})
}

// alive waits for scorch, as long as its background work goes on.
func (s *files) alive(done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-s.dead:
		return s.integrity.unwritable(nil)
	}
}

// give has scorch commit a batch.
func (s *files) give(batch *index.Batch) error {
	text := s.text
	return s.alive(parallel.Start(func() error { return text.Batch(batch) }))
}

// closeText closes the text index.
func (s *files) closeText(text *scorch.Scorch) error {
	return s.alive(parallel.Start(text.Close))
}

// place is the damage to what a batch needs of the directory beside what was read,
// for which it would wait without end, or with which it would be lost: scorch writes
// to the root.bolt that it has mapped. Who calls it has the turn to write.
func (s *files) place() error {
	if err := disk.Displaced(s.lock); err != nil {
		return err
	}
	name := disk.SegmentName(disk.RootFile)
	info, err := os.Stat(filepath.Join(s.dir, disk.TextDir, disk.RootFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &disk.Damage{File: name, Reason: disk.Missing}
	case err != nil:
		return err
	case info.Size() < s.rootSize:
		return &disk.Damage{File: name, Reason: "is cut short"}
	}
	s.rootSize = info.Size() // it only grows
	return nil
}

// stillThere is place, after whose damage nothing is written any more.
func (s *files) stillThere() error {
	if d := s.integrity.unwritable(nil); d != nil {
		return d
	}
	err := s.place()
	if d, ok := errors.AsType[*disk.Damage](err); ok {
		return s.integrity.unwritable(d)
	}
	return err
}

// closeIndex closes the text index and the rows.
func (s *files) closeIndex() error {
	var errs []error
	if s.text != nil {
		errs = append(errs, s.closeText(s.text))
	}
	if s.rows != nil {
		errs = append(errs, s.rows.Close())
	}
	s.text, s.rows = nil, nil
	return errors.Join(errs...)
}

// components is how many its vectors have.
func (s *files) components() int { return int(s.dims.Load()) }

// newest is the state of the index as it is, committed or not.
func (s *files) newest() *search.State {
	reader, _ := s.text.Reader() // never fails
	return search.NewState(s.text, reader.(*scorch.IndexSnapshot), s.rows.Snapshot())
}

// quarantine puts a file or folder aside, under its name and the time.
func (s *files) quarantine(name string) error {
	s.seals.Forget(name)
	return disk.SetAside(s.dir, name)
}

// unavailable makes a store's failure an error for users, unless it is one
// already or the context is done.
func (s *files) unavailable(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	if _, known := errors.AsType[*fault.Error](err); known {
		return err
	}
	if d, damaged := s.damageOf(err); damaged {
		return s.refused(d)
	}
	return fault.Wrap(fault.RAGUnavailable, err, "the data directory %s cannot be used (%s: %v); %s", s.dir, doing, err,
		disk.Advice(s.dir, err))
}

// close closes everything, and takes note of how it is left.
func (s *files) close() error {
	errs := []error{s.closeIndex()}
	text.Closed(filepath.Join(s.dir, disk.TextDir))
	s.queue.Close()
	if own := !s.readOnly && disk.Displaced(s.lock) == nil; own { // else nothing there is ours
		if s.seals != nil {
			s.sealRoot()
			s.seals.Settle()
			errs = append(errs, s.seals.Save())
		}
		errs = append(errs, disk.RemoveOwner(s.dir))
	}
	errs = append(errs, s.unlock())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the data directory %s: %w", s.dir, err)
	}
	return nil
}

func (s *files) unlock() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Unlock()
}
