// Package rowindex finds rows of the log: by the serial numbers that postings have, and
// by the keys of their embeddings.
package rowindex

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/vector"
)

// A Table finds rows by their serial numbers. Row numbers change when the
// log is compacted, serial numbers never do. It reads the log as far as it is
// asked for, and only once.
type Table struct {
	mu         sync.Mutex
	generation uint32
	read       int     // rows of the generation that entries are about
	entries    []Entry // ascending by serial; only ever appended to
}

// An Entry says where the row with a serial number is.
type Entry struct {
	Serial uint32
	row    int32
}

// Rows finds the rows of a snapshot.
func (t *Table) Rows(s *vector.Snapshot) (Finder, error) {
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
		t.entries = append(t.entries, Entry{serial, int32(row)}) //nolint:gosec // as the rows of a log
	}
	t.read = s.Len()
	// Blocks put rows with a vector first; otherwise later rows have larger serials.
	sortBySerial(t.entries[start:])
	return t.entries, nil
}

// sortBySerial sorts by parts of the serial, the lowest first.
func sortBySerial(entries []Entry) {
	const bits = 11
	other := make([]Entry, len(entries))
	for shift := 0; !slices.IsSortedFunc(entries,
		func(a, b Entry) int { return cmp.Compare(a.Serial, b.Serial) }); shift += bits {
		var at [1<<bits + 1]int
		for _, e := range entries {
			at[e.Serial>>shift&(1<<bits-1)+1]++
		}
		for i := range 1 << bits {
			at[i+1] += at[i]
		}
		for _, e := range entries {
			part := e.Serial >> shift & (1<<bits - 1)
			other[at[part]] = e
			at[part]++
		}
		copy(entries, other)
	}
}

// A Finder is the entries of a Table.
type Finder []Entry

// Row is the row with that serial number, or -1.
func (f Finder) Row(serial uint32) int {
	if len(f) == 0 || serial < f[0].Serial {
		return -1
	}
	// Without compaction there are no gaps.
	i := int(serial - f[0].Serial)
	if i >= len(f) || f[i].Serial != serial {
		var found bool
		i, found = slices.BinarySearchFunc(f, serial, func(e Entry, s uint32) int { return cmp.Compare(e.Serial, s) })
		if !found {
			return -1
		}
	}
	return int(f[i].row)
}

// Take takes the entries of the first rows of a generation for read.
func (t *Table) Take(generation uint32, rows int, entries []Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.generation, t.read, t.entries = generation, rows, entries
}

// Forget reads everything again.
func (t *Table) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.generation, t.read, t.entries = 0, 0, nil
}

// With finds the rows of a snapshot too, from number from on.
func (f Finder) With(rows *vector.Snapshot, from int) (Finder, error) {
	all := slices.Grow(slices.Clone(f), rows.Len()-from)
	for row := from; row < rows.Len(); row++ {
		serial, err := codec.MetaSerial(rows.Meta(row))
		if err != nil {
			return nil, err
		}
		all = append(all, Entry{serial, int32(row)}) //nolint:gosec // as the rows of a log
	}
	slices.SortFunc(all[len(f):], func(a, b Entry) int { return cmp.Compare(a.Serial, b.Serial) })
	return all, nil
}
