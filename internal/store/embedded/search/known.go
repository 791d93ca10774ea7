package search

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"unsafe"

	scorch "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/rowindex"
	"github.com/ragnav/ragnav/internal/vector"
)

// What a store has to know before its first search takes time for each document:
// which rows are of use, where the row of a serial number is, which documents are
// in a segment. So Close writes it down, beside the rows, and Open takes what is
// of the same rows and segments. It is a cache of files that are whole: lost, cut
// or of other files, it costs time and nothing else.

// A knownSegment is a segment file by its name and checksum.
type knownSegment struct {
	name string
	sum  uint32
}

// A known is what was written down of the segments, and the seals by which they
// are told.
type known struct {
	seals    *disk.Seals
	segments map[knownSegment]*segment
}

// SaveKnown writes down what is known of the newest state of the rows, where that
// is not what is there.
func (e *Engine) SaveKnown(rows *vector.Log, seals *disk.Seals, newest func() *State) (saved bool, err error) {
	return rows.SaveKnown(func() ([]byte, error) {
		st := newest()
		defer st.Release()
		entries, err := e.table.Rows(st.rows)
		if err != nil {
			return nil, err
		}
		v, err := e.viewOf(st)
		if err != nil {
			return nil, err
		}
		b := binary.LittleEndian.AppendUint64(nil, uint64(st.rows.Len())) //nolint:gosec // not negative
		b = appendAll(b, entries)
		for _, seg := range v.segments {
			id, ok := identify(seals, seg.terms)
			if !ok || seg.size == 0 {
				continue
			}
			b = appendAll(b, []byte(id.name))
			b = binary.LittleEndian.AppendUint64(b, uint64(id.sum))
			b = appendAll(b, seg.docs)
			b = appendAll(b, seg.serials)
			b = appendAll(b, seg.lengths)
			b = appendAll(b, seg.fields)
		}
		return b, nil
	})
}

// TakeKnown takes what was written down of the rows and segments.
func (e *Engine) TakeKnown(log *vector.Log, seals *disk.Seals) {
	mark, b := log.Owned()
	if len(b) < 8 {
		return
	}
	rows := int(binary.LittleEndian.Uint64(b)) //nolint:gosec // as it was written
	entries, b := takeAll[rowindex.Entry](b[8:])
	e.table.Take(mark.Generation, rows, entries)
	all := known{seals, map[knownSegment]*segment{}}
	for len(b) > 0 {
		var name []byte
		name, b = takeAll[byte](b)
		id := knownSegment{string(name), uint32(binary.LittleEndian.Uint64(b))} //nolint:gosec // likewise
		seg := &segment{leaves: map[leaf]vector.Bits{}}
		seg.docs, b = takeAll[uint64](b[8:])
		seg.serials, b = takeAll[uint32](b)
		seg.lengths, b = takeAll[uint32](b)
		seg.fields, b = takeAll[uint8](b)
		seg.size = len(seg.fields)
		all.segments[id] = seg
	}
	e.known.Store(&all)
}

// segment is what has to be known of one of scorch's segments. Of a nil k, it is
// read.
func (k *known) segment(of scorch.Segment) (*segment, error) {
	if k != nil {
		if id, ok := identify(k.seals, of); ok {
			if seg := k.segments[id]; seg != nil && seg.size == int(of.Count()) { //nolint:gosec // documents of a segment
				return seg, nil
			}
		}
	}
	return readSegment(of)
}

// appendAll appends how many elements there are, and the bytes of them, up to a
// multiple of 8.
func appendAll[T any](b []byte, all []T) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(len(all)))
	if len(all) > 0 {
		b = append(b, unsafe.Slice((*byte)(unsafe.Pointer(&all[0])), len(all)*int(unsafe.Sizeof(all[0])))...)
	}
	return append(b, make([]byte, -len(b)&7)...)
}

// takeAll is the reverse of appendAll, and what follows. The elements share the
// memory of b, which begins at a multiple of 8.
func takeAll[T any](b []byte) (all []T, rest []byte) {
	n := int(binary.LittleEndian.Uint64(b)) //nolint:gosec // as it was written
	size := (n*int(unsafe.Sizeof(*new(T))) + 7) &^ 7
	if n > 0 {
		all = slices.Clip(unsafe.Slice((*T)(unsafe.Pointer(&b[8])), n))
	}
	return all, b[8+size:]
}

// identify is what a segment is known by.
func identify(seals *disk.Seals, seg scorch.Segment) (knownSegment, bool) {
	file, ok := seg.(scorch.PersistedSegment)
	if !ok {
		return knownSegment{}, false
	}
	name := filepath.Base(file.Path())
	seal, ok := seals.Of(disk.SegmentName(name))
	return knownSegment{name, seal.Sum}, ok && seal.Sum != 0
}
