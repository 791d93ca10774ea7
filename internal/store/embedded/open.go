package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
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

func newStore(dir string, o Options) *Store {
	analyser := fts.NewAnalyser()
	s := &Store{
		files:    files{dir: dir, readOnly: o.ReadOnly, repair: o.Repair},
		analyser: analyser, engine: search.NewEngine(analyser),
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

// openFiles opens the index and the log at the index's last commit. What is open
// already stays. Before anything is opened in a way that could change it, the
// commit was read and all of its files were looked at: damaged ones are errLosses,
// or left out and noted by a store that is only read.
func (s *Store) openFiles(ctx context.Context) error {
	if s.text == nil {
		if err := s.openCommit(ctx); err != nil {
			return err
		}
		if info, err := os.Stat(filepath.Join(s.dir, disk.TextDir, disk.RootFile)); err == nil {
			s.rootSize = info.Size()
		}
	}
	if s.rows == nil {
		return s.openRows() //nolint:contextcheck // opening is part of no request
	}
	return nil
}

// openCommit opens the text index.
func (s *Store) openCommit(ctx context.Context) error {
	found, err := disk.ReadCommit(s.dir, s.seals)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.create()
	case errors.Is(err, disk.ErrNoCommit) && s.repair:
		d, _ := errors.AsType[*disk.Damage](err)
		return s.loseCommit(ctx, d)
	case errors.Is(err, disk.ErrNoCommit):
		return disk.ErrLost(s.dir, err)
	case err != nil:
		return err
	}
	defer s.opener.Drop()
	lost, err := s.opener.Prepare(filepath.Join(s.dir, disk.TextDir), found.Files())
	if err != nil {
		return err
	}
	if len(lost) > 0 && !s.readOnly {
		return errLosses
	}
	for _, d := range lost {
		s.losses = append(s.losses, s.lossOf(d))
	}
	if !s.readOnly {
		if err := s.seals.Keep(disk.TextDir, found.Files()); err != nil {
			return err
		}
	}
	text, err := s.openText(filepath.Join(s.dir, disk.TextDir))
	if errors.Is(err, disk.ErrPanicked) {
		d := &disk.Damage{File: disk.SegmentName(disk.RootFile), Reason: "cannot be understood: " + err.Error()}
		if s.repair && !s.readOnly {
			return s.loseCommit(ctx, d)
		}
		return disk.ErrLost(s.dir, d)
	}
	if err != nil {
		return err
	}
	if err := sameCommit(text, found); err != nil {
		return errors.Join(err, s.closeText(text))
	}
	s.text, s.commit = text, found.Commit
	s.seals.SetRoot(found.Seal)
	return nil
}

// openRows opens the log at the commit.
func (s *Store) openRows() error {
	name, dir := disk.RowsName(s.commit.Rows.Generation), filepath.Join(s.dir, disk.RowsDir)
	o := vector.Options{ReadOnly: s.readOnly}
	info, err := os.Stat(filepath.Join(s.dir, name))
	if err == nil {
		o.Whole = s.seals.Whole(name, disk.StampOf(info))
	}
	rows, err := vector.Open(dir, s.components(), s.commit.Rows, o)
	if errors.Is(err, vector.ErrCorrupt) {
		if !s.readOnly && !s.mending {
			return errLosses
		}
		return s.loseRows(&disk.Damage{File: name, Reason: "is not what was written: " + err.Error()})
	}
	if err != nil {
		return err
	}
	s.rows = rows
	s.engine.TakeKnown(s.rows, s.seals)
	if o.Whole && !s.repair {
		return s.sealRows()
	}
	return s.matchRows(name)
}

// matchRows makes sure that the documents have their rows in the log, which is
// whole: a few of them, or all when the store is repaired.
func (s *Store) matchRows(name string) error {
	repos, strange, err := s.withoutRows(s.repair)
	if err != nil || len(repos) == 0 && !strange {
		return errors.Join(err, s.sealRows())
	}
	if err := s.rows.Close(); err != nil {
		return err
	}
	if s.rows = nil; !s.readOnly && !s.mending {
		return errLosses
	}
	s.engine.Forget()
	return s.loseRows(&disk.Damage{File: name, Reason: "does not belong to the index"})
}
