package embedded

import (
	"context"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
	scorch "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
)

// withoutRows are the repositories with documents whose rows are lost. Strange
// reports whether the rows are of another store: documents have those of others.
// Unless all are looked at, it is one document of each segment.
func (s *Store) withoutRows(all bool) (ids []models.RepoID, strange bool, err error) {
	st := s.newest()
	defer st.release()
	x, err := s.execution(context.Background(), st)
	if err != nil {
		return nil, false, err
	}
	found := map[models.RepoID]bool{}
	for i := range x.view.segments {
		seg := &x.view.segments[i]
		lost := vector.NewBits(seg.size)
		for doc := range members(seg.live) {
			row := x.find.row(seg.serials[doc])
			if row < 0 {
				lost.Set(doc)
				continue
			}
			key, err := st.key(i, uint64(doc)) //nolint:gosec // not negative
			if err != nil {
				return nil, false, err
			}
			if key != text.DocumentKey(st.rows.ID(row)) {
				return nil, true, nil
			}
			if !all {
				break
			}
		}
		if lost.Count() == 0 {
			continue
		}
		if err := text.EachRepository(seg.snapshot.Segment(), func(id string, list scorch.PostingsList) error {
			docs := vector.NewBits(seg.size)
			err := addPostings(docs, list)
			if docs.And(lost); docs.Count() > 0 {
				found[models.RepoID(id)] = true
			}
			return err
		}); err != nil {
			return nil, false, err
		}
	}
	return slices.Collect(maps.Keys(found)), false, nil
}

// eachLive calls yield with each live row and its header.
func eachLive(rows *vector.Snapshot, yield func(row int, h models.Header)) error {
	for row := range members(rows.LiveRows()) {
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
	defer st.release()
	if err := eachLive(st.rows, func(row int, h models.Header) {
		if _, ok := gone[h.RepoID]; ok {
			c.batch.Delete(text.DocumentKey(string(h.ID)))
			c.rows = append(c.rows, vector.Row{ID: string(h.ID), Deleted: true})
		}
	}); err != nil {
		return nil, err
	}
	return c, c.deleteStray(st, ids)
}

// deleteStray deletes documents of repositories, whether they have rows or not.
func (c *change) deleteStray(st *state, ids []models.RepoID) error {
	for i, snapshot := range st.reader.Segments() {
		dict, err := snapshot.Segment().Dictionary(fts.FieldRepo)
		if err != nil {
			return err
		}
		for _, id := range ids {
			list, err := dict.PostingsList([]byte(id), snapshot.Deleted(), nil)
			if err != nil {
				return err
			}
			docs := vector.NewBits(int(snapshot.Segment().Count())) //nolint:gosec // documents of a segment
			if err := addPostings(docs, list); err != nil {
				return err
			}
			for doc := range members(docs) {
				key, err := st.key(i, uint64(doc)) //nolint:gosec // not negative
				if err != nil {
					return err
				}
				c.batch.Delete(key)
			}
		}
	}
	return nil
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

// lastGeneration is that of the newest file of rows.
func (s *Store) lastGeneration() (uint32, error) {
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

// commitAlone is a commit without changes, of a store that is being opened.
func (s *Store) commitAlone(c disk.Commit) error {
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
