package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A binding is what a sidecar knows of the JSON that belongs to it.
type binding struct {
	hash [32]byte
	size int64
}

// identify is the identity of a graph: a hash of its columns.
func identify(p *[parts][]byte) ID {
	h := sha256.New()
	for i := range p {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(p[i]))))
		h.Write(inFileOrder(part(i), p[i]))
	}
	return ID(h.Sum(nil))
}

// inFileOrder is a column with the bytes in the order of the file.
func inFileOrder(n part, b []byte) []byte {
	if littleEndian || n.isBytes() {
		return b
	}
	b = slices.Clone(b)
	swapWords(b)
	return b
}

// writeSidecar writes the sidecar of g.
func (g *Graph) writeSidecar(w io.Writer, json binding) error {
	head := make([]byte, headerSize+rowSize*int(parts))
	copy(head, magic)
	binary.LittleEndian.PutUint32(head[8:], SchemaVersion)
	binary.LittleEndian.PutUint32(head[12:], uint32(parts))
	copy(head[16:], g.id[:])
	copy(head[48:], json.hash[:])
	binary.LittleEndian.PutUint64(head[80:], uint64(json.size))
	at := roundUp(len(head))
	for i, b := range g.parts {
		row := head[headerSize+rowSize*i:]
		binary.LittleEndian.PutUint64(row, uint64(at))
		binary.LittleEndian.PutUint64(row[8:], uint64(len(b)))
		binary.LittleEndian.PutUint32(row[16:], crc32.Checksum(inFileOrder(part(i), b), castagnoli))
		at = roundUp(at + len(b))
	}
	binary.LittleEndian.PutUint32(head[88:], headSum(head))
	if err := writePadded(w, head); err != nil {
		return err
	}
	for i, b := range g.parts {
		if err := writePadded(w, inFileOrder(part(i), b)); err != nil {
			return err
		}
	}
	return nil
}

func headSum(head []byte) uint32 {
	sum := crc32.Update(0, castagnoli, head[:88])
	return crc32.Update(sum, castagnoli, head[headerSize:])
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
func readHead(head []byte) (ID, binding, error) {
	if len(head) < headerSize+rowSize*int(parts) || string(head[:8]) != magic {
		return ID{}, binding{}, fmt.Errorf("no header: %w", errSidecar)
	}
	if v, n := binary.LittleEndian.Uint32(head[8:]), binary.LittleEndian.Uint32(head[12:]); v != SchemaVersion ||
		n != uint32(parts) {
		return ID{}, binding{}, fmt.Errorf("schema version %d with %d parts: %w", v, n, errSidecar)
	}
	if binary.LittleEndian.Uint32(head[88:]) != headSum(head) {
		return ID{}, binding{}, fmt.Errorf("checksum of the header: %w", errSidecar)
	}
	return ID(head[16:48]), binding{hash: [32]byte(head[48:80]), size: int64(binary.LittleEndian.Uint64(head[80:]))}, nil
}

// readSidecar makes a graph of a sidecar: columns are read, rows when they
// are asked for.
func readSidecar(r io.ReaderAt, size int64) (*Graph, binding, error) {
	head := make([]byte, min(size, headerSize+rowSize*int64(parts)))
	if _, err := r.ReadAt(head, 0); err != nil {
		return nil, binding{}, fmt.Errorf("%w: %w", errSidecar, err)
	}
	id, json, err := readHead(head)
	if err != nil {
		return nil, json, err
	}
	var p [parts][]byte
	var at [parts]extent
	for i := range p {
		row := head[headerSize+rowSize*i:]
		e := extent{at: int64(binary.LittleEndian.Uint64(row)), size: int64(binary.LittleEndian.Uint64(row[8:]))}
		if e.at%alignment != 0 || e.at < 0 || e.size < 0 || e.at > size || e.size > size-e.at || size%alignment != 0 {
			return nil, json, fmt.Errorf("part %d: %w", i, errSidecar)
		}
		e.sum = binary.LittleEndian.Uint32(row[16:])
		at[i] = e
		var ok bool
		if p[i], ok = readPart(r, part(i), e); !ok {
			return nil, json, fmt.Errorf("checksum of part %d: %w", i, errSidecar)
		}
	}
	if len(p[partEdgeStarts]) == 0 {
		return nil, json, fmt.Errorf("no edges: %w", errSidecar)
	}
	g, err := open(p, &at)
	if err != nil {
		return nil, json, err
	}
	g.id, g.stored = id, r
	return g, json, nil
}

// keepsOpen tells whether a file that is open may be replaced, so that rows can
// be read when they are asked for.
const keepsOpen = runtime.GOOS != "windows"

// readPart reads a column; rows are left where they are.
func readPart(r io.ReaderAt, n part, e extent) ([]byte, bool) {
	if n.isRows() && keepsOpen {
		return nil, true
	}
	b := aligned(int(e.size))
	if _, err := r.ReadAt(b, e.at); err != nil || crc32.Checksum(b, castagnoli) != e.sum {
		return nil, false
	}
	if !littleEndian && !n.isBytes() {
		swapWords(b)
	}
	return b, true
}
