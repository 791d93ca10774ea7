package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
)

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

// errLosses is a damage that a store which can be written to mends.
var errLosses = errors.New("parts of the index are damaged")

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
func (s *Store) create() error {
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
func (s *Store) openText(dir string) (*scorch.Scorch, error) {
	text.RegisterThrottle()
	text.RegisterBuilder()
	text.RegisterSealer()
	s.mourn(dir)
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
	s.takeKnown()
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
	s.forgetRows()
	return s.loseRows(&disk.Damage{File: name, Reason: "does not belong to the index"})
}

// sealRows takes note of the log as it is, on disk only where the store is
// written to.
func (s *Store) sealRows() error {
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
func (s *Store) sealRoot() {
	if s.integrity.lost(nil) != nil {
		return
	}
	found, err := disk.ReadCommit(s.dir, s.seals)
	if err == nil && found.Commit == s.commit {
		s.seals.SetRoot(found.Seal)
	}
}

// mourn takes note of it when the background work of the text index in a folder
// ends in a panic: root.bolt is what it has mapped of all that it writes. Nobody
// takes batches any more then, and scorch can't be closed: bolt is locked.
func (s *Store) mourn(folder string) {
	dead := make(chan struct{})
	s.dead = dead
	text.Deaths.Store(folder, sync.OnceFunc(func() {
		_ = s.integrity.lost(&disk.Damage{
			File:   disk.SegmentName(disk.RootFile),
			Reason: "was cut or changed while it was written to",
		})
		close(dead)
	}))
}

// alive waits for scorch, as long as its background work goes on.
func (s *Store) alive(done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-s.dead:
		return s.integrity.lost(nil)
	}
}

// give has scorch commit a batch.
func (s *Store) give(batch *index.Batch) error {
	text := s.text
	return s.alive(parallel.Start(func() error { return text.Batch(batch) }))
}

// closeText closes the text index.
func (s *Store) closeText(text *scorch.Scorch) error {
	return s.alive(parallel.Start(text.Close))
}
