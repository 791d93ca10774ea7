package graph

import (
	"bytes"
	"io"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A counted file tells how often it was read.
type counted struct {
	io.ReaderAt
	reads int
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	c.reads++
	return c.ReaderAt.ReadAt(b, at)
}

// The row of a file is read once for the uses of all of its symbols, until it is let go of.
func TestUsesOfAFileAreReadOnce(t *testing.T) {
	row := useRow([]uint32{0, 2, 2, 3}, []uint32{1, 4, 2})
	index := column[uint32](rowIndex([]uint32{0, uint32(len(row))}, row))
	part, _ := rowsPart(index, nil, Extent{}, 1)
	file := &counted{ReaderAt: bytes.NewReader(row)}
	x := &Edges{
		tree: &Tree{symbols: numbering{0, 3}, path: make([]uint32, 1)}, file: &rowFile{stored: file},
		starts: []uint32{0, 5}, useRows: part,
	}
	x.keepRows(1)
	for range 2 {
		for i, want := range []int{2, 0, 1} {
			if n := len(x.useNumbers(resolve.SymbolID{Index: int32(i)})); n != want { //nolint:gosec // few
				t.Errorf("symbol %d: %d uses, want %d", i, n, want)
			}
		}
	}
	if file.reads != 1 || x.kept.Load() == 0 {
		t.Errorf("read %d times, %d bytes kept; want once and some", file.reads, x.kept.Load())
	}
	for range 2 {
		x.age()
	}
	if x.useNumbers(resolve.SymbolID{}); file.reads != 2 {
		t.Errorf("read %d times, want again behind the second age", file.reads)
	}
}
