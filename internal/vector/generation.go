package vector

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/vector/idtable"
	"github.com/ragnav/ragnav/internal/vector/mapped"
)

// A Mark is a point in the life of a log up to which it is complete. It is what
// the owner of a log commits. The zero Mark is an empty log.
type Mark struct {
	Generation uint32 `json:"generation"` // grows by one with each compaction
	Offset     int64  `json:"offset"`     // bytes of the generation's file
}

// A generation is one file of a log with all that is known of its published
// part. The log and every snapshot hold a reference; without any, the mapping
// goes away.
type generation struct {
	number uint32
	dims   int
	file   *os.File
	refs   atomic.Int64

	mapping mapped.File // used by the writer only
	coarseState

	mu     sync.RWMutex    // guards what follows
	blocks []block         // of all rows that are entered
	newest idtable.Table   // the last row of each id
	older  map[int32]int32 // the row before it of the same id, of rows that replaced one
	torn   bool            // a panic ended the entering of rows
}

// FileName is the name of the file of a generation.
func FileName(number uint32) string { return fmt.Sprintf("vectors-%x.log", number) }

func openGeneration(root *os.Root, number uint32, dims, flags int) (*generation, error) {
	file, err := root.OpenFile(FileName(number), flags, 0o600)
	if err != nil {
		return nil, err
	}
	g := &generation{number: number, dims: dims, file: file, newest: idtable.New(0), older: map[int32]int32{}}
	g.refs.Store(1)
	return g, nil
}

// trim cuts off what lies beyond a committed offset. It need not be durable: the
// next Open would do it again, and the next Append writes over it.
func (g *generation) trim(offset int64) error {
	info, err := g.file.Stat()
	if err != nil || info.Size() == offset {
		return err
	}
	return g.file.Truncate(offset)
}

// has makes sure that the file has that many bytes.
func (g *generation) has(offset int64) error {
	info, err := g.file.Stat()
	if err == nil && info.Size() < offset {
		return fmt.Errorf("%d bytes are committed, the file has %d: %w", offset, info.Size(), ErrCorrupt)
	}
	return err
}

// read reads the blocks from from to to, both ends of a block or of the file.
func (g *generation) read(from, to int64) ([]block, error) {
	if from == to {
		return nil, nil
	}
	data, err := g.mapping.Bytes(g.file, from, to)
	if err != nil {
		return nil, err
	}
	at := from
	if from == 0 {
		if err := checkFileHeader(data, g.dims); err != nil {
			return nil, err
		}
		at = headerSize
	}
	var blocks []block
	for at < to {
		b, n, err := parseBlock(data[at-from:], g.dims, at)
		if err != nil {
			return nil, fmt.Errorf("at byte %d: %w", at, err)
		}
		blocks = append(blocks, b)
		at += n
	}
	return blocks, nil
}

// enter makes the rows of the last of the blocks those of their ids, and yields
// each with the row of the same id before it, or -1.
func (g *generation) enter(yield func(i int, older int32)) {
	b := &g.blocks[len(g.blocks)-1]
	for i := range b.rows {
		id := b.id(i)
		older := g.newest.Put(id, int32(b.first+i), func(row int32) bool { return g.hasID(row, id) }) //nolint:gosec // extend counts them
		if older >= 0 {
			g.older[int32(b.first+i)] = older //nolint:gosec // likewise
		}
		yield(i, older)
	}
}

// hasID reports whether the id of a row that is entered is that one.
func (g *generation) hasID(row int32, id string) bool {
	b, i := locate(g.blocks, int(row))
	return b.hasID(i, id)
}

// lookup is the newest of the first n rows with that id, or -1.
func (g *generation) lookup(id string, n int) int32 {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.torn {
		panic(fmt.Errorf("the file was cut while it was read: %w", ErrCorrupt))
	}
	if len(g.blocks) == 0 {
		return -1
	}
	row := g.newest.Get(id, func(row int32) bool { return g.hasID(row, id) })
	for int(row) >= n {
		older, replaced := g.older[row]
		if !replaced {
			return -1
		}
		row = older
	}
	return row
}

// retire ends the writing, and removes the file where root is not nil.
// Snapshots keep their mapping.
func (g *generation) retire(root *os.Root) error {
	var err error
	if g.file != nil {
		err = g.file.Close()
	}
	if root != nil {
		err = errors.Join(err, root.Remove(FileName(g.number)))
	}
	return errors.Join(err, g.release())
}

func (g *generation) release() error {
	if g.refs.Add(-1) > 0 {
		return nil
	}
	return errors.Join(g.arena.Close(), g.mapping.Close())
}

// removeOthers removes the files of generations other than keep.
func removeOthers(root *os.Root, keep uint32) error {
	names, err := fs.Glob(root.FS(), "vectors-*.log")
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == FileName(keep) {
			continue
		}
		if err := root.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// syncDir makes the creation of files in root durable.
func syncDir(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// coarseState is what a generation needs to coarsen its blocks.
type coarseState struct {
	passes     atomic.Int64
	coarsening sync.Mutex
	arena      mapped.Arena // used under coarsening
}

// salvage reads the blocks of the file that are whole, in their order. Each says
// where it lies, so that what follows a damaged one is found again.
func (g *generation) salvage() ([]block, error) {
	info, err := g.file.Stat()
	if err != nil || info.Size() <= headerSize {
		return nil, err
	}
	data, err := g.mapping.Bytes(g.file, 0, info.Size())
	if err != nil {
		return nil, err
	}
	var blocks []block
	for at := int64(headerSize); at < int64(len(data)); {
		b, n, err := parseBlock(data[at:], g.dims, at)
		if err == nil && b.verify() == nil {
			blocks = append(blocks, b)
			at += n
			continue
		}
		at = nextBlock(data, at+alignment)
	}
	return blocks, nil
}

// nextBlock is where from at on a block may begin, or the end of data.
func nextBlock(data []byte, at int64) int64 {
	for ; at < int64(len(data)); at += alignment {
		if bytes.HasPrefix(data[at:], []byte(blockMagic)) {
			return at
		}
	}
	return int64(len(data))
}
