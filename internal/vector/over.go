package vector

import (
	"errors"
	"fmt"
	"unsafe"
)

// Over is the table with more rows after its own, which lie in memory alone and
// replace those of the same IDs, and with some of its own hidden. The last of
// several rows with one ID counts. It is released as any other; s may be released
// before.
func (s *Snapshot) Over(rows []Row, hidden []int) (*Snapshot, error) {
	entries := make([]entry, len(rows))
	for i, r := range rows {
		if err := r.check(s.gen.dims); err != nil {
			return nil, fmt.Errorf("vector: over: %w", err)
		}
		if r.Deleted {
			return nil, errors.New("vector: over: a deletion is told by hidden")
		}
		entries[i] = r.entry()
	}
	v := &view{gen: s.gen, mark: s.mark, rows: s.rows, under: s.rows, over: make(map[string]int32, len(rows))}
	v.blocks = append(v.blocks, s.blocks...)
	if len(entries) > 0 {
		b, err := memoryBlock(entries, s.gen.dims)
		if err != nil {
			return nil, err
		}
		b.first = s.rows
		v.rows += b.rows
		v.blocks = append(v.blocks, b)
	}
	v.live, v.coded = grown(s.live, v.rows), grown(s.coded, v.rows)
	for _, row := range hidden {
		v.live.Clear(row)
		v.coded.Clear(row)
	}
	v.lay(s)
	s.gen.refs.Add(1)
	return &Snapshot{view: v}, nil
}

// memoryBlock is the block of entries, aligned as in a file.
func memoryBlock(entries []entry, dims int) (block, error) {
	sheet := sheetOf(entries, dims)
	size := int(sheet.layout.end)
	buf := make([]byte, size+alignment)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(buf))) % alignment)
	b, _, err := parseBlock(sheet.appendTo(buf[skip:skip:skip+size], dims, 0), dims, 0)
	if b.packed == nil {
		b.coarse = nil
	}
	return b, err
}
