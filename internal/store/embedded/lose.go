package embedded

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
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
func (s *files) marks() []disk.Registration {
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
func (s *files) lossOf(d *disk.Damage) loss {
	seal, known := s.seals.Of(d.File)
	l := loss{damage: d, all: !known || seal.Holds == nil}
	for _, id := range seal.Holds {
		l.repos = append(l.repos, models.RepoID(id))
	}
	return l
}

// quarantine puts a file or folder aside, under its name and the time.
func (s *files) quarantine(name string) error {
	s.seals.Forget(name)
	return disk.SetAside(s.dir, name)
}

// mend makes the files of a store that lost something such that it can be
// opened and written to again. Look is the same store, opened to be read only.
func (s *files) mend(look *Store) error {
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
	s.engine.Forget() // of the log as it was, where the store has been open
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
	s.engine.Forget()
	rows, err := s.noRows(s.commit.Rows.Generation)
	s.rows = rows
	return err
}

// noRows opens an empty log, and puts aside what is in its place.
func (s *files) noRows(generation uint32) (*vector.Log, error) {
	at := vector.Mark{}
	if !s.readOnly {
		if err := s.quarantine(disk.RowsName(generation)); err != nil {
			return nil, err
		}
		at.Generation = generation
	}
	return vector.Open(filepath.Join(s.dir, disk.RowsDir), s.components(), at, vector.Options{ReadOnly: s.readOnly})
}

// salvage opens what is whole of the log, which may be nothing.
func (s *files) salvage(at vector.Mark) (*vector.Log, error) {
	dir := filepath.Join(s.dir, disk.RowsDir)
	rows, err := vector.Open(dir, s.components(), at, vector.Options{ReadOnly: s.readOnly, Salvage: true})
	if errors.Is(err, vector.ErrCorrupt) { // there is no such file
		return s.noRows(at.Generation)
	}
	return rows, err
}

// renewRows writes what is whole of the log to a new file, and puts the old one
// aside.
func (s *files) renewRows(name string) error {
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

// withoutRows is search.Engine's, of the newest state.
func (s *Store) withoutRows(all bool) (ids []models.RepoID, strange bool, err error) {
	st := s.newest()
	defer st.Release()
	return s.engine.WithoutRows(st, all)
}

// eachLive calls yield with each live row and its header.
func eachLive(rows *vector.Snapshot, yield func(row int, h models.Header)) error {
	for row := range rows.LiveRows().Members() {
		h, err := codec.MetaHeader(rows.ID(row), rows.Meta(row))
		if err != nil {
			return err
		}
		yield(row, h)
	}
	return nil
}

// demote removes what is left of the repositories that are marked and were not
// demoted yet. Their embeddings stay in the rows until they are compacted.
func (s *Store) demote(ctx context.Context) error {
	gone := map[models.RepoID]disk.Registration{}
	var ids []models.RepoID
	for _, r := range s.registrations.All() {
		if r.Damaged != "" && !r.Demoted {
			gone[r.RepoID] = r
			ids = append(ids, r.RepoID)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	c, err := s.demotion(ctx, gone, ids)
	if err != nil {
		return err
	}
	if err := s.write(c); err != nil {
		return err
	}
	demoted := make([]disk.Registration, 0, len(gone))
	for _, r := range gone {
		r.Demoted = true
		demoted = append(demoted, r)
	}
	return s.registrations.Change(demoted, nil)
}

func (s *Store) demotion(ctx context.Context, gone map[models.RepoID]disk.Registration, ids []models.RepoID) (*change,
	error,
) {
	var b store.Batch
	for id, r := range gone {
		b.DeleteRecords = append(b.DeleteRecords,
			store.RecordID{Collection: models.FilesCollection(id)}, store.RecordID{Collection: models.ContentsCollection(id)},
			store.RecordID{Collection: models.CollectionMeta, Key: models.FoldersKey(id)})
		b.PutRecords = append(b.PutRecords,
			store.Record{Collection: models.CollectionRepos, Key: string(id), Value: r.Record()})
	}
	c, err := s.prepare(ctx, b)
	if err != nil {
		return nil, err
	}
	st := s.newest()
	defer st.Release()
	if err := eachLive(st.Rows(), func(row int, h models.Header) {
		if _, ok := gone[h.RepoID]; ok {
			c.batch.Delete(text.DocumentKey(string(h.ID)))
			c.rows = append(c.rows, vector.Row{ID: string(h.ID), Deleted: true})
		}
	}); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := st.EachKey(id, c.batch.Delete); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// loseCommit makes a new text index where the commit is lost: all repositories
// are to be indexed again, with the embeddings that the rows still have.
func (s *Store) loseCommit(ctx context.Context, d *disk.Damage) error {
	generation, err := s.lastGeneration()
	if err != nil {
		return err
	}
	if s.rows, err = s.salvage(vector.Mark{Generation: generation}); err != nil {
		return err
	}
	s.losses = append(s.losses, loss{damage: d, repos: s.seals.Held(), all: true})
	s.seals.SetRoot(disk.RootSeal{})
	if err := errors.Join(s.seals.Keep(disk.TextDir, nil), s.quarantine(disk.TextDir)); err != nil {
		return err
	}
	if s.text, err = s.openText(filepath.Join(s.dir, disk.TextDir)); err != nil {
		return err
	}
	rows := s.rows.Snapshot()
	serial := uint32(0)
	for row := range rows.Len() {
		if meta := rows.Meta(row); len(meta) > 0 {
			n, err := codec.MetaSerial(meta)
			if err != nil {
				return err
			}
			serial = max(serial, n+1)
		}
	}
	rows.Release()
	s.commit = disk.Commit{Serial: serial}
	if err := s.importRegistrations(ctx); err != nil {
		return err
	}
	if err := s.registrations.Change(s.marks(), nil); err != nil {
		return err
	}
	return s.renewRows(disk.RowsName(generation))
}
