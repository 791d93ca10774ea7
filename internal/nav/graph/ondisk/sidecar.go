package ondisk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/vector/mapped"
)

// The file format of the sidecar.
//
// Numbers are little-endian. The file is a header, a table of parts, and the
// parts, each at a multiple of 64 bytes with zeros between. Checksums are
// CRC-32C.
//
//	 0  8  "ragnavG1"
//	 8  4  schema version
//	12  4  number of parts
//	16 32  identity of the graph: SHA-256 of the parts' lengths and contents
//	48 32  SHA-256 of rag_graph.json
//	80  8  size of rag_graph.json
//	88  4  checksum of bytes 0 to 87 and of the table
//	92  4  zero
//	96     table, per part: offset 8, length 8, checksum 4, zero 4
//
// A part is a column of bytes, a column of 4-byte words, or rows of bytes.
// Columns are read when a graph is opened, a row when it is asked for. The part
// before one of rows says where each begins, with one more for the end, then the
// checksum of each.

const (
	magic      = "ragnavG1"
	headerSize = 96
	rowSize    = 24
	alignment  = 64
)

var checksums = crc32.MakeTable(crc32.Castagnoli)

// A binding is what a sidecar knows of the JSON that belongs to it.
type binding struct {
	hash [32]byte
	size int64
}

// writeSidecar writes the sidecar of g.
func writeSidecar(w io.Writer, g *graph.Graph, json binding) error {
	head := make([]byte, headerSize+rowSize*graph.Parts)
	copy(head, magic)
	binary.LittleEndian.PutUint32(head[8:], graph.SchemaVersion)
	binary.LittleEndian.PutUint32(head[12:], uint32(graph.Parts))
	id := g.ID()
	copy(head[16:], id[:])
	copy(head[48:], json.hash[:])
	binary.LittleEndian.PutUint64(head[80:], uint64(json.size))
	at := roundUp(len(head))
	for i, b := range g.Columns() {
		row := head[headerSize+rowSize*i:]
		binary.LittleEndian.PutUint64(row, uint64(at))
		binary.LittleEndian.PutUint64(row[8:], uint64(len(b)))
		binary.LittleEndian.PutUint32(row[16:], crc32.Checksum(graph.InFileOrder(i, b), checksums))
		at = roundUp(at + len(b))
	}
	binary.LittleEndian.PutUint32(head[88:], headSum(head))
	if err := writePadded(w, head); err != nil {
		return err
	}
	for i, b := range g.Columns() {
		if err := writePadded(w, graph.InFileOrder(i, b)); err != nil {
			return err
		}
	}
	return nil
}

func headSum(head []byte) uint32 {
	sum := crc32.Update(0, checksums, head[:88])
	return crc32.Update(sum, checksums, head[headerSize:])
}

func roundUp(n int) int { return (n + alignment - 1) &^ (alignment - 1) }

func writePadded(w io.Writer, b []byte) error {
	if _, err := w.Write(b); err != nil {
		return err
	}
	_, err := w.Write(make([]byte, roundUp(len(b))-len(b)))
	return err
}

var errSidecar = errors.New("the sidecar is damaged")

// readHead checks the first bytes of a sidecar and returns whose it is. head
// has the header and the table.
func readHead(head []byte) (graph.ID, binding, error) {
	if len(head) < headerSize+rowSize*graph.Parts || string(head[:8]) != magic {
		return graph.ID{}, binding{}, fmt.Errorf("no header: %w", errSidecar)
	}
	if v, n := binary.LittleEndian.Uint32(head[8:]), binary.LittleEndian.Uint32(head[12:]); v != graph.SchemaVersion ||
		n != uint32(graph.Parts) {
		return graph.ID{}, binding{}, fmt.Errorf("schema version %d with %d parts: %w", v, n, errSidecar)
	}
	if binary.LittleEndian.Uint32(head[88:]) != headSum(head) {
		return graph.ID{}, binding{}, fmt.Errorf("checksum of the header: %w", errSidecar)
	}
	json := binding{hash: [32]byte(head[48:80]), size: int64(binary.LittleEndian.Uint64(head[80:]))}
	return graph.ID(head[16:48]), json, nil
}

