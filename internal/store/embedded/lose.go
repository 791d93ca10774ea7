package embedded

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/vector"
)

// When a part of the index is lost, the repositories that had something in it
// are marked in the registrations, first of all, so that no crash on the way can
// make them look whole again. Then the part is put aside. Then what is left of
// these repositories is removed (demote): they are as if their first run had
// failed, except that embeddings are still found by key. The mark goes when a run
// has indexed them again. A store that is only read just has the marks, in memory.

// A loss is a damaged part of the index and the repositories that it is of.
type loss struct {
	damage *disk.Damage
	repos  []models.RepoID
	all    bool // or it isn't known which
}

// lostReason is the error in the record of a repository that lost something.
func lostReason(d *disk.Damage, r disk.Registration) string {
	if r.Root == "" {
		return fmt.Sprintf("its index is damaged (%v), and where its folder is, is not known any more; run `ragnav index "+
			"--repo-id %s FOLDER`, or forget it with `ragnav remove %s`",
			d, r.RepoID, r.RepoID)
	}
	return fmt.Sprintf("a part of its index is damaged (%v); run `%s` or `ragnav index %s` to index it again", d,
		disk.CommandRepair, r.Root)
}

// marks are the registrations with what the losses say of them.
func (s *Store) marks() []disk.Registration {
	var marked []disk.Registration
	for _, r := range s.registrations.All() {
		for _, l := range s.losses {
			if l.all || slices.Contains(l.repos, r.RepoID) {
				r.Damaged, r.Demoted = lostReason(l.damage, r), false
				marked = append(marked, r)
				break
			}
		}
	}
	return marked
}

// lossOf is the loss of a segment.
func (s *Store) lossOf(d *disk.Damage) loss {
	seal, known := s.seals.Of(d.File)
	l := loss{damage: d, all: !known || seal.Holds == nil}
	for _, id := range seal.Holds {
		l.repos = append(l.repos, models.RepoID(id))
	}
	return l
}

// quarantine puts a file or folder aside, under its name and the time.
func (s *Store) quarantine(name string) error {
	s.seals.Forget(name)
	return disk.SetAside(s.dir, name)
}

// mend makes the files of a store that lost something such that it can be
// opened and written to again. Look is the same store, opened to be read only.
func (s *Store) mend(look *Store) error {
	if err := s.registrations.Change(look.registrations.All(), nil); err != nil {
		return err
	}
	var segments []string
	for _, l := range look.losses {
		if dir, file, _ := strings.Cut(l.damage.File, "/"); dir == disk.TextDir {
			segments = append(segments, file)
		}
	}
	if len(segments) == 0 {
		return nil // openRows sees to the log
	}
	s.seals.SetRoot(disk.RootSeal{}) // it is going to be another one
	if err := s.seals.Save(); err != nil {
		return err
	}
	if err := disk.DropSegments(filepath.Join(s.dir, disk.TextDir), segments); err != nil {
		return err
	}
	for _, file := range segments {
		if err := s.quarantine(disk.SegmentName(file)); err != nil {
			return err
		}
	}
	return nil
}

// loseRows goes on with what is whole of the log.
func (s *Store) loseRows(d *disk.Damage) error {
	rows, err := s.salvage(s.commit.Rows)
	if err != nil {
		return err
	}
	s.rows, s.rowsLost = rows, s.readOnly
	s.forgetRows() // of the log as it was, where the store has been open
	repos, strange, err := s.withoutRows(true)
	if err == nil && strange {
		err = s.dropRows()
	}
	if err != nil || s.readOnly {
		s.losses = append(s.losses, loss{damage: d, repos: repos, all: strange})
		return err
	}
	return s.renewRows(d.File)
}

// dropRows goes on without the rows: those of the log are of another store.
func (s *Store) dropRows() error {
	if err := s.rows.Close(); err != nil {
		return err
	}
	s.rows = nil
	s.forgetRows()
	rows, err := s.noRows(s.commit.Rows.Generation)
	s.rows = rows
	return err
}

// noRows opens an empty log, and puts aside what is in its place.
func (s *Store) noRows(generation uint32) (*vector.Log, error) {
	at := vector.Mark{}
	if !s.readOnly {
		if err := s.quarantine(disk.RowsName(generation)); err != nil {
			return nil, err
		}
		at.Generation = generation
	}
	return vector.Open(filepath.Join(s.dir, disk.RowsDir), s.components(), at, vector.Options{ReadOnly: s.readOnly})
}

// forgetRows forgets what was read of the log.
func (s *Store) forgetRows() {
	s.table.forget()
	s.keys.forget()
	s.viewMu.Lock()
	s.view = nil
	s.viewMu.Unlock()
}

// salvage opens what is whole of the log, which may be nothing.
func (s *Store) salvage(at vector.Mark) (*vector.Log, error) {
	dir := filepath.Join(s.dir, disk.RowsDir)
	rows, err := vector.Open(dir, s.components(), at, vector.Options{ReadOnly: s.readOnly, Salvage: true})
	if errors.Is(err, vector.ErrCorrupt) { // there is no such file
		return s.noRows(at.Generation)
	}
	return rows, err
}

// renewRows writes what is whole of the log to a new file, and puts the old one
// aside.
func (s *Store) renewRows(name string) error {
	mark, err := s.rows.Compact()
	if err != nil {
		return err
	}
	next := s.commit
	next.Seq, next.Rows = next.Seq+1, mark
	if err := s.commitAlone(next); err != nil {
		return err
	}
	if err := s.quarantine(name); err != nil {
		return err
	}
	if err := s.rows.Publish(mark); err != nil {
		return err
	}
	return s.sealRows()
}
