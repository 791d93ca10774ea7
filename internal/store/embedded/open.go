package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ragnav/ragnav/internal/store/embedded/beside"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
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
	// Merge is for how long nothing must have been written for the segments of the
	// text index to be merged in the background; 0 is never.
	Merge time.Duration
	// Mend puts aside what is damaged while the store is open, as the next Open would.
	Mend bool
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
	if err := disk.NoPlace(dir); err != nil {
		return nil, err
	}
	s := newStore(newFiles(dir, o))
	if !o.ReadOnly {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, s.files.unavailable(ctx, "create it", err)
		}
		disk.HideNew(dir)
	}
	if err := (&opening{files: s.files}).inPlace(ctx); err != nil {
		return nil, err
	}
	if s.files.lock, err = disk.TakeLock(ctx, s.files.dir, s.files.readOnly); err != nil {
		return nil, err
	}
	if o.ReadOnly {
		if begun, _ := beside.Begun(dir); begun {
			err = fault.Wrap(fault.IndexNotReady, ErrUnfinished,
				"the index in %s is being replaced by another: the process that did so was ended; run `ragnav index` as its "+
					"owner, which takes it to its end", dir)
		}
	} else {
		disk.RemoveTemps(dir)
		err = beside.Finish(dir)
	}
	if err != nil {
		return nil, errors.Join(s.files.unavailable(ctx, "open it", err), s.files.unlock())
	}
	s.files.queue = index.NewAnalysisQueue(parallel.Processors())
	if err := s.openAll(ctx); err != nil {
		return nil, errors.Join(s.files.unavailable(ctx, "open it", err), s.closeFiles())
	}
	if o.Scrub > 0 {
		s.stopScrub = (&scrubber{s.files, s.readers}).start(ctx, o.Scrub)
	}
	if o.Merge > 0 && !o.ReadOnly {
		s.stopMerge = (&merger{s.writer, s.drafts}).start(ctx, o.Merge)
	}
	if o.Mend && !o.ReadOnly {
		s.stopMend = (&mender{s}).start(ctx)
	}
	return s, nil
}

// errLosses is a damage that a store which can be written to mends.
var errLosses = errors.New("parts of the index are damaged")

// An opening opens files, mends what is damaged, and says what was lost.
type opening struct {
	files   *files
	losses  []loss
	mending bool // damage is known, and to be put aside
}

// find reads what is beside the index. Registered reports whether there are
// registrations.
func (o *opening) find() (registered bool, err error) {
	f := o.files
	if err := o.checkFormat(); err != nil {
		return false, err
	}
	if f.seals, err = disk.OpenSeals(f.dir); err != nil {
		return false, err
	}
	if f.repair {
		f.seals.Distrust()
	}
	known, registered, err := disk.OpenRegistrations(f.dir)
	f.registrations.Store(known)
	f.opener = text.NewOpener(f.seals)
	return registered, err
}

// toRead opens the files of a store that is only read.
func (o *opening) toRead(ctx context.Context, registered bool) error {
	if err := o.openFiles(ctx); err != nil {
		return err
	}
	if d := o.files.commit.Draft; d.Applied < d.Of {
		return fault.Wrap(fault.IndexNotReady, ErrUnfinished,
			"the index of %s is half replaced: the process that did so was ended; run `ragnav index` as the owner of %s, "+
				"which takes it to its end", d.Repo, o.files.dir)
	}
	if !registered {
		if err := o.importRegistrations(ctx); err != nil {
			return err
		}
	}
	o.files.registrations.Load().Pretend(o.marks())
	return nil
}

// whole opens the files, and puts aside what is damaged.
func (o *opening) whole(ctx context.Context) error {
	err := o.openFiles(ctx)
	if !errors.Is(err, errLosses) {
		return err
	}
	if o.files.text != nil {
		if err := o.files.closeText(o.files.text); err != nil {
			return err
		}
		o.files.text = nil
	}
	look, found, err := o.look()
	if err != nil {
		return err
	}
	if err = look.toRead(ctx, found); errors.Is(err, ErrUnfinished) {
		look.files.registrations.Load().Pretend(look.marks())
		err = nil
	}
	if err = errors.Join(err, look.files.closeIndex()); err != nil {
		return err
	}
	if err := o.mend(look); err != nil {
		return err
	}
	o.mending = true
	defer func() { o.mending = false }()
	return o.openFiles(ctx)
}

