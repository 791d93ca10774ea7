package vector

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"unsafe"

	"github.com/ragnav/ragnav/internal/vector/idtable"
	"github.com/ragnav/ragnav/internal/vector/mapped"
)

// KnownName is the file, beside those of the generations, with what Open would
// find out by reading all ids. It is a cache: without it, or with one of other
// rows, Open reads them.
//
// It is mapped, and read where something is asked of it. Nobody else writes to it
// while the log is open; who looks whether it was done all the same is the owner.
//
// Numbers are little-endian. A header of 64 bytes: "ragnavK2"; checksum of what
// follows; checksum of the headers of the blocks it is about, which have those of
// all that is in them; then, 8 bytes each, where the last of them ends in the
// log, the number of rows, the seed, the ids, the slots, the rows that replaced
// another. Then the live rows (a bit each), the slots of the table of ids that
// are taken (a bit each), what is in those, pairs of a row and the one before it
// of the same id, and what the owner added.
const KnownName = "known"

const (
	// knownMagic changes with the layout of the file, and with that of what its
	// owner keeps in it (rowEntry and segment of package embedded).
	knownMagic = "ragnavK2"
	// knownFrom is the number of rows from which it is worth a file.
	knownFrom = 4096
)

// sumOf stands for all that is in blocks.
func sumOf(blocks []block) (sum uint32) {
	for i := range blocks {
		sum = crc32.Update(sum, castagnoli, blocks[i].header)
	}
	return sum
}

// loadKnown is the view of the first rows of a generation that the file with what
// is known of them is about, and what the owner added; nil where it is of others.
// Where it is whole, its checksum need not be compared.
func loadKnown(root *os.Root, g *generation, mark Mark, whole bool) (*view, []byte) {
	data := mapKnown(root)
	if len(data) < headerSize || !bytes.HasPrefix(data, []byte(knownMagic)) ||
		!whole && binary.LittleEndian.Uint32(data[8:]) != crc32.Checksum(data[12:], castagnoli) {
		return nil, nil
	}
	var n [6]int
	for i := range n {
		n[i] = int(binary.LittleEndian.Uint64(data[16+8*i:])) //nolint:gosec // as it was written
	}
	end, rows, words, taken := int64(n[0]), n[1], (n[1]+63)/64, (n[4]+63)/64
	at := words + taken + n[3] // of the pairs
	if end > mark.Offset || len(data) < headerSize+8*(at+n[5]) {
		return nil, nil
	}
	blocks, err := g.sketch(end)
	if err != nil || sumOf(blocks) != binary.LittleEndian.Uint32(data[12:]) {
		return nil, nil
	}
	all := unsafe.Slice((*uint64)(unsafe.Pointer(&data[headerSize])), (len(data)-headerSize)/8)
	v := &view{gen: g, mark: Mark{mark.Generation, end}, rows: rows, live: Bits(all[:words:words])}
	for _, b := range blocks {
		if b.first = 0; len(v.blocks) > 0 {
			last := &v.blocks[len(v.blocks)-1]
			b.first = last.first + last.rows
		}
		v.blocks = append(v.blocks, b)
	}
	v.coded = slices.Clone(v.live)
	for i := range v.blocks {
		b := &v.blocks[i]
		for row := b.first + b.vectors; row < b.first+b.rows; row++ {
			v.coded.Clear(row)
		}
	}
	g.blocks = v.blocks
	g.newest = idtable.Packed{
		Seed: uint64(n[2]), Used: n[3], Size: n[4], //nolint:gosec // as it was written
		Set: all[words : words+taken : words+taken], Taken: all[words+taken : at : at],
	}.Table()
	g.older = make(map[int32]int32, n[5])
	for _, pair := range all[at:][:n[5]] {
		g.older[int32(pair&(1<<32-1))] = int32(pair >> 32) //nolint:gosec // as they were written
	}
	return v, data[headerSize+8*(at+n[5]):]
}

// mapKnown is the file, nil without one. What is made of it shares its memory, in
// which nothing is changed, so that it stays until the program ends.
func mapKnown(root *os.Root) []byte {
	file, err := root.Open(KnownName)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < headerSize {
		return nil
	}
	data, err := mapped.Whole(file, int(info.Size()))
	if err != nil {
		return nil
	}
	return data
}

// sketch reads no more than the headers of the blocks before an offset.
func (g *generation) sketch(to int64) ([]block, error) {
	data, err := g.mapping.Bytes(g.file, 0, to)
	if err != nil {
		return nil, err
	}
	if err := checkFileHeader(data, g.dims); err != nil {
		return nil, err
	}
	var blocks []block
	for at := int64(headerSize); at < to; {
		b, n, err := placeBlock(data[at:], g.dims)
		if err != nil {
			return nil, fmt.Errorf("at byte %d: %w", at, err)
		}
		blocks = append(blocks, b)
		at += n
	}
	return blocks, nil
}
