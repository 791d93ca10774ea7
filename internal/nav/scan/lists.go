package scan

import (
	"encoding/binary"
	"iter"
)

// Lists are the lists of all trigrams while they grow. Each is a chain of
// chunks, small ones first, in slabs that are never moved: there are hundreds of
// thousands of lists, most of them short, and no pointer among them for the
// garbage collector.
type lists struct {
	pages [1 << 12]*[1 << 12]list // by the trigram's halves
	slabs [][]byte
	used  int // of the last slab
}

// A list is the blocks of a trigram. The zero list is empty.
type list struct {
	next  uint32 // one more than the last block in it
	first uint32 // its chunks: the number of the slab and, in slabBits, the offset in it
	last  uint32
	free  uint16 // bytes in the last chunk
	class uint8  // of the last chunk
}

const (
	slabBits   = 20
	firstChunk = 16 // bytes of the first class; each other has twice as many
	lastClass  = 6
	linkSize   = 4 // bytes at the beginning of a chunk: where the next is
)

// add appends a block to the list of a trigram.
func (l *lists) add(trigram, block uint32) {
	page := &l.pages[trigram>>12]
	if *page == nil {
		*page = new([1 << 12]list)
	}
	to := &(*page)[trigram&(1<<12-1)]
	var b [binary.MaxVarintLen32]byte
	n := binary.PutUvarint(b[:], uint64(block+1-to.next))
	to.next = block + 1
	for _, c := range b[:n] {
		if to.free == 0 {
			l.grow(to)
		}
		chunk := l.chunk(to.last, to.class)
		chunk[len(chunk)-int(to.free)] = c
		to.free--
	}
}

// grow gives a list another chunk.
func (l *lists) grow(to *list) {
	if to.first != 0 {
		to.class = min(to.class+1, lastClass)
	}
	size := firstChunk << to.class
	if len(l.slabs) == 0 || l.used+size > 1<<slabBits {
		l.slabs, l.used = append(l.slabs, make([]byte, 1<<slabBits)), 0
		if len(l.slabs) == 1 {
			l.used = firstChunk // so that no chunk is 0
		}
	}
	at := uint32((len(l.slabs)-1)<<slabBits | l.used) //nolint:gosec // 4 GB of lists are a thousand times what is indexed
	l.used += size
	if to.first == 0 {
		to.first = at
	} else {
		order.PutUint32(l.slabs[to.last>>slabBits][to.last&(1<<slabBits-1):], at)
	}
	to.last, to.free = at, uint16(size-linkSize) //nolint:gosec // 1 KB at most
}

func (l *lists) chunk(at uint32, class uint8) []byte {
	return l.slabs[at>>slabBits][at&(1<<slabBits-1):][:firstChunk<<class]
}

// all yields the lists in order of trigrams. The bytes are good until the next.
func (l *lists) all() iter.Seq2[uint32, []byte] {
	return func(yield func(uint32, []byte) bool) {
		var whole []byte
		for high, page := range l.pages {
			if page == nil {
				continue
			}
			for low := range page {
				if page[low].first == 0 {
					continue
				}
				whole = l.append(whole[:0], &page[low])
				if !yield(uint32(high<<12|low), whole) { //nolint:gosec // 24 bits
					return
				}
			}
		}
	}
}

// append appends the bytes of a list.
func (l *lists) append(to []byte, from *list) []byte {
	at := from.first
	for class := uint8(0); ; class = min(class+1, lastClass) {
		chunk := l.chunk(at, class)
		if at == from.last {
			return append(to, chunk[linkSize:len(chunk)-int(from.free)]...)
		}
		to = append(to, chunk[linkSize:]...)
		at = order.Uint32(chunk)
	}
}