// look is the opening of the same files to be read only.
func (o *opening) look() (look *opening, registered bool, err error) {
	f := newFiles(o.files.dir, Options{Dims: o.files.components(), ReadOnly: true, Repair: o.files.repair})
	f.queue, f.seals, f.opener = o.files.queue, o.files.seals, text.NewOpener(o.files.seals)
	known, registered, err := disk.OpenRegistrations(f.dir)
	f.registrations.Store(known)
	return &opening{files: f}, registered, err
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
func (o *opening) openFiles(ctx context.Context) error {
	if o.files.text == nil {
		if err := o.openCommit(ctx); err != nil {
			return err
		}
		if info, err := os.Stat(filepath.Join(o.files.dir, disk.TextDir, disk.RootFile)); err == nil {
			o.files.rootSize = info.Size()
		}
	}
	if o.files.rows == nil {
		return o.openRows() //nolint:contextcheck // opening is part of no request
	}
	return nil
}

// openCommit opens the text index.
func (o *opening) openCommit(ctx context.Context) error {
	found, err := disk.ReadCommit(o.files.dir, o.files.seals)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o.create()
	case errors.Is(err, disk.ErrNoCommit) && o.files.repair:
		d, _ := errors.AsType[*disk.Damage](err)
		return o.loseCommit(ctx, d)
	case errors.Is(err, disk.ErrNoCommit):
		return disk.ErrLost(o.files.dir, err)
	case err != nil:
		return err
	}
	defer o.files.opener.Drop()
	lost, err := o.files.opener.Prepare(filepath.Join(o.files.dir, disk.TextDir), found.Files())
	if err != nil {
		return err
	}
	if len(lost) > 0 && !o.files.readOnly {
		return errLosses
	}
	for _, d := range lost {
		o.losses = append(o.losses, o.lossOf(d))
	}
	if !o.files.readOnly {
		if err := o.files.seals.Keep(disk.TextDir, found.Files()); err != nil {
			return err
		}
	}
	text, err := o.files.openText(filepath.Join(o.files.dir, disk.TextDir))
	if errors.Is(err, disk.ErrPanicked) {
		d := &disk.Damage{File: disk.SegmentName(disk.RootFile), Reason: "cannot be understood: " + err.Error()}
		if o.files.repair && !o.files.readOnly {
			return o.loseCommit(ctx, d)
		}
		return disk.ErrLost(o.files.dir, d)
	}
	if err != nil {
		return err
	}
	if err := sameCommit(text, found); err != nil {
		return errors.Join(err, o.files.closeText(text))
	}
	o.files.text, o.files.commit = text, found.Commit
	o.files.seals.SetRoot(found.Seal)
	return nil
}

// openRows opens the log at the commit.
func (o *opening) openRows() error {
	f := o.files
	name, how := disk.RowsName(f.commit.Rows.Generation), vector.Options{ReadOnly: f.readOnly}
	how.Whole, _ = f.isWhole(name)
	how.KnownWhole, f.known = f.isWhole(disk.KnownName)
	rows, err := vector.Open(filepath.Join(f.dir, disk.RowsDir), f.components(), f.commit.Rows, how)
	if errors.Is(err, vector.ErrCorrupt) {
		if !f.readOnly && !o.mending {
			return errLosses
		}
		return o.loseRows(&disk.Damage{File: name, Reason: "is not what was written: " + err.Error()})
	}
	if err != nil {
		return err
	}
	f.rows = rows
	if mark, _ := rows.Owned(); mark == (vector.Mark{}) {
		f.known = disk.Stamp{}
	}
	f.engine.TakeKnown(f.rows, f.seals)
	if how.Whole && !f.repair {
		return f.sealRows()
	}
	return o.matchRows(name)
}

// matchRows makes sure that the documents have their rows in the log, which is
// whole: a few of them, or all when the store is repaired.
func (o *opening) matchRows(name string) error {
	repos, strange, err := o.withoutRows(o.files.repair)
	if err != nil || len(repos) == 0 && !strange {
		return errors.Join(err, o.files.sealRows())
	}
	if err := o.files.rows.Close(); err != nil {
		return err
	}
	if o.files.rows = nil; !o.files.readOnly && !o.mending {
		return errLosses
	}
	o.files.engine.Forget()
	return o.loseRows(&disk.Damage{File: name, Reason: "does not belong to the index"})
}

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

// withoutRows is WithoutRows of the engine, of the newest state.
func (o *opening) withoutRows(all bool) (ids []models.RepoID, strange bool, err error) {
	st := o.files.newest()
	defer st.Release()
	return o.files.engine.WithoutRows(st, all)
}
