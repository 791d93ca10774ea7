package scan

import (
	"encoding/binary"
	"hash/crc32"
)

// A trigram file, version 1. Numbers are little-endian, checksums CRC-32C.
//
//	header   64 bytes
//	  0  8   magic, with the version in its last byte
//	  8  4   number of files
//	 12  4   number of trigrams
//	 16  8   offset of the files
//	 24  8   offset of the paths
//	 32  8   offset of the table
//	 40  8   size of the whole
//	 48  4   checksum of files and paths
//	 52  4   checksum of the table
//	 56  4   number of blocks
//	 60  4   checksum of the 60 bytes before
//	lists    one for each trigram, in order of trigrams
//	table    16 bytes for each trigram
//	  0  4   the trigram, its first byte highest; bit 31: its list is a bitmap
//	  4  4   checksum of the list
//	  8  8   offset of the list, which ends where the next begins
//	files    64 bytes for each file, in order of paths
//	  0  4   offset of its path in the paths, which ends where the next begins
//	  4  4   flags: 1, it was not read and may hold anything
//	  8  8   size in bytes
//	 16  8   time of last change, nanoseconds since 1970
//	 24  32  hash of its content, as the builder was told
//	 56  4   number of its first block; its last is before the next file's first
//	 60  4   zero
//	paths    without anything between them
//
// Long texts are cut into blocks at ends of lines, for a match is on one line and
// a long file has most trigrams somewhere. Each file has at least one block.
//
// A list says which blocks have the trigram, as numbers in the order of files: as
// the differences of each to the one before, the first to -1, in variable
// length (encoding/binary), or as one bit for each block, lowest first, when that
// is shorter.
//
// The trigrams of a block are those of each line of its text (see the package's
// documentation) after folding: see folded. The same is done to what is looked
// for, so that one list serves searches with and without case.
const (
	magic      = "ragtri\x00\x01"
	headerSize = 64
	entrySize  = 16
	recordSize = 64

	bitmapList = 1 << 31 // in a table entry
	unreadFile = 1       // flag of a file
)

var (
	order      = binary.LittleEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// A header is the first bytes of a trigram file.
type header struct {
	files, trigrams, blocks         uint32
	filesAt, pathsAt, tableAt, size uint64
	filesChecksum, tableChecksum    uint32
}

func (h header) encode() []byte {
	b := append(make([]byte, 0, headerSize), magic...)
	b = order.AppendUint32(b, h.files)
	b = order.AppendUint32(b, h.trigrams)
	for _, v := range []uint64{h.filesAt, h.pathsAt, h.tableAt, h.size} {
		b = order.AppendUint64(b, v)
	}
	b = order.AppendUint32(b, h.filesChecksum)
	b = order.AppendUint32(b, h.tableChecksum)
	b = order.AppendUint32(b, h.blocks)
	return order.AppendUint32(b, checksum(b))
}

// decodeHeader is false for anything but a whole file of this version.
func decodeHeader(b []byte) (header, bool) {
	if len(b) < headerSize || string(b[:len(magic)]) != magic || order.Uint32(b[60:]) != checksum(b[:60]) {
		return header{}, false
	}
	h := header{
		files: order.Uint32(b[8:]), trigrams: order.Uint32(b[12:]),
		filesAt: order.Uint64(b[16:]), pathsAt: order.Uint64(b[24:]), tableAt: order.Uint64(b[32:]),
		size:          order.Uint64(b[40:]),
		filesChecksum: order.Uint32(b[48:]), tableChecksum: order.Uint32(b[52:]), blocks: order.Uint32(b[56:]),
	}
	fits := h.size == uint64(len(b)) && h.tableAt >= headerSize &&
		h.filesAt == h.tableAt+uint64(h.trigrams)*entrySize && h.pathsAt == h.filesAt+uint64(h.files)*recordSize &&
		h.pathsAt <= h.size
	return h, fits
}
