package vector

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/ragnav/ragnav/internal/vector/codes"
	"github.com/ragnav/ragnav/internal/vector/values"
)

// A block is a part of a table, its slices point into the mapped file.
type block struct {
	first   int // number of its first row
	rows    int
	live    int // the rows from live on are deletions
	vectors int // the rows from vectors on have no vector

	ends       []byte // 8 bytes a row
	ids, metas []byte
	codings    []float32    // scale and length of each vector
	codes      []int8       // nil where they are packed
	packed     codes.Packed // nil where they are not
	values     []byte
	// coarse is of a block in a file, or one that is packed; nil in it until it is made,
	// and there from the start where it is packed.
	coarse *atomic.Pointer[codes.Coarse]

	header   []byte
	data     []byte // all that checksum is about
	checksum uint32
}

// parseBlock reads the block at the start of data, which lies at offset in the
// file, and returns its length too. It checks everything but the vectors'
// checksum and never panics, whatever data holds.
func parseBlock(data []byte, dims int, offset int64) (block, int64, error) {
	b, end, err := placeBlock(data, dims)
	if err != nil {
		return block{}, 0, err
	}
	index := data[8 : headerSize+len(b.ends)+len(b.ids)+len(b.metas)]
	if binary.LittleEndian.Uint32(data[4:]) != crc32.Checksum(index, castagnoli) ||
		int64(binary.LittleEndian.Uint64(data[32:])) != offset {
		return block{}, 0, fmt.Errorf("checksum of a block's index: %w", ErrCorrupt)
	}
	return b, end, b.check()
}

// placeBlock is parseBlock by the header alone, of a block that is whole.
func placeBlock(data []byte, dims int) (block, int64, error) {
	if len(data) < headerSize || string(data[:4]) != blockMagic {
		return block{}, 0, fmt.Errorf("no block: %w", ErrCorrupt)
	}
	var n [5]int64
	for i := range n {
		n[i] = int64(binary.LittleEndian.Uint32(data[12+4*i:]))
	}
	l := layout{
		rows: n[0], live: n[1], vectors: n[2], ids: n[3], metas: n[4],
		values: int64(binary.LittleEndian.Uint32(data[40:])),
		packed: binary.LittleEndian.Uint32(data[44:]) != 0,
	}.place(dims)
	if l.packed && !codes.Packs(dims) || l.end > int64(len(data)) || l.vectors > l.live || l.live > l.rows {
		return block{}, 0, fmt.Errorf("block with impossible sizes: %w", ErrCorrupt)
	}
	b := block{
		rows: int(l.rows), live: int(l.live), vectors: int(l.vectors),
		ends:     data[headerSize:l.idsAt],
		ids:      data[l.idsAt:l.metasAt],
		metas:    data[l.metasAt:l.indexEnd],
		codings:  view32(data[l.codings:l.codes], int(l.vectors)*codes.CodingSize),
		values:   data[l.valuesAt:][:l.values:l.values],
		coarse:   new(atomic.Pointer[codes.Coarse]),
		header:   data[:headerSize],
		data:     data[l.indexEnd:l.end],
		checksum: binary.LittleEndian.Uint32(data[8:]),
	}
	if l.packed {
		b.packed = data[l.codes:l.valuesAt]
		b.coarse.Store(b.packed.Coarse(b.codings, dims, float32At(data[44:]), float32At(data[48:])))
	} else {
		b.codes = view8(data[l.codes:l.valuesAt], int(l.vectors)*dims)
	}
	return b, l.end, nil
}

