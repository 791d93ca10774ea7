package vector

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/vector/codes"
	"github.com/ragnav/ragnav/internal/vector/values"
)

// A Snapshot is an unchanging table of rows, numbered from 0 in the order in
// which they were written, replaced and deleted ones included. Its methods may
// be called concurrently. Metas and sets of rows that they return must not be
// changed. Metas lie in mapped memory: they must not be used after Release,
// after which no method may be called either.
type Snapshot struct {
	*view

	released atomic.Bool
}

// Release says that the snapshot is used no more.
func (s *Snapshot) Release() {
	if s.released.CompareAndSwap(false, true) {
		_ = s.gen.release()
	}
}

// Mark is the mark at which the table was published. Row numbers keep their
// meaning in later snapshots of the same generation.
func (s *Snapshot) Mark() Mark { return s.mark }

// Len is the number of rows.
func (s *Snapshot) Len() int { return s.rows }

// Lookup is the number of the live row with that id.
func (s *Snapshot) Lookup(id string) (row int, ok bool) {
	n := s.rows
	if s.over != nil {
		if row, ok := s.over[id]; ok {
			return int(row), true
		}
		n = s.under
	}
	row = int(s.gen.lookup(id, n))
	return row, s.live.Has(row)
}

// LiveRows is the set of the rows that are neither replaced nor deleted nor a
// deletion. It must not be changed.
func (s *Snapshot) LiveRows() Bits { return s.live }

// ID is the id of a row. Unlike metas it stays valid after Release.
func (s *Snapshot) ID(row int) string {
	b, i := s.locate(row)
	return b.id(i)
}

// WriteID writes the id of a row.
func (s *Snapshot) WriteID(to *strings.Builder, row int) {
	b, i := s.locate(row)
	start, rest := b.idParts(i)
	to.Write(start)
	to.Write(rest)
}

// A ValueReader reads values into memory of its own. The zero value is ready.
type ValueReader struct {
	Memory *ValueMemory // shared with other readers; nil: none

	values values.Reader
	of     *block // that it reads
}

// Value is the value of a row, until r reads another one. It must not be changed. The
// error wraps ErrCorrupt.
func (s *Snapshot) Value(r *ValueReader, row int) ([]byte, error) {
	remembered := r.Memory != nil && (s.over == nil || row < s.under)
	if remembered {
		if v, ok := r.Memory.recall(rowOf{s.gen, row}); ok {
			return v, nil
		}
	}
	b, i := s.locate(row)
	if r.of != b {
		r.values.Reuse(b.values)
		r.of = b
	}
	value, err := b.valueOf(&r.values, i)
	if err != nil {
		return nil, fmt.Errorf("vector log: row %d: %w", row, err)
	}
	if remembered {
		r.Memory.remember(rowOf{s.gen, row}, bytes.Clone(value))
	}
	return value, nil
}

// Leave keeps nothing of r but its memory: the rows that it read may go.
func (r *ValueReader) Leave() {
	r.values.Reuse(nil)
	r.of = nil
}

// Meta is the meta of a row; empty for a deletion.
func (s *Snapshot) Meta(row int) []byte {
	b, i := s.locate(row)
	return b.meta(i)
}

// Metas yields the rows from number from on with their metas.
func (s *Snapshot) Metas(from int) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for row := from; row < s.rows; {
			b, i := s.locate(row)
			for ; i < b.rows; i++ {
				if !yield(row, b.meta(i)) {
					return
				}
				row++
			}
		}
	}
}

// Vector is a copy of the vector of a row as it is kept, in codes, or nil.
func (s *Snapshot) Vector(row int) []float32 {
	b, i := s.locate(row)
	return b.coded(i, s.gen.dims).Floats()
}

// Dot is the dot product of a query and the vector of a row, as Nearest has it.
// It is not ok without a vector. The query must be of the right length; scratch is memory of
// that length, for several calls.
func (s *Snapshot) Dot(query []float32, row int, scratch []int8) (dot float32, ok bool) {
	if !s.coded.Has(row) {
		return 0, false
	}
	b, i := s.locate(row)
	var product [1]float32
	b.dots(product[:], query, i, scratch)
	return b.codings[i*codes.CodingSize] * product[0], true
}

// Verify compares all vectors with their checksums; Open has checked the rest.
// The error wraps ErrCorrupt when one is wrong.
func (s *Snapshot) Verify(ctx context.Context) error {
	for i := range s.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := &s.blocks[i]
		if err := b.verify(); err != nil {
			return fmt.Errorf("vector log: rows %d to %d: %w", b.first, b.first+b.rows-1, err)
		}
	}
	return nil
}
