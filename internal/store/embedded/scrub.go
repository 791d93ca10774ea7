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

// startScrub reads all files every so often until Close.
func (s *Store) startScrub(ctx context.Context, every time.Duration) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := parallel.Start(func() error {
		for wait := min(scrubDelay, every); ; wait = every {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(wait):
			}
			s.scrub(ctx)
		}
	})
	s.stopScrub = sync.OnceFunc(func() { stop(); <-done }) //nolint:errcheck // what it finds is in integrity
}

// scrub reads the files of the newest state once. Errors that are not damage are
// met again by who needs the file.
func (s *Store) scrub(ctx context.Context) {
	st, err := s.acquire(ctx)
	if err != nil {
		return
	}
	checks := []func() error{func() error { return s.scrubRoot(ctx) }, func() error { return s.scrubRows(st.rows.Mark()) }}
	for _, snapshot := range st.reader.Segments() {
		if file, ok := snapshot.Segment().(scorch.PersistedSegment); ok {
			name := disk.SegmentName(filepath.Base(file.Path()))
			checks = append(checks, func() error { return s.scrubSegment(name) })
		}
	}
	s.release(st) // so that what waits for a moment without readers gets it
	for _, check := range checks {
		begun := time.Now()
		if d, ok := errors.AsType[*disk.Damage](parallel.Call(check)); ok && s.inUse(ctx, d.File) {
			_ = s.integrity.lost(d)
			return
		}
		select { // at most half of a processor, or of a disk
		case <-ctx.Done():
			return
		case <-time.After(time.Since(begun)):
		}
	}
}

// inUse reports whether a file is one of the newest state: others may go.
func (s *Store) inUse(ctx context.Context, name string) bool {
	st, err := s.acquire(ctx)
	if err != nil {
		return false
	}
	defer s.release(st)
	if name == disk.SegmentName(disk.RootFile) || name == disk.RowsName(st.rows.Mark().Generation) {
		return true
	}
	for _, snapshot := range st.reader.Segments() {
		if file, ok := snapshot.Segment().(scorch.PersistedSegment); ok &&
			name == disk.SegmentName(filepath.Base(file.Path())) {
			return true
		}
	}
	return false
}

func (s *Store) scrubSegment(name string) error {
	seal, _ := s.seals.Of(name)
	_, _, err := disk.CheckSegmentAt(s.dir, name, seal.Sum)
	if disk.IsMissing(err) { // it stays mapped as it was
		return nil
	}
	return err
}

func (s *Store) scrubRows(at vector.Mark) error {
	if s.rowsLost {
		return nil
	}
	return s.checkRows(at)
}

// scrubRoot reads root.bolt while no batch is under way. Scorch may write to it
// all the same, so what looks damaged is read again.
func (s *Store) scrubRoot(ctx context.Context) error {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return nil
	}
	for attempt := 0; ; attempt++ {
		_, err := disk.ReadCommitted(s.dir, &disk.Seals{})
		d, damaged := errors.AsType[*disk.Damage](err)
		if damaged && d.Reason != disk.Missing && attempt == disk.Attempts {
			return d
		}
		if !damaged {
			return err
		}
		time.Sleep(lookAgain)
	}
}
