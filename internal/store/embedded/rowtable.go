package embedded

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/vector"
)

// A rowTable finds rows by their serial numbers. Row numbers change when the
// log is compacted, serial numbers never do. It reads the log as far as it is
// asked for, and only once.
type rowTable struct {
	mu         sync.Mutex
	generation uint32
	read       int        // rows of the generation that entries are about
	entries    []rowEntry // ascending by serial; only ever appended to
}

type rowEntry struct {
	serial uint32
	row    int32
}

// rows finds the rows of a snapshot.
func (t *rowTable) rows(s *vector.Snapshot) (rowFinder, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g := s.Mark().Generation; g != t.generation {
		t.generation, t.read, t.entries = g, 0, nil
	}
	if s.Len() <= t.read { // an earlier snapshot
		return t.entries, nil
	}
	start := len(t.entries)
	t.entries = slices.Grow(t.entries, s.Len()-t.read)
	for row, meta := range s.Metas(t.read) {
		if len(meta) == 0 { // a deletion
			continue
		}
		serial, err := codec.MetaSerial(meta)
		if err != nil {
			t.read, t.entries = 0, nil
			return nil, err
		}
		t.entries = append(t.entries, rowEntry{serial, int32(row)}) //nolint:gosec // as the rows of a log
	}
	t.read = s.Len()
	// Blocks put rows with a vector first; otherwise later rows have larger serials.
	sortBySerial(t.entries[start:])
	return t.entries, nil
}

// sortBySerial sorts by parts of the serial, the lowest first.
func sortBySerial(entries []rowEntry) {
	const bits = 11
	other := make([]rowEntry, len(entries))
	for shift := 0; !slices.IsSortedFunc(entries,
		func(a, b rowEntry) int { return cmp.Compare(a.serial, b.serial) }); shift += bits {
		var at [1<<bits + 1]int
		for _, e := range entries {
			at[e.serial>>shift&(1<<bits-1)+1]++
		}
		for i := range 1 << bits {
			at[i+1] += at[i]
		}
		for _, e := range entries {
			part := e.serial >> shift & (1<<bits - 1)
			other[at[part]] = e
			at[part]++
		}
		copy(entries, other)
	}
}

// A rowFinder is the entries of a rowTable.
type rowFinder []rowEntry

// row is the row with that serial number, or -1.
func (f rowFinder) row(serial uint32) int {
	if len(f) == 0 || serial < f[0].serial {
		return -1
	}
	// Without compaction there are no gaps.
	i := int(serial - f[0].serial)
	if i >= len(f) || f[i].serial != serial {
		var found bool
		i, found = slices.BinarySearchFunc(f, serial, func(e rowEntry, s uint32) int { return cmp.Compare(e.serial, s) })
		if !found {
			return -1
		}
	}
	return int(f[i].row)
}

// take takes the entries of the first rows of a generation for read.
func (t *rowTable) take(generation uint32, rows int, entries []rowEntry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.generation, t.read, t.entries = generation, rows, entries
}

// forget reads everything again.
func (t *rowTable) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.generation, t.read, t.entries = 0, 0, nil
}
