package vector

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"unsafe"
)

// An idTable finds the last row of each id. It holds no ids, which stay where
// the rows are: it takes 16 to 32 bytes a row, and nothing for the garbage collector
// to look at. One that is read from a file is packed until something is put into it.
type idTable struct {
	seed  uint64
	slots []uint64 // half of an id's hash, and its row plus 1 in the lower half; 0 is free
	used  int

	packed *packedSlots // in place of slots, or nil
}

// packedSlots are the slots of a table without those that are free.
type packedSlots struct {
	set    Bits     // the ones that are taken
	taken  []uint64 // what is in them
	before []uint32 // of every 64 words of set: how many are taken before them
	size   int      // with those that are free
}

func packSlots(set Bits, taken []uint64, size int) *packedSlots {
	p := &packedSlots{set: set, taken: taken, size: size}
	n := uint32(0)
	for i, word := range set {
		if i%64 == 0 {
			p.before = append(p.before, n)
		}
		n += uint32(bits.OnesCount64(word)) //nolint:gosec // at most 64
	}
	return p
}

// rank is how many slots are taken before slot i.
func (p *packedSlots) rank(i int) int {
	word := i / 64
	n := int(p.before[word/64])
	for _, w := range p.set[word&^63 : word] {
		n += bits.OnesCount64(w)
	}
	return n + bits.OnesCount64(p.set[word]&(1<<(i%64)-1))
}

// get is the row of an id with that hash, or -1.
func (p *packedSlots) get(hash uint64, is func(row int32) bool) int32 {
	mask := p.size - 1
	i := int(hash) & mask //nolint:gosec // 32 bits
	for n := p.rank(i); p.set.Has(i); n++ {
		slot := p.taken[n]
		if row := int32(slot&(1<<32-1)) - 1; slot>>32 == hash && is(row) { //nolint:gosec // as put has it
			return row
		}
		if i = (i + 1) & mask; i == 0 {
			n = -1
		}
	}
	return -1
}

// unpack makes the slots.
func (t *idTable) unpack() {
	p := t.packed
	t.slots, t.packed = make([]uint64, p.size), nil
	n := 0
	for i := range p.set.Members() {
		t.slots[i] = p.taken[n]
		n++
	}
}

func newIDTable(rows int) idTable {
	size := 16
	for size < 2*rows {
		size *= 2
	}
	return idTable{seed: rand.Uint64(), slots: make([]uint64, size)}
}

// put makes row that of an id and returns the row before it, or -1. is reports
// whether a row has the id.
func (t *idTable) put(id string, row int32, is func(row int32) bool) int32 {
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

// get is the row of an id, or -1.
func (t *idTable) get(id string, is func(row int32) bool) int32 {
	if t.packed != nil {
		return t.packed.get(t.hash(id), is)
	}
	_, row := t.seek(t.hash(id), is)
	return row
}

// hash mixes 8 bytes at a time. It has to be the same in every process.
func (t *idTable) hash(id string) uint64 {
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
func (t *idTable) seek(hash uint64, is func(row int32) bool) (int, int32) {
	mask := len(t.slots) - 1
	for i := int(hash) & mask; ; i = (i + 1) & mask { //nolint:gosec // 32 bits
		slot := t.slots[i]
		if slot == 0 {
			return i, -1
		}
		if row := int32(slot&(1<<32-1)) - 1; slot>>32 == hash && is(row) { //nolint:gosec // as put has it
			return i, row
		}
	}
}

func (t *idTable) grow() {
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

// size is how many slots there are.
func (t *idTable) size() int {
	if t.packed != nil {
		return t.packed.size
	}
	return len(t.slots)
}

// taken is the set of the slots that are not free, and what is in those.
func (t *idTable) taken() (set Bits, slots []uint64) {
	if t.packed != nil {
		return t.packed.set, t.packed.taken
	}
	set, slots = NewBits(len(t.slots)), make([]uint64, 0, t.used)
	for i, slot := range t.slots {
		if slot != 0 {
			set.Set(i)
			slots = append(slots, slot)
		}
	}
	return set, slots
}