// wanted is what is made of a sidecar: a graph, or a part of one.
type wanted[T any] struct {
	parts func(n int) bool // that it needs
	open  func(id graph.ID, p graph.Columns, at *[graph.Parts]graph.Extent, r io.ReaderAt) (*T, error)
}

var whole = wanted[graph.Graph]{func(int) bool { return true }, graph.OpenStored}

var usesOnly = wanted[graph.Counter]{
	graph.ForCounting,
	func(_ graph.ID, p graph.Columns, at *[graph.Parts]graph.Extent, r io.ReaderAt) (*graph.Counter, error) {
		return graph.OpenCounter(p, at, r)
	},
}

// readSidecar makes what is wanted of a sidecar: columns are read, rows when they
// are asked for.
func readSidecar[T any](r io.ReaderAt, size int64, want wanted[T]) (*T, binding, error) {
	head := make([]byte, min(size, headerSize+rowSize*int64(graph.Parts)))
	if _, err := r.ReadAt(head, 0); err != nil {
		return nil, binding{}, fmt.Errorf("%w: %w", errSidecar, err)
	}
	id, json, err := readHead(head)
	if err != nil {
		return nil, json, err
	}
	var at [graph.Parts]graph.Extent
	room := 0
	for i := range at {
		row := head[headerSize+rowSize*i:]
		e := graph.Extent{At: int64(binary.LittleEndian.Uint64(row)), Size: int64(binary.LittleEndian.Uint64(row[8:]))}
		if e.At%alignment != 0 || e.At < 0 || e.Size < 0 || e.At > size || e.Size > size-e.At || size%alignment != 0 {
			return nil, json, fmt.Errorf("part %d: %w", i, errSidecar)
		}
		e.Sum = binary.LittleEndian.Uint32(row[16:])
		if at[i] = e; isRead(i) && want.parts(i) {
			room += roundUp(int(e.Size))
		}
	}
	if int64(room) > size { // parts lie over each other
		return nil, json, fmt.Errorf("parts: %w", errSidecar)
	}
	p, err := readColumns(r, &at, want.parts, room)
	if err != nil {
		return nil, json, err
	}
	opened, err := want.open(id, p, &at, r)
	return opened, json, err
}

// keepsOpen tells whether a file that is open may be replaced, so that rows can
// be read when they are asked for.
const keepsOpen = runtime.GOOS != "windows"

// isRead tells the parts that are read when a graph is opened.
func isRead(n int) bool { return !graph.IsRows(n) || !keepsOpen }

// readColumns reads the columns that are wanted, into memory of so many bytes.
func readColumns(r io.ReaderAt, at *[graph.Parts]graph.Extent, want func(int) bool, room int) (p graph.Columns,
	err error,
) {
	free := graph.Aligned(room)
	mapped.Large(free)
	for i, e := range at {
		if !isRead(i) || !want(i) {
			continue
		}
		b := free[:e.Size:e.Size]
		free = free[roundUp(len(b)):]
		if !readPart(r, e, b) {
			return p, fmt.Errorf("checksum of part %d: %w", i, errSidecar)
		}
		graph.FromFileOrder(i, b)
		p[i] = b
	}
	return p, nil
}

// stride is how much of a part is read at once: its checksum is then made of what is
// still near.
const stride = 128 << 10

func readPart(r io.ReaderAt, e graph.Extent, b []byte) bool {
	sum := uint32(0)
	for done := 0; done < len(b); done += stride {
		piece := b[done:min(done+stride, len(b))]
		if _, err := r.ReadAt(piece, e.At+int64(done)); err != nil {
			return false
		}
		sum = crc32.Update(sum, checksums, piece)
	}
	return sum == e.Sum
}
