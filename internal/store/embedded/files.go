package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	"github.com/gofrs/flock"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
)

// files are those of a data directory as they are open: the text index and the log,
// what is known of which are whole, and what was lost.
type files struct {
	dir      string
	dims     atomic.Int64 // see components
	readOnly bool
	repair   bool         // make a new index where the commit is lost
	lock     *flock.Flock // nil where there is no file to lock
	queue    *index.AnalysisQueue

	commit   disk.Commit // the last one; guarded by writing
	rootSize int64       // of root.bolt; guarded by writing

	seals         *disk.Seals
	registrations *disk.Registrations
	opener        *text.Opener
	losses        []loss // of a store that is only read
	rowsLost      bool   // likewise: what is whole of a damaged log is read
	mending       bool   // while it is opened: damage is known, and to be put aside
	integrity     integrity

	mu   sync.RWMutex // guards what follows
	text *scorch.Scorch
	dead <-chan struct{} // closed when scorch's background work ended in a panic
	rows *vector.Log
}

// errLosses is a damage that a store which can be written to mends.
var errLosses = errors.New("parts of the index are damaged")

// sameCommit makes sure that scorch opened what was looked at: what it can't
// open it leaves out.
func sameCommit(text *scorch.Scorch, want *disk.Committed) error {
	reader, err := text.Reader()
	if err != nil {
		return fmt.Errorf("read the last commit: %w", err)
	}
	defer func() { _ = reader.Close() }()
	value, err := reader.GetInternal([]byte(disk.CommitKey))
	if err == nil && string(value) != want.Value {
		err = errors.New("the text index opened another commit than the last one")
	}
	return err
}

// create makes the first commit of a new store, so that from now on there always
// is one.
func (s *files) create() error {
	s.commit = disk.Commit{}
	if s.readOnly {
		text, err := s.openText("")
		s.text = text
		return err
	}
	s.seals.SetRoot(disk.RootSeal{})
	// What is left of a creation that was cut off.
	if err := errors.Join(s.seals.Keep(disk.TextDir, nil), os.RemoveAll(filepath.Join(s.dir, disk.TextDir))); err != nil {
		return err
	}
	text, err := s.openText(filepath.Join(s.dir, disk.TextDir))
	if err != nil {
		return err
	}
	s.text = text
	return s.commitAlone(disk.Commit{Seq: 1})
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

// sealRoot takes note of root.bolt after it was closed, where it has the last
// commit. Where it hasn't, Open says so.
func (s *files) sealRoot() {
	if s.integrity.lost(nil) != nil {
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
		_ = s.integrity.lost(&disk.Damage{
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
		return s.integrity.lost(nil)
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

// rootThere is the damage to root.bolt that a batch would wait for without end,
// or be lost with: scorch writes to the file that it has mapped.
func (s *files) rootThere() error {
	name := disk.SegmentName(disk.RootFile)
	info, err := os.Stat(filepath.Join(s.dir, disk.TextDir, disk.RootFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return s.integrity.lost(&disk.Damage{File: name, Reason: disk.Missing})
	case err != nil:
		return err
	case info.Size() < s.rootSize:
		return s.integrity.lost(&disk.Damage{File: name, Reason: "is cut short"})
	}
	s.rootSize = info.Size() // it only grows
	return nil
}

// commitAlone is a commit without changes, of a store that is being opened.
func (s *files) commitAlone(c disk.Commit) error {
	batch := index.NewBatch()
	if err := setCommit(batch, c); err != nil {
		return err
	}
	if err := s.give(batch); err != nil {
		return err
	}
	s.commit = c
	return nil
}

// lastGeneration is that of the newest file of rows.
func (s *files) lastGeneration() (uint32, error) {
	entries, err := os.ReadDir(filepath.Join(s.dir, disk.RowsDir))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	last := uint32(0)
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), "vectors-")
		n, err := strconv.ParseUint(strings.TrimSuffix(number, ".log"), 16, 32)
		if ok && err == nil && n < math.MaxUint32 {
			last = max(last, uint32(n))
		}
	}
	return last, nil
}

// checkFormat writes format.json or compares it. To repair a store is to take it
// for one of this program: the files tell if it is another's.
func (s *files) checkFormat() error {
	dir, dims, file := s.dir, s.components(), filepath.Join(s.dir, disk.FormatFile)
	write := func() error {
		if s.readOnly {
			return nil
		}
		data, err := json.Marshal(disk.NewFormat(dims))
		if err != nil {
			return err
		}
		return disk.Replace(file, append(data, '\n'), true)
	}
	data, err := disk.ReadFile(file)
	_, damaged := errors.AsType[*disk.Damage](err)
	if errors.Is(err, os.ErrNotExist) {
		return write()
	}
	if err != nil && !damaged {
		return err
	}
	var got disk.Format
	if !damaged {
		got, err = disk.ParseFormat(data)
	}
	switch {
	case err != nil && s.repair:
		return write()
	case err != nil:
		return disk.ErrLost(dir, err)
	case got.Version > disk.FormatVersion:
		return fault.New(fault.RAGUnavailable,
			"the data directory %s has format %d, this program knows %d; use a newer program, or another directory", dir,
			got.Version, disk.FormatVersion)
	case got.Version < disk.FormatVersion && s.repair && !s.readOnly:
		return errors.Join(s.putAsideIndex(), write())
	case got.Version < disk.FormatVersion:
		return fault.New(fault.RAGUnavailable,
			"the data directory %s has the old format %d, this program needs %d; run `ragnav doctor --repair`, which keeps it "+
				"in quarantine and indexes its repositories again", dir, got.Version, disk.FormatVersion)
	case got.Dims != dims:
		return fault.New(fault.RAGUnavailable,
			"the data directory %s has vectors of %d components, the embedder makes %d; use the embedder it was made with, or "+
				"remove it and index again",
			dir, got.Dims, dims)
	}
	return nil
}

// inPlace puts aside what is of another kind than it has to be, where the store
// is repaired. Else it is damage.
func (s *files) inPlace(ctx context.Context) error {
	found, err := disk.Misplaced(s.dir)
	if err != nil {
		return s.unavailable(ctx, "open it", err)
	}
	for _, d := range found {
		if !s.repair || s.readOnly {
			return disk.ErrLost(s.dir, d)
		}
		if err := disk.SetAside(s.dir, d.File); err != nil {
			return s.unavailable(ctx, "put aside what is damaged", err)
		}
	}
	return nil
}

// putAsideIndex puts aside what another format's program wrote. What is
// registered stays.
func (s *files) putAsideIndex() error {
	for _, name := range []string{disk.TextDir, disk.RowsDir, disk.DraftsDir} {
		_, err := os.Lstat(filepath.Join(s.dir, name))
		if err == nil {
			err = disk.SetAside(s.dir, name)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
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
		return errRefused(s.dir, d)
	}
	return fault.Wrap(fault.RAGUnavailable, err, "the data directory %s cannot be used (%s: %v); %s", s.dir, doing, err,
		disk.Advice(s.dir, err))
}

func (s *files) unlock() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Unlock()
}
