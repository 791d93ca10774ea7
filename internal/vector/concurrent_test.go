package vector

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// Readers check that each snapshot is one of the states that were published:
// after write n, every row's meta is n or the row is not there.
func TestReadersBesideAWriter(t *testing.T) {
	const ids, writes, readers = 40, 30, 3
	l := open(t, t.TempDir(), 4, Mark{})
	rng := rand.New(rand.NewPCG(20, 21))
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			for {
				checkState(t, l, ids)
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for n := range writes {
		rows := make([]Row, ids)
		for i := range rows {
			rows[i] = Row{ID: fmt.Sprint(i), Meta: fmt.Append(nil, n), Vector: unit(rng, 4), Deleted: i == n%ids}
		}
		write(t, l, rows...)
		if n%10 == 9 {
			if err := l.Publish(must(l.Compact())); err != nil {
				t.Error(err)
			}
		}
	}
	close(done)
	wg.Wait()
}

func checkState(t *testing.T, l *Log, ids int) {
	s := l.Snapshot()
	defer s.Release()
	hits, err := s.Nearest(t.Context(), []float32{1, 0, 0, 0}, ids, nil)
	if err != nil {
		t.Error(err)
	}
	if s.Len() > 0 && len(hits) != ids-1 {
		t.Errorf("%d rows are found, want %d", len(hits), ids-1)
	}
	for _, h := range hits {
		row, ok := s.Lookup(s.ID(int(h.Row)))
		if !ok || row != int(h.Row) {
			t.Errorf("row %d is %q, which is row %d", h.Row, s.ID(int(h.Row)), row)
		}
		if want := string(s.Meta(int(hits[0].Row))); string(s.Meta(row)) != want {
			t.Errorf("meta %s and %s in one snapshot", s.Meta(row), want)
		}
	}
}
