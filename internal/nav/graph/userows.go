package graph

import (
	"encoding/binary"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// The row of the edges that lead to the symbols of a file is varints: for each
// symbol how many there are and how many bytes their numbers take, then the
// numbers, each as the difference to the one before.

// useRow encodes what the symbols of a file are targets of.
func useRow(starts, edges []uint32) []byte {
	var row, numbers []byte
	for i := range starts[1:] {
		before, from := uint32(0), len(numbers)
		all := edges[starts[i]:starts[i+1]]
		for _, n := range all {
			numbers = binary.AppendUvarint(numbers, uint64(n-before))
			before = n
		}
		if row = binary.AppendUvarint(row, uint64(len(all))); len(all) > 0 {
			row = binary.AppendUvarint(row, uint64(len(numbers)-from))
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	return append(row, numbers...)
}

// A useTable is the row of the uses of a file's symbols with where those of each are in it.
type useTable struct {
	counts  []uint32 // how many there are of each
	ends    []uint32 // where their numbers end
	numbers []byte
}

// useNumbers are the numbers of the edges that lead to a symbol, in order.
func (x *Edges) useNumbers(s resolve.SymbolID) []uint32 {
	t := x.usesIn(s.File)
	if t == nil || s.Index < 0 || t.counts[s.Index] == 0 {
		return nil
	}
	from := uint32(0)
	if s.Index > 0 {
		from = t.ends[s.Index-1]
	}
	r := rowReader{Rest: t.numbers[from:t.ends[s.Index]]}
	all, last := make([]uint32, t.counts[s.Index]), 0
	for i := range all {
		last += r.Int()
		r.Check(last < x.total())
		all[i] = uint32(last)
	}
	if r.Check(len(r.Rest) == 0); r.Bad {
		x.file.damage()
		return nil
	}
	return all
}

// usesIn is the table of a file, nil if nothing leads to its symbols. It is kept where there is room.
func (x *Edges) usesIn(f resolve.FileID) *useTable {
	if x.tables == nil {
		return x.readUses(f)
	}
	x.wanted.set(f)
	if t := x.tables[f].Load(); t != nil {
		return t
	}
	t := x.readUses(f)
	if t != nil && x.tables[f].CompareAndSwap(nil, t) {
		x.kept.Add(t.size())
	}
	return t
}

// readUses reads the row of a file.
func (x *Edges) readUses(f resolve.FileID) *useTable {
	r := rowReader{Rest: x.file.row(&x.useRows, int(f))}
	if len(r.Rest) == 0 {
		return nil
	}
	n := x.tree.symbols.count(f)
	both, end := make([]uint32, 2*n), 0
	t := &useTable{counts: both[:n], ends: both[n:]}
	for i := range t.counts {
		count, size := r.Int(), 0
		if count > 0 {
			size = r.Int()
		}
		r.Check(count <= size && size <= len(r.Rest)) // a number takes a byte
		end += size
		t.counts[i], t.ends[i] = uint32(count), uint32(end)
	}
	if r.Check(end == len(r.Rest)); r.Bad {
		x.file.damage()
		return nil
	}
	t.numbers = r.Rest
	return t
}

func (t *useTable) size() int64 { return int64(8*len(t.counts) + len(t.numbers)) }

// UseCounts tells how many edges lead to each symbol of a file.
func (x *Edges) UseCounts(f resolve.FileID) []uint32 {
	counts := make([]uint32, x.tree.symbols.count(f))
	r := rowReader{Rest: x.file.row(&x.useRows, int(f))}
	if len(r.Rest) == 0 {
		return counts
	}
	for i := range counts {
		if counts[i] = uint32(r.Int()); counts[i] > 0 {
			r.Int()
		}
	}
	return counts
}
