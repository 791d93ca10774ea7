package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"unsafe"
)

// A table is a model file in memory. The file is little-endian:
//
//	 0  8 bytes  "SCEMB001"
//	 8  u32      CRC-32 (IEEE) of everything from offset 12
//	12  u32      version, 1
//	16  u32      flags: 1 parts are stemmed, 4 unknown tokens are cut into pieces; others are refused
//	20  u32      D, numbers in a row
//	24  u32      V, rows
//	28  u32      S, stop words
//	32  u32      L, length of the strings
//	36  L bytes  S stop words, then V tokens, each a length byte and UTF-8; both lists sorted by bytes; then zeros
//	    V × f32  query weights
//	    V × f32  document weights
//	    V × f32  scales
//	    V × D    int8; component k of row i is scale[i] × int8[i*D+k]
type table struct {
	head

	stop     map[string]struct{}
	vocab    vocabulary
	longest  int       // bytes of the longest token
	query    []float32 // weight × scale of each row
	document []float32
	weights  []byte // of each row in a query, without its scale, in the file's own memory
	rows     []int8 // there too
}

const (
	tableMagic   = "SCEMB001"
	tableVersion = 1
	tableFlags   = 1 | 4
	headerSize   = 36

	maxDims, maxRows, maxStop = 4096, 1 << 20, 1 << 16
)

// A head is what a table begins with that tells it from others.
type head struct {
	crc  uint32
	dims int
}

func readHead(data []byte) (head, error) {
	if len(data) < headerSize || string(data[:8]) != tableMagic {
		return head{}, errors.New("not a token table")
	}
	return head{binary.LittleEndian.Uint32(data[8:]), int(binary.LittleEndian.Uint32(data[20:]))}, nil
}

// readTable checks data and makes a table that keeps references to it.
func readTable(data []byte) (*table, error) {
	h, err := readHead(data)
	if err != nil {
		return nil, err
	}
	if sum := crc32.ChecksumIEEE(data[12:]); sum != h.crc {
		return nil, fmt.Errorf("checksum is %08x, want %08x", sum, h.crc)
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	if u32(12) != tableVersion || u32(16) != tableFlags {
		return nil, fmt.Errorf("version %d with flags %d is not supported", u32(12), u32(16))
	}
	dims, rows, stop, block := u32(20), u32(24), u32(28), u32(32)
	if dims == 0 || dims > maxDims || rows > maxRows || stop > maxStop {
		return nil, fmt.Errorf("sizes out of range: %d dims, %d rows, %d stop words", dims, rows, stop)
	}
	want := headerSize + uint64(block) + 12*uint64(rows) + uint64(rows)*uint64(dims)
	if uint64(len(data)) != want {
		return nil, fmt.Errorf("%d bytes, want %d", len(data), want)
	}
	t := &table{head: h}
	if err := t.readStrings(string(data[headerSize:headerSize+block]), int(stop), int(rows)); err != nil {
		return nil, err
	}
	return t, t.readNumbers(data[headerSize+block:], int(rows))
}

func (t *table) readStrings(block string, stop, rows int) error {
	t.stop = make(map[string]struct{}, stop)
	rest, err := eachString(block, stop, func(_ int, s string) { t.stop[s] = struct{}{} })
	if err != nil {
		return fmt.Errorf("stop words: %w", err)
	}
	t.vocab = vocabulary{block: rest, starts: make([]uint32, 0, rows)}
	at, firsts := 0, [256]uint32{}
	_, err = eachString(rest, rows, func(_ int, s string) {
		t.vocab.starts = append(t.vocab.starts, uint32(at+1)) //nolint:gosec // at most maxRows tokens of 255 bytes
		firsts[s[0]]++
		at += 1 + len(s)
		t.longest = max(t.longest, len(s))
	})
	for b, n := range firsts {
		t.vocab.first[b+1] = t.vocab.first[b] + n
	}
	if err != nil {
		return fmt.Errorf("tokens: %w", err)
	}
	return nil
}

// eachString reads n length-prefixed strings in ascending order and returns
// what follows them.
func eachString(block string, n int, yield func(i int, s string)) (rest string, err error) {
	last := ""
	for i := range n {
		if block == "" || len(block) < 1+int(block[0]) {
			return "", fmt.Errorf("the block ends before string %d of %d", i, n)
		}
		end := 1 + int(block[0])
		s := block[1:end]
		if s <= last {
			return "", fmt.Errorf("string %d, %q, is not after %q", i, s, last)
		}
		yield(i, s)
		last, block = s, block[end:]
	}
	return block, nil
}

func (t *table) readNumbers(data []byte, rows int) error {
	query, document, scale := data[:4*rows], data[4*rows:8*rows], data[8*rows:12*rows]
	t.query, t.document, t.weights = make([]float32, rows), make([]float32, rows), query
	numbers := data[12*rows:]
	t.rows = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(numbers))), len(numbers))
	for i := range rows {
		s := float32At(scale, i)
		t.query[i], t.document[i] = s*float32At(query, i), s*float32At(document, i)
		if !finite(t.query[i]) || !finite(t.document[i]) {
			return fmt.Errorf("the weights of row %d are not finite", i)
		}
	}
	return nil
}

// rarity is the logarithm of the weight of a row in a query, without its scale.
func (t *table) rarity(row int32) float32 {
	return float32(math.Log(math.Abs(float64(float32At(t.weights, int(row)))) + 1e-6))
}

func float32At(b []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}

func finite(f float32) bool { return f-f == 0 }
