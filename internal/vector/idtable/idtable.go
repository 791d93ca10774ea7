// Package idtable finds rows by their ids, and keeps no id.
package idtable

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"unsafe"
)

// A Table finds the last row of each id. It holds no ids, which stay where
// the rows are: it takes 16 to 32 bytes a row, and nothing for the garbage collector
// to look at. One that is read from a file is packed until something is put into it.
type Table struct {
	seed  uint64
	slots []uint64 // half of an id's hash, and its row plus 1 in the lower half; 0 is free
	used  int

	packed *packedSlots // in place of slots, or nil
}

// Packed is a table without its free slots, for a file.
type Packed struct {
	Seed  uint64
	Used  int      // ids
	Size  int      // slots, with those that are free
	Set   []uint64 // the slots that are taken, a bit each
	Taken []uint64 // what is in them
}

// Table is the table again. It shares the memory, which it does not change.
func (p Packed) Table() Table {
	s := &packedSlots{Packed: p}
	n := uint32(0)
	for i, word := range p.Set {
		if i%64 == 0 {
			s.before = append(s.before, n)
		}
		n += uint32(bits.OnesCount64(word)) //nolint:gosec // at most 64
	}
	return Table{seed: p.Seed, used: p.Used, packed: s}
}

// packedSlots are Packed ones that can be searched.
type packedSlots struct {
	Packed
	before []uint32 // of every 64 words of Set: how many slots are taken before them
}

func (p *packedSlots) has(i int) bool { return p.Set[i/64]&(1<<(i%64)) != 0 }

// rank is how many slots are taken before slot i.
func (p *packedSlots) rank(i int) int {
	word := i / 64
	n := int(p.before[word/64])
	for _, w := range p.Set[word&^63 : word] {
		n += bits.OnesCount64(w)
	}
	return n + bits.OnesCount64(p.Set[word]&(1<<(i%64)-1))
}

// get is the row of an id with that hash, or -1.
func (p *packedSlots) get(hash uint64, is func(row int32) bool) int32 {
	mask := p.Size - 1
	i := int(hash) & mask //nolint:gosec // 32 bits
	for n := p.rank(i); p.has(i); n++ {
		slot := p.Taken[n]
		if row := int32(slot&(1<<32-1)) - 1; slot>>32 == hash && is(row) { //nolint:gosec // as Put has it
			return row
		}
		if i = (i + 1) & mask; i == 0 {
			n = -1
		}
	}
	return -1
}

// unpack makes the slots.
func (t *Table) unpack() {
	p := t.packed
	t.slots, t.packed = make([]uint64, p.Size), nil
	n := 0
	for i := range t.slots {
		if p.has(i) {
			t.slots[i] = p.Taken[n]
			n++
		}
	}
}

// New is an empty table with room for rows.
func New(rows int) Table {
	size := 16
	for size < 2*rows {
		size *= 2
	}
	return Table{seed: rand.Uint64(), slots: make([]uint64, size)}
}

// Put makes row that of an id and returns the row before it, or -1. is reports
// whether a row has the id.
func (t *Table) Put(id string, row int32, is func(row int32) bool) int32 {
	if t.packed != nil {
		t.unpack()
	}
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	hash := t.hash(id)
	i, before := t.seek(hash, is)
	if before < 0 {
		t.used++
	}
	t.slots[i] = hash<<32 | uint64(row+1) //nolint:gosec // rows are not negative
	return before
}

// Get is the row of an id, or -1.
func (t *Table) Get(id string, is func(row int32) bool) int32 {
	if t.packed != nil {
		return t.packed.get(t.hash(id), is)
	}
	_, row := t.seek(t.hash(id), is)
	return row
}

// hash mixes 8 bytes at a time. It has to be the same in every process.
func (t *Table) hash(id string) uint64 {
	const a, b = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	left := unsafe.Slice(unsafe.StringData(id), len(id))
	h := t.seed ^ uint64(len(id))*a
	for ; len(left) >= 8; left = left[8:] {
		h = mixed(h^binary.LittleEndian.Uint64(left), b)
	}
	var last [8]byte
	copy(last[:], left)
	return mixed(mixed(h^binary.LittleEndian.Uint64(last[:]), a), b) >> 32
}

func mixed(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// seek is the slot with the row of an id, or a free one and -1.
func (t *Table) seek(hash uint64, is func(row int32) bool) (int, int32) {
	mask := len(t.slots) - 1
	for i := int(hash) & mask; ; i = (i + 1) & mask { //nolint:gosec // 32 bits
		slot := t.slots[i]
		if slot == 0 {
			return i, -1
		}
		if row := int32(slot&(1<<32-1)) - 1; slot>>32 == hash && is(row) { //nolint:gosec // as Put has it
			return i, row
		}
	}
}

func (t *Table) grow() {
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	mask := len(t.slots) - 1
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		i := int(slot>>32) & mask //nolint:gosec // 32 bits
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = slot
	}
}

// Pack is the table packed. One that is so already shares its memory with it.
func (t *Table) Pack() Packed {
	if t.packed != nil {
		return t.packed.Packed
	}
	p := Packed{
		Seed: t.seed, Used: t.used, Size: len(t.slots),
		Set: make([]uint64, (len(t.slots)+63)/64), Taken: make([]uint64, 0, t.used),
	}
	for i, slot := range t.slots {
		if slot != 0 {
			p.Set[i/64] |= 1 << (i % 64)
			p.Taken = append(p.Taken, slot)
		}
	}
	return p
}
