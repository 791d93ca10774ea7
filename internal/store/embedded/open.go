package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
)

// Options say how to open a store.
type Options struct {
	Dims int // components of a vector, from 1
	// ReadOnly changes nothing in the directory, and needs no right to. Others may
	// have it open to be read only as well. Writing is refused.
	ReadOnly bool
	// Repair reads everything, and makes a new index where the commit of the old
	// one is lost.
	Repair bool
	// Scrub is how often all files are read while the store is open, and compared
	// with their checksums; 0 is never.
	Scrub time.Duration
}

// ErrUnfinished is the cause of an error of a store that is to be read only, and
// has half of a change in it: it has to be opened to be written to once.
var ErrUnfinished = errors.New("a publication was cut off")

// Open opens the store in dir, which it creates. Only one process can have it
// open, others get fault.Conflict naming the one that has; or several that only
// read. An index of another format or with vectors of another size is
// fault.RAGUnavailable, and so is a file that can't be read at this moment.
//
// Damage to segments or rows is put aside (see lose.go), and what it was part of
// says that it has to be indexed again. A directory that has a store's files and
// no commit is fault.IndexNotReady, and stays as it is unless o says Repair.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	s := newStore(dir, o)
	if !o.ReadOnly {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, s.unavailable(ctx, "create it", err)
		}
	}
	if err := s.inPlace(ctx); err != nil {
		return nil, err
	}
	if s.lock, err = disk.TakeLock(ctx, s.dir, s.readOnly); err != nil {
		return nil, err
	}
	if o.ReadOnly {
		err = unadopted(dir)
	} else {
		disk.RemoveTemps(dir)
		err = finishAdoption(dir)
	}
	if err != nil {
		return nil, errors.Join(s.unavailable(ctx, "open it", err), s.unlock())
	}
	s.queue = index.NewAnalysisQueue(runtime.GOMAXPROCS(0))
	if err := s.openAll(ctx); err != nil {
		return nil, errors.Join(s.unavailable(ctx, "open it", err), s.closeFiles())
	}
	if o.Scrub > 0 {
		s.startScrub(ctx, o.Scrub)
	}
	return s, nil
}

// inPlace puts aside what is of another kind than it has to be, where the store
// is repaired. Else it is damage.
func (s *Store) inPlace(ctx context.Context) error {
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

func newStore(dir string, o Options) *Store {
	s := &Store{
		dir: dir, readOnly: o.ReadOnly, repair: o.Repair, analyser: fts.NewAnalyser(),
		writing: make(chan struct{}, 1), stopScrub: func() {},
	}
	s.dims.Store(int64(o.Dims))
	s.drafts.Dir = filepath.Join(dir, disk.DraftsDir)
	return s
}

// ReadOnly reports whether writing is refused.
func (s *Store) ReadOnly() bool { return s.readOnly }

// openAll opens the files and brings what was cut off or damaged to an end.
func (s *Store) openAll(ctx context.Context) error {
	if err := s.checkFormat(); err != nil {
		return err
	}
	var found bool
	var err error
	if s.seals, err = disk.OpenSeals(s.dir); err != nil {
		return err
	}
	if s.repair {
		s.seals.Distrust()
	}
	if s.registrations, found, err = disk.OpenRegistrations(s.dir); err != nil {
		return err
	}
	s.opener = text.NewOpener(s.seals)
	if s.readOnly {
		return s.openToRead(ctx, found)
	}
	s.reopen = func() error {
		return errors.Join(finishAdoption(s.dir), s.openWhole(context.WithoutCancel(ctx)))
	}
	if err := s.openWhole(ctx); err != nil {
		return err
	}
	if err := s.resumeDrafts(ctx); err != nil {
		return err
	}
	if err := s.reconcileRegistrations(ctx); err != nil {
		return err
	}
	if err := s.demote(ctx); err != nil {
		return err
	}
	return s.seals.Save()
}

// openToRead opens the files of a store that is only read.
func (s *Store) openToRead(ctx context.Context, registered bool) error {
	if err := s.openFiles(ctx); err != nil {
		return err
	}
	if d := s.commit.Draft; d.Applied < d.Of {
		return fault.Wrap(fault.IndexNotReady, ErrUnfinished,
			"the index of %s is half replaced: the process that did so was ended; run `ragnav index` as the owner of %s, "+
				"which takes it to its end", d.Repo, s.dir)
	}
	if !registered {
		if err := s.importRegistrations(ctx); err != nil {
			return err
		}
	}
	s.registrations.Pretend(s.marks())
	return nil
}

// openWhole opens the files, and puts aside what is damaged.
func (s *Store) openWhole(ctx context.Context) error {
	err := s.openFiles(ctx)
	if !errors.Is(err, errLosses) {
		return err
	}
	if s.text != nil {
		if err := s.closeText(s.text); err != nil {
			return err
		}
		s.text = nil
	}
	look := newStore(s.dir, Options{Dims: s.components(), ReadOnly: true, Repair: s.repair})
	look.queue, look.seals, look.opener = s.queue, s.seals, text.NewOpener(s.seals)
	var found bool
	if look.registrations, found, err = disk.OpenRegistrations(s.dir); err != nil {
		return err
	}
	if err = look.openToRead(ctx, found); errors.Is(err, ErrUnfinished) {
		look.registrations.Pretend(look.marks())
		err = nil
	}
	if err = errors.Join(err, look.closeIndex()); err != nil {
		return err
	}
	if err := s.mend(look); err != nil {
		return err
	}
	s.mending = true
	defer func() { s.mending = false }()
	return s.openFiles(ctx)
}

// setCommit makes a batch that of a commit.
func setCommit(batch *index.Batch, c disk.Commit) error {
	value, err := json.Marshal(c)
	if err == nil {
		batch.SetInternal([]byte(disk.CommitKey), value)
	}
	return err
}

// putAsideIndex puts aside what another format's program wrote. What is
// registered stays.
func (s *Store) putAsideIndex() error {
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

// checkFormat writes format.json or compares it. To repair a store is to take it
// for one of this program: the files tell if it is another's.
func (s *Store) checkFormat() error {
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
