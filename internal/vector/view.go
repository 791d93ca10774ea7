package vector

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"sort"

	"github.com/ragnav/ragnav/internal/vector/idtable"
)

// A view is the table at one mark. It does not change.
type view struct {
	gen    *generation
	mark   Mark
	blocks []block
	rows   int
	live   Bits // neither replaced nor deleted nor deletions
	coded  Bits // the live rows with a vector

	over  map[string]int32 // the rows in memory by id, see Snapshot.Over; nil without
	under int              // rows of the log below these
}

// emptyView belongs to no file.
func emptyView(dims int) *view {
	g := &generation{dims: dims}
	g.refs.Store(1)
	return &view{gen: g}
}

// loadView reads a generation up to mark.
func loadView(g *generation, mark Mark, o Options) (*view, error) {
	var blocks []block
	var err error
	if o.Salvage {
		blocks, err = g.salvage()
	} else if err = g.has(mark.Offset); err == nil {
		blocks, err = g.read(0, mark.Offset)
	}
	if err != nil {
		return nil, err
	}
	rows := 0
	for i := range blocks {
		rows += blocks[i].rows
		if o.Whole || o.Salvage {
			continue
		}
		if err := blocks[i].verify(); err != nil {
			return nil, err
		}
	}
	g.newest = idtable.New(rows)
	return (&view{gen: g}).extend(blocks, mark)
}

// extend is v with more blocks. v is unchanged; it must be the newest view of
// its generation.
func (v *view) extend(blocks []block, mark Mark) (*view, error) {
	next := &view{gen: v.gen, mark: mark, blocks: v.blocks, rows: v.rows}
	for _, b := range blocks {
		b.first = next.rows
		next.rows += b.rows
		if next.rows > math.MaxInt32 {
			return nil, fmt.Errorf("more than %d rows; compact the log", math.MaxInt32)
		}
		next.blocks = append(next.blocks, b)
	}
	next.live, next.coded = grown(v.live, next.rows), grown(v.coded, next.rows)
	v.gen.mu.Lock()
	defer v.gen.mu.Unlock()
	if v.gen.torn {
		return nil, fmt.Errorf("the file was cut while it was read: %w", ErrCorrupt)
	}
	v.gen.torn = true
	for i := range next.blocks[len(v.blocks):] {
		v.gen.blocks = next.blocks[:len(v.blocks)+i+1]
		next.enter(&next.blocks[len(v.blocks)+i])
	}
	v.gen.torn = false
	return next, nil
}

// grown is a copy of b with room for n.
func grown(b Bits, n int) Bits {
	c := NewBits(n)
	copy(c, b)
	return c
}

// enter takes the rows of the last of the generation's blocks, which is b.
func (v *view) enter(b *block) {
	v.gen.enter(func(i int, older int32) {
		if older >= 0 {
			v.live.Clear(int(older))
			v.coded.Clear(int(older))
		}
		if i < b.live {
			v.live.Set(b.first + i)
		}
		if i < b.vectors {
			v.coded.Set(b.first + i)
		}
	})
}

// locate is the block of a row and the row's place in it.
func (v *view) locate(row int) (*block, int) { return locate(v.blocks, row) }

func locate(blocks []block, row int) (*block, int) {
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].first > row }) - 1
	b := &blocks[i]
	return b, row - b.first
}

func (v *view) encodeKnown(own []byte) []byte {
	g := v.gen
	g.mu.RLock()
	defer g.mu.RUnlock()
	ids := g.newest.Pack()
	b := make([]byte, headerSize, headerSize+8*(len(v.live)+len(ids.Set)+len(ids.Taken)+len(g.older))+len(own))
	copy(b, knownMagic)
	binary.LittleEndian.PutUint32(b[12:], sumOf(v.blocks))
	for i, n := range []int{
		int(v.mark.Offset), v.rows, int(ids.Seed), ids.Used, ids.Size, len(g.older),
	} { //nolint:gosec // read as it is written
		binary.LittleEndian.PutUint64(b[16+8*i:], uint64(n)) //nolint:gosec // likewise
	}
	for _, words := range [][]uint64{v.live, ids.Set, ids.Taken} {
		for _, w := range words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
	}
	for row, older := range g.older {
		b = binary.LittleEndian.AppendUint32(b, uint32(row))   //nolint:gosec // rows are not negative
		b = binary.LittleEndian.AppendUint32(b, uint32(older)) //nolint:gosec // likewise
	}
	b = append(b, own...)
	binary.LittleEndian.PutUint32(b[8:], crc32.Checksum(b[12:], castagnoli))
	return b
}

// lay makes the rows in memory those of their ids.
func (v *view) lay(under *Snapshot) {
	if v.rows == v.under {
		return
	}
	b := &v.blocks[len(v.blocks)-1]
	for i := range b.rows {
		id, row := b.id(i), b.first+i
		if older, ok := under.Lookup(id); ok {
			v.live.Clear(older)
			v.coded.Clear(older)
		}
		v.over[id] = int32(row) //nolint:gosec // as the rows of a log
		v.live.Set(row)
		if i < b.vectors {
			v.coded.Set(row)
		}
	}
}

// upTo is v with what was written behind it.
func (v *view) upTo(mark Mark) (*view, error) {
	if v.mark == mark {
		return v, nil
	}
	blocks, err := v.gen.read(v.mark.Offset, mark.Offset)
	if err != nil {
		return nil, err
	}
	return v.extend(blocks, mark)
}
