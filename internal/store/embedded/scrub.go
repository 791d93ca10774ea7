package embedded

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	scorch "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/vector"
)

// A bit that flips on the medium leaves a file looking as it did. So all files of
// a store that stays open are read in the background, and compared with their
// checksums, soon after it was opened and again from time to time.

// scrubDelay is how long a store is open before its files are read: what only
// opens it for a moment spares itself the reading.
const scrubDelay = 10 * time.Second

// A scrubber reads the files of the newest state.
type scrubber struct {
	files   *files
	readers *readers
}

// start does so every so often, until stop.
func (s *scrubber) start(ctx context.Context, every time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := parallel.Start(func() error {
		for wait := min(scrubDelay, every); ; wait = every {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(wait):
			}
			s.all(ctx)
		}
	})
	return sync.OnceFunc(func() { cancel(); <-done }) //nolint:errcheck // what it finds is in integrity
}

// all reads the files of the newest state once. Errors that are not damage are
// met again by who needs the file.
func (s *scrubber) all(ctx context.Context) {
	st, err := s.readers.acquire(ctx)
	if err != nil {
		return
	}
	at := st.Rows().Mark()
	checks := []func() error{func() error { return s.root(ctx) }, func() error { return s.rows(at) }}
	for _, snapshot := range st.Segments() {
		if file, ok := snapshot.Segment().(scorch.PersistedSegment); ok {
			name := disk.SegmentName(filepath.Base(file.Path()))
			checks = append(checks, func() error { return s.segment(name) })
		}
	}
	s.readers.release(st) // so that what waits for a moment without readers gets it
	for _, check := range checks {
		begun := time.Now()
		if d, ok := errors.AsType[*disk.Damage](parallel.Call(check)); ok && s.inUse(ctx, d.File) {
			s.note(d)
			return
		}
		select { // at most half of a processor, or of a disk
		case <-ctx.Done():
			return
		case <-time.After(time.Since(begun)):
		}
	}
}

// note takes note of a damage. Of root.bolt nothing is read any more.
func (s *scrubber) note(d *disk.Damage) {
	if d.File == disk.SegmentName(disk.RootFile) {
		_ = s.files.integrity.unwritable(d)
		return
	}
	_ = s.files.integrity.lost(d)
}

// inUse reports whether a file is one of the newest state: others may go.
func (s *scrubber) inUse(ctx context.Context, name string) bool {
	st, err := s.readers.acquire(ctx)
	if err != nil {
		return false
	}
	defer s.readers.release(st)
	if name == disk.SegmentName(disk.RootFile) || name == disk.RowsName(st.Rows().Mark().Generation) {
		return true
	}
	for _, snapshot := range st.Segments() {
		if file, ok := snapshot.Segment().(scorch.PersistedSegment); ok &&
			name == disk.SegmentName(filepath.Base(file.Path())) {
			return true
		}
	}
	return false
}

func (s *scrubber) segment(name string) error {
	seal, _ := s.files.seals.Of(name)
	_, _, err := disk.CheckSegmentAt(s.files.dir, name, seal.Sum)
	if disk.IsMissing(err) { // it stays mapped as it was
		return nil
	}
	return err
}

func (s *scrubber) rows(at vector.Mark) error {
	if s.files.rowsLost {
		return nil
	}
	return s.files.checkRows(at)
}

// root reads root.bolt while no batch is under way.
func (s *scrubber) root(ctx context.Context) error {
	if s.files.writing.take(ctx) != nil {
		return nil
	}
	defer s.files.writing.end()
	_, err := committed(s.files.dir)
	if d, damaged := errors.AsType[*disk.Damage](err); damaged && d.Reason == disk.Missing {
		return nil // it stays mapped as it was
	}
	return err
}

// committed reads the commit that is on disk, for who has the turn to write. Scorch may
// write to it all the same, so what looks damaged is read again.
func committed(dir string) (*disk.Committed, error) {
	for attempt := 0; ; attempt++ {
		found, err := disk.ReadCommitted(dir, &disk.Seals{})
		if _, damaged := errors.AsType[*disk.Damage](err); !damaged || attempt == disk.Attempts {
			return found, err
		}
		time.Sleep(lookAgain)
	}
}
