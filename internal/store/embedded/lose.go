package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
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
	return fmt.Sprintf("a part of its index is damaged (%v); run `ragnav index %s` to index it again, or `%s` for all "+
		"that are damaged", d, r.Root, disk.CommandRepair)
}

// marks are the registrations with what the losses say of them.
func (o *opening) marks() []disk.Registration {
	var marked []disk.Registration
	for _, r := range o.files.registrations.Load().All() {
		for _, l := range o.losses {
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
func (o *opening) lossOf(d *disk.Damage) loss {
	seal, known := o.files.seals.Of(d.File)
	l := loss{damage: d, all: !known || seal.Holds == nil}
	for _, id := range seal.Holds {
		l.repos = append(l.repos, models.RepoID(id))
	}
	return l
}

// mend makes the files of a store that lost something such that it can be
// opened and written to again. Look is the same store, opened to be read only.
func (o *opening) mend(look *opening) error {
	if err := o.files.registrations.Load().Change(look.files.registrations.Load().All(), nil); err != nil {
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
	o.files.seals.SetRoot(disk.RootSeal{}) // it is going to be another one
	if err := o.files.seals.Save(); err != nil {
		return err
	}
	if err := disk.DropSegments(filepath.Join(o.files.dir, disk.TextDir), segments); err != nil {
		return err
	}
	for _, file := range segments {
		if err := o.files.quarantine(disk.SegmentName(file)); err != nil {
			return err
		}
	}
	return nil
}

// loseRows goes on with what is whole of the log.
func (o *opening) loseRows(d *disk.Damage) error {
	rows, err := o.salvage(o.files.commit.Rows)
	if err != nil {
		return err
	}
	o.files.rows, o.files.rowsLost = rows, o.files.readOnly
	o.files.engine.Forget() // of the log as it was, where the store has been open
	repos, strange, err := o.withoutRows(true)
	if err == nil && strange {
		err = o.dropRows()
	}
	if err != nil || o.files.readOnly {
		o.losses = append(o.losses, loss{damage: d, repos: repos, all: strange})
		return err
	}
	return o.renewRows(d.File)
}

// dropRows goes on without the rows: those of the log are of another store.
func (o *opening) dropRows() error {
	if err := o.files.rows.Close(); err != nil {
		return err
	}
	o.files.rows = nil
	o.files.engine.Forget()
	rows, err := o.noRows(o.files.commit.Rows.Generation)
	o.files.rows = rows
	return err
}

// noRows opens an empty log, and puts aside what is in its place.
func (o *opening) noRows(generation uint32) (*vector.Log, error) {
	f, at := o.files, vector.Mark{}
	if !f.readOnly {
		if err := f.quarantine(disk.RowsName(generation)); err != nil {
			return nil, err
		}
		at.Generation = generation
	}
	return vector.Open(filepath.Join(f.dir, disk.RowsDir), f.components(), at, vector.Options{ReadOnly: f.readOnly})
}

// salvage opens what is whole of the log, which may be nothing.
func (o *opening) salvage(at vector.Mark) (*vector.Log, error) {
	dir := filepath.Join(o.files.dir, disk.RowsDir)
	rows, err := vector.Open(dir, o.files.components(), at, vector.Options{ReadOnly: o.files.readOnly, Salvage: true})
	if errors.Is(err, vector.ErrCorrupt) { // there is no such file
		return o.noRows(at.Generation)
	}
	return rows, err
}

// renewRows writes what is whole of the log to a new file, and puts the old one
// aside.
func (o *opening) renewRows(name string) error {
	mark, err := o.files.rows.Compact()
	if err != nil {
		return err
	}
	next := o.files.commit
	next.Seq, next.Rows = next.Seq+1, mark
	if err := o.commitAlone(next); err != nil {
		return err
	}
	if err := o.files.quarantine(name); err != nil {
		return err
	}
	if err := o.files.rows.Publish(mark); err != nil {
		return err
	}
	return o.files.sealRows()
}

// loseCommit makes a new text index where the commit is lost: all repositories
// are to be indexed again, with the embeddings that the rows still have.
func (o *opening) loseCommit(ctx context.Context, d *disk.Damage) error {
	generation, err := o.lastGeneration()
	if err != nil {
		return err
	}
	if o.files.rows, err = o.salvage(vector.Mark{Generation: generation}); err != nil {
		return err
	}
	o.losses = append(o.losses, loss{damage: d, repos: o.files.seals.Held(), all: true})
	o.files.seals.SetRoot(disk.RootSeal{})
	if err := errors.Join(o.files.seals.Keep(disk.TextDir, nil), o.files.quarantine(disk.TextDir)); err != nil {
		return err
	}
	if o.files.text, err = o.files.openText(filepath.Join(o.files.dir, disk.TextDir)); err != nil {
		return err
	}
	rows := o.files.rows.Snapshot()
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
	o.files.commit = disk.Commit{Serial: serial}
	if err := o.importRegistrations(ctx); err != nil {
		return err
	}
	if err := o.files.registrations.Load().Change(o.marks(), nil); err != nil {
		return err
	}
	return o.renewRows(disk.RowsName(generation))
}

// lastGeneration is that of the newest file of rows.
func (o *opening) lastGeneration() (uint32, error) {
	entries, err := os.ReadDir(filepath.Join(o.files.dir, disk.RowsDir))
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

// reconcile makes the registrations those of the index, save for
// repositories that are to be indexed again.
func (o *opening) reconcile(ctx context.Context) error {
	there := map[models.RepoID]bool{}
	var missing []disk.Registration
	if err := o.eachRepository(ctx, func(id models.RepoID, r models.Repository) {
		there[id] = true
		if _, ok := o.files.registrations.Load().Get(id); !ok && r.RepoID != "" {
			missing = append(missing, disk.RegistrationOf(r))
		}
	}); err != nil {
		return err
	}
	var gone []models.RepoID
	for _, r := range o.files.registrations.Load().All() {
		if !there[r.RepoID] && r.Damaged == "" {
			gone = append(gone, r.RepoID)
		}
	}
	return o.files.registrations.Load().Change(missing, gone)
}

// eachRepository calls yield with what the index has of each repository; of a
// record that is none, only with its key.
func (o *opening) eachRepository(ctx context.Context, yield func(id models.RepoID, r models.Repository)) error {
	st := o.files.newest()
	defer st.Release()
	return o.files.reading(ctx, "list records", st, func(st *search.State) error {
		return o.files.engine.Records(ctx, st, models.CollectionRepos, func(key string, value json.RawMessage) error {
			var r models.Repository
			if json.Unmarshal(value, &r) != nil {
				r = models.Repository{}
			}
			yield(models.RepoID(key), r)
			return nil
		})
	})
}

// importRegistrations makes registrations, in memory, of what the index knows;
// where it lost something, of what the rows and the seals know as well.
func (o *opening) importRegistrations(ctx context.Context) error {
	var found []disk.Registration
	known := map[models.RepoID]bool{}
	for _, r := range o.files.registrations.Load().All() {
		known[r.RepoID] = true
	}
	err := o.eachRepository(ctx, func(_ models.RepoID, r models.Repository) {
		if r.RepoID != "" && !known[r.RepoID] {
			found, known[r.RepoID] = append(found, disk.RegistrationOf(r)), true
		}
	})
	named := func(id models.RepoID) {
		if !known[id] {
			found, known[id] = append(found, disk.Registration{RepoID: id}), true
		}
	}
	for _, l := range o.losses {
		for _, id := range l.repos {
			named(id)
		}
	}
	if err == nil && len(o.losses) > 0 {
		rows := o.files.rows.Snapshot()
		defer rows.Release()
		err = eachLive(rows, func(_ int, h models.Header) { named(h.RepoID) })
	}
	o.files.registrations.Load().Pretend(found)
	return err
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
