package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
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
	if v, n := binary.LittleEndian.Uint32(head[8:]), binary.LittleEndian.Uint32(head[12:]); v != SchemaVersion || n != uint32(parts) {
		return ID{}, binding{}, fmt.Errorf("schema version %d with %d parts: %w", v, n, errSidecar)
	}
	if binary.LittleEndian.Uint32(head[88:]) != headSum(head) {
		return ID{}, binding{}, fmt.Errorf("checksum of the header: %w", errSidecar)
	}
	return ID(head[16:48]), binding{hash: [32]byte(head[48:80]), size: int64(binary.LittleEndian.Uint64(head[80:]))}, nil
}

// readSidecar makes a graph of a whole sidecar, which it keeps.
func readSidecar(b []byte) (*Graph, binding, error) {
	id, json, err := readHead(b[:min(len(b), headerSize+rowSize*int(parts))])
	if err != nil {
		return nil, json, err
	}
	var p [parts][]byte
	for i := range p {
		row := b[headerSize+rowSize*i:]
		at, size := binary.LittleEndian.Uint64(row), binary.LittleEndian.Uint64(row[8:])
		if at%alignment != 0 || at > uint64(len(b)) || size > uint64(len(b))-at {
			return nil, json, fmt.Errorf("part %d: %w", i, errSidecar)
		}
		p[i] = b[at : at+size : at+size]
		if crc32.Checksum(p[i], castagnoli) != binary.LittleEndian.Uint32(row[16:]) {
			return nil, json, fmt.Errorf("checksum of part %d: %w", i, errSidecar)
		}
		if !littleEndian && !part(i).isBytes() {
			swapWords(p[i])
		}
	}
	g, err := open(p)
	if err != nil {
		return nil, json, err
	}
	if len(g.edges.starts) == 0 {
		return nil, json, fmt.Errorf("no edges: %w", errSidecar)
	}
	g.id = id
	return g, json, nil
}