func float32At(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// view32 is n numbers at the start of b, which is aligned as float32 is.
func view32(b []byte, n int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

func view8(b []byte, n int) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// check makes sure that id and meta cannot panic.
func (b *block) check() error {
	if err := b.checkEnds(); err != nil {
		return err
	}
	return b.checkIDs()
}

// checkEnds makes sure that span and meta cannot panic.
func (b *block) checkEnds() error {
	var id, meta uint32
	for i := range b.rows {
		nextID, nextMeta := b.end(i)
		if nextID <= id || nextMeta < meta {
			return fmt.Errorf("order of a block's index: %w", ErrCorrupt)
		}
		id, meta = nextID, nextMeta
	}
	if int64(id) != int64(len(b.ids)) || int64(meta) != int64(len(b.metas)) {
		return fmt.Errorf("lengths of a block's index: %w", ErrCorrupt)
	}
	return nil
}

// checkIDs makes sure that id cannot panic, where span cannot.
func (b *block) checkIDs() error {
	for i := range b.rows {
		back, shared, rest := b.codedID(i)
		if back == 0 && len(rest) > 0 {
			continue
		}
		if back <= 0 || back > i {
			return fmt.Errorf("ids of a block's index: %w", ErrCorrupt)
		}
		if back, _, base := b.codedID(i - back); back != 0 || shared <= 0 || shared > len(base) {
			return fmt.Errorf("ids of a block's index: %w", ErrCorrupt)
		}
	}
	return nil
}

// verify compares the vectors and values with their checksum.
func (b *block) verify() error {
	if crc32.Checksum(b.data, castagnoli) != b.checksum {
		return fmt.Errorf("checksum of a block's vectors and values: %w", ErrCorrupt)
	}
	return nil
}

func (b *block) end(i int) (id, meta uint32) {
	entry := b.ends[8*i:][:8]
	return binary.LittleEndian.Uint32(entry), binary.LittleEndian.Uint32(entry[4:])
}

// span is where id and meta of row i of the block lie in ids and metas.
func (b *block) span(i int) (id, meta [2]uint32) {
	if i > 0 {
		id[0], meta[0] = b.end(i - 1)
	}
	id[1], meta[1] = b.end(i)
	return id, meta
}

// codedID is the id of row i of the block as it is written, see appendIDs. Back is
// negative where it is damaged.
func (b *block) codedID(i int) (back, shared int, rest []byte) {
	id, _ := b.span(i)
	s := b.ids[id[0]:id[1]]
	if s[0] == 0 {
		return 0, 0, s[1:]
	}
	var n [2]int
	for k := range n {
		v, size := binary.Uvarint(s)
		if size <= 0 || v > math.MaxInt32 {
			return -1, 0, nil
		}
		n[k], s = int(v), s[size:]
	}
	return n[0], n[1], s
}

// idParts are the two parts of the id of row i of the block, in mapped memory.
func (b *block) idParts(i int) (start, rest []byte) {
	back, shared, rest := b.codedID(i)
	if back > 0 {
		_, _, base := b.codedID(i - back)
		start = base[:shared]
	}
	return start, rest
}

// id is the id of row i of the block, in memory of its own.
func (b *block) id(i int) string {
	start, rest := b.idParts(i)
	return string(start) + string(rest)
}

// hasID reports whether the id of row i of the block is that one.
func (b *block) hasID(i int, id string) bool {
	start, rest := b.idParts(i)
	return len(start)+len(rest) == len(id) && id[:len(start)] == string(start) && id[len(start):] == string(rest)
}

func (b *block) meta(i int) []byte {
	_, meta := b.span(i)
	return b.metas[meta[0]:meta[1]:meta[1]]
}

// valueOf is the value of row i of the block, which that reader of its values reads.
func (b *block) valueOf(r *values.Reader, i int) ([]byte, error) {
	if i >= b.live || len(b.values) == 0 {
		return nil, nil
	}
	value, err := r.Value(i)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	return value, nil
}

// coded is the vector of row i of the block, if it has one.
func (b *block) coded(i, dims int) codes.Vector {
	if i >= b.vectors {
		return codes.Vector{}
	}
	c := b.codings[i*codes.CodingSize:][:codes.CodingSize]
	v := codes.Vector{Scale: c[0], Length: c[1]}
	if b.packed == nil {
		v.Codes = b.codes[i*dims:][:dims:dims]
		return v
	}
	v.Codes = make([]int8, dims)
	b.packed.Row(v.Codes, i)
	return v
}

// products sets dst[i] to the dot product of the codes of a query and of the rows from
// number from of the block on. Of dst, codes.CoarseFours-1 more may be written to, within
// its capacity.
func (b *block) products(dst []int32, q *codes.Query, from int) {
	if b.packed == nil {
		dims := len(q.Codes)
		codes.DotInt8Rows(dst, q.Codes, b.codes[from*dims:][:len(dst)*dims])
		return
	}
	q.Dots(dst, b.coarse.Load(), from)
	for i, dot := range dst {
		dst[i] = q.Product(dot)
	}
}

// dots sets dst[i] to the dot product of a query and the codes of the rows from number
// from of the block on; scratch is as codes.Packed takes it.
func (b *block) dots(dst, query []float32, from int, scratch []int8) {
	if b.packed != nil {
		b.packed.DotF32Rows(dst, query, from, scratch)
		return
	}
	dims := len(query)
	codes.DotF32I8Rows(dst, query, b.codes[from*dims:][:len(dst)*dims])
}
