package embedded

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	scorch "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
	"github.com/ragnav/ragnav/internal/vector"
)

// What is searched lies in mapped files, which others can cut or write to while
// the store is open. So their looks are compared before they are read, what looks
// different is compared with its checksum, and a read of memory behind which there
// is no file any more is an error. After the first damage nothing is answered until
// it was put aside, by a mender or by the next Open. Damage to what only batches need
// is the end of those.

// lookAgain is how long files that looked the same are trusted. To look takes
// some microseconds a file.
const lookAgain = 50 * time.Millisecond

// An integrity is what is known of the mapped files. Its methods may be called
// concurrently.
type integrity struct {
	mu     sync.Mutex
	looked time.Time
	damage *disk.Damage // the first one to what is read
	shut   *disk.Damage // the first one to what only batches need
	mends  bool         // a mender puts damage aside
	met    chan struct{}
}

func newIntegrity() integrity { return integrity{met: make(chan struct{}, 1)} }

// lost takes note of a damage unless there is one already, and returns the first;
// of nil it only does the latter.
func (i *integrity) lost(d *disk.Damage) *disk.Damage {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.note(d)
	return i.damage
}

// note is lost for who has the lock. A mender hears of it.
func (i *integrity) note(d *disk.Damage) {
	if i.damage != nil || d == nil {
		return
	}
	i.damage = d
	select {
	case i.met <- struct{}{}:
	default:
	}
}

// unwritable takes note of a damage after which no batch is taken, though all that is
// read may be whole, unless there is one already. It returns the first of any kind.
func (i *integrity) unwritable(d *disk.Damage) *disk.Damage {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.shut == nil {
		i.shut = d
	}
	return cmp.Or(i.damage, i.shut)
}

// closed is the first damage after which no batch is taken, though what is read may be
// whole.
func (i *integrity) closed() *disk.Damage {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.shut
}

// forget is the end of the damage to what is read: everything is looked at again.
func (i *integrity) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.damage, i.looked = nil, time.Time{}
}

// unmended says that a damage stays.
func (i *integrity) unmended(d *disk.Damage) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.damage, i.mends = d, false
}

// reading calls do with a state. Errors are as unavailable makes them: where they
// come from damage, they say so.
func (s *files) reading(ctx context.Context, doing string, st *search.State, do func(*search.State) error) error {
	err := s.intact(st.Base(), false)
	if err == nil {
		err = parallel.Call(func() error { return do(st) })
	}
	if err == nil {
		return nil
	}
	if _, known := errors.AsType[*fault.Error](err); !known && ctx.Err() == nil {
		if d, ok := errors.AsType[*disk.Damage](s.intact(st.Base(), true)); ok {
			err = d
		}
	}
	return s.unavailable(ctx, doing, err)
}

// intact is the damage to the files of a state, if any. Where it need not be now,
// a recent look will do.
func (s *files) intact(st *search.State, now bool) error {
	i := &s.integrity
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.damage != nil {
		return i.damage
	}
	if !now && time.Since(i.looked) < lookAgain {
		return nil
	}
	err := parallel.Call(func() error { return s.look(st) })
	if d, ok := errors.AsType[*disk.Damage](err); ok {
		i.note(d)
	} else if err == nil {
		i.looked = time.Now()
	}
	return err
}

// look compares the files of a state with their seals, and reads what looks
// different.
func (s *files) look(st *search.State) error {
	for _, snapshot := range st.Segments() {
		if err := s.opener.Look([]scorch.Segment{snapshot.Segment()}); err != nil {
			return err
		}
	}
	return s.lookAtRows(st.Rows().Mark())
}

// lookAtRows looks at the log, to which a batch under way appends, and at what is
// known of it.
func (s *files) lookAtRows(at vector.Mark) error {
	if s.rowsLost {
		return nil
	}
	if s.known != (disk.Stamp{}) {
		if _, now := s.isWhole(disk.KnownName); now != (disk.Stamp{}) && now != s.known {
			return &disk.Damage{File: disk.KnownName, Reason: "was changed while it was in use"}
		}
	}
	name := disk.RowsName(at.Generation)
	info, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(name)))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Size() < at.Offset:
		return &disk.Damage{File: name, Reason: "is cut short"}
	}
	seal, known := s.seals.Of(name)
	if known && seal.Stamp == disk.StampOf(info) || s.writing.taken() {
		return nil
	}
	if err := s.checkRows(at); err != nil {
		return err
	}
	s.seals.Put(name, disk.Seal{Stamp: disk.StampOf(info)})
	return nil
}

// checkRows reads the log.
func (s *files) checkRows(at vector.Mark) error {
	err := vector.Check(filepath.Join(s.dir, disk.RowsDir), s.components(), at)
	if errors.Is(err, vector.ErrCorrupt) {
		return &disk.Damage{File: disk.RowsName(at.Generation), Reason: "is not what was written: " + err.Error()}
	}
	return err
}

// damageOf is the damage that an error tells of. Memory without a file is one.
func (s *files) damageOf(err error) (*disk.Damage, bool) {
	if d, ok := errors.AsType[*disk.Damage](err); ok {
		return d, true
	}
	if _, ok := errors.AsType[interface {
		error
		Addr() uintptr
	}](err); ok {
		file := disk.TextDir + " or " + disk.RowsDir
		return s.integrity.lost(&disk.Damage{File: file, Reason: "was cut while it was read"}), true
	}
	if errors.Is(err, search.ErrNoRow) {
		return &disk.Damage{File: disk.RowsDir, Reason: "does not belong to the index"}, true
	}
	if errors.Is(err, vector.ErrCorrupt) {
		return &disk.Damage{File: disk.RowsDir, Reason: "is not what was written: " + err.Error()}, true
	}
	return nil, false
}

// refused says that what was asked for lies in damaged files, or needs them.
func (s *files) refused(d *disk.Damage) error {
	what := "nothing is answered from it; end"
	s.integrity.mu.Lock()
	switch {
	case d == s.integrity.shut:
		what = "nothing more is written to it; end"
	case s.integrity.mends:
		what = "what is whole of it answers again in a moment; if it does not, end"
	}
	s.integrity.mu.Unlock()
	return fault.Wrap(fault.IndexNotReady, d,
		"the data directory %s is damaged (%v); %s what has it open, then run `%s`, which keeps what is whole and indexes "+
			"the rest again",
		s.dir, d, what, disk.CommandRepair)
}
