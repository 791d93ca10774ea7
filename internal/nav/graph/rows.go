package graph

import (
	"errors"
	"hash/crc32"
	"io"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/wire"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errDamaged = errors.New("the columns do not fit together")

// Damage is what whoever asks for a graph is told of one that is not what was
// written.
func Damage(err error) error {
	return fault.Wrap(fault.IndexNotReady, err,
		"the graph of this repository is damaged; build it again with: ragnav nav build-graph")
}

// A rowFile reads rows, and notes when one is not what was written.
type rowFile struct {
	stored  io.ReaderAt // that the rows are in, nil while they are in memory
	damaged atomic.Bool
	tell    func()
}

// row is one of a part. One that is not what was written is nil, and the graph
// is damaged from then on.
func (r *rowFile) row(p *rowPart, i int) []byte {
	from, to := p.starts[i], p.starts[i+1]
	if from == to {
		return nil
	}
	if p.data != nil {
		return p.data[from:to]
	}
	b := make([]byte, to-from)
	if _, err := r.stored.ReadAt(b, p.file.At+int64(from)); err != nil || crc32.Checksum(b, castagnoli) != p.sums[i] {
		r.damage()
		return nil
	}
	return b
}

// damage notes that something could not be read.
func (r *rowFile) damage() {
	if r.damaged.CompareAndSwap(false, true) && r.tell != nil {
		r.tell()
	}
}

// A rowPart is a part that is read row by row: from memory while a graph is as
// it was built, later from its file.
type rowPart struct {
	starts, sums []uint32
	data         []byte // nil: in the file
	file         Extent
}

// rowsPart gives a part its rows; index is the part before it.
func rowsPart(index []uint32, data []byte, file Extent, n int) (rowPart, bool) {
	if len(index) != 2*n+1 {
		return rowPart{}, false
	}
	return rowPart{starts: index[:n+1], sums: index[n+1:], data: data, file: file}, true
}

// rowIndex is the part before one whose rows follow each other in data.
func rowIndex(starts []uint32, data []byte) []byte {
	index := append(make([]uint32, 0, 2*len(starts)-1), starts...)
	for i := range starts[1:] {
		index = append(index, crc32.Checksum(data[starts[i]:starts[i+1]], castagnoli))
	}
	return bytesOf(index)
}

// checkSum reads a part through to see whether it is what was written.
func (e Extent) checkSum(r io.ReaderAt) bool {
	sum, buf := uint32(0), make([]byte, min(e.Size, 1<<18))
	for e.Size > 0 {
		b := buf[:min(e.Size, int64(len(buf)))]
		if _, err := r.ReadAt(b, e.At); err != nil {
			return false
		}
		sum = crc32.Update(sum, castagnoli, b)
		e.At, e.Size = e.At+int64(len(b)), e.Size-int64(len(b))
	}
	return sum == e.Sum
}

// A rowReader decodes a row of varints. After an error it gives zeros.
type rowReader = wire.Reader[[]byte]

// list makes as many elements as the next number says, none if that is more
// than there are bytes.
func list[T any](r *rowReader) []T {
	if n := r.Count(); n > 0 {
		return make([]T, n)
	}
	return nil
}
