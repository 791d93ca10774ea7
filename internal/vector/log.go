package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
)

// maxDims keeps sums of products of codes within an int32.
const maxDims = 1 << 16

// ErrClosed is the error of a Log that was closed.
var ErrClosed = errors.New("vector log is closed")

// A Log is an append-only table of rows in a directory of its own. One process
// may have it open. Reading is concurrent with everything; the writing methods
// may be called concurrently and wait for each other.
//
// A change takes three steps, so that the owner can commit it together with
// data of its own: Append (or Compact) writes and syncs, the owner makes the
// returned Mark durable, Publish shows the change to new snapshots. After a
// commit that failed, Rollback drops the change. After a crash, Open drops
// whatever lies beyond the committed mark.
type Log struct {
	dims     int
	root     *os.Root // nil where there are no files
	readOnly bool
	// writeAt is (*os.File).WriteAt, except in tests of full disks.
	writeAt func(f *os.File, b []byte, offset int64) (int, error)

	mu      sync.Mutex // held by the one writer; guards what follows
	pending []int64    // offsets of the marks that are appended and not yet published
	next    *view      // compacted and not yet published, or nil
	closed  bool
	known   Mark   // of the rows that the file with what is known is about
	owned   []byte // what its owner added to that

	currentMu sync.Mutex // guards current, never held for long
	current   *view
}

// Options say how to open a log. The zero Options are for its writer.
type Options struct {
	// ReadOnly changes nothing on disk, and refuses to be written to.
	ReadOnly bool
	// Whole says that the file is known to be as it was written: only checksums
	// of ids and metas are compared, and those not of rows that are known.
	Whole bool
	// KnownWhole says the same of the file with what is known.
	KnownWhole bool
	// Salvage leaves out what is damaged, and reads to the end of the file. What
	// there is can be read, and compacted.
	Salvage bool
}

// Open opens the log in dir, which it creates, for vectors of dims components
// (1 to 65,536) as it was at mark at. It cuts off what was written after the
// mark and removes files of other generations. The error wraps ErrCorrupt when
// the files don't have what the mark promises; nothing was changed then.
//
// It maps the file and reads the ids. Checksums are checked, unless options say
// that the file is whole: then only those of ids and metas.
func Open(dir string, dims int, at Mark, o Options) (*Log, error) {
	if dims < 1 || dims > maxDims {
		return nil, fmt.Errorf("vector log: %d dimensions are not in 1..%d", dims, maxDims)
	}
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil, errors.New("vector log: this machine is big-endian; only little-endian ones are supported")
	}
	if o.ReadOnly && at == (Mark{}) {
		return &Log{dims: dims, readOnly: true, current: emptyView(dims)}, nil
	}
	if !o.ReadOnly {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("vector log: %w", err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("vector log: %w", err)
	}
	l := &Log{dims: dims, root: root, readOnly: o.ReadOnly, writeAt: (*os.File).WriteAt}
	l.current, err = l.openAt(root, dims, at, o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("vector log %s: %w", FileName(at.Generation), err), root.Close())
	}
	return l, nil
}

// Owned is what the owner added when it saved what is known of the rows up to a
// mark; nil where nothing is.
func (l *Log) Owned() (Mark, []byte) { return l.known, l.owned }

// Check reads a log up to a mark that its owner has committed, whoever has it
// open, and compares all checksums. The error is that of Open.
func Check(dir string, dims int, at Mark) error {
	if at == (Mark{}) {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("vector log: %w", err)
	}
	defer func() { _ = root.Close() }()
	g, err := openGeneration(root, at.Generation, dims, os.O_RDONLY)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("vector log %s: %w: %w", FileName(at.Generation), err, ErrCorrupt)
	} else if err != nil {
		return fmt.Errorf("vector log: %w", err)
	}
	defer func() { _ = g.retire(nil) }()
	if err = g.has(at.Offset); err != nil {
		return fmt.Errorf("vector log %s: %w", FileName(at.Generation), err)
	}
	blocks, err := g.read(0, at.Offset)
	for i := range blocks {
		err = errors.Join(err, blocks[i].verify())
	}
	if err != nil {
		return fmt.Errorf("vector log %s: %w", FileName(at.Generation), err)
	}
	return nil
}

func (l *Log) openAt(root *os.Root, dims int, at Mark, o Options) (*view, error) {
	if at.Offset < 0 || at.Offset%alignment != 0 {
		return nil, fmt.Errorf("no mark has offset %d: %w", at.Offset, ErrCorrupt)
	}
	flags := os.O_RDWR
	if o.ReadOnly || o.Salvage {
		flags = os.O_RDONLY
	} else if at.Offset == 0 {
		flags |= os.O_CREATE
	}
	if info, err := root.Stat(FileName(at.Generation)); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is not a file: %w", ErrCorrupt)
	}
	g, err := openGeneration(root, at.Generation, dims, flags)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	} else if err != nil {
		return nil, err
	}
	var v *view
	if o.Whole && !o.Salvage && at.Offset > 0 && g.has(at.Offset) == nil {
		if v, l.owned = loadKnown(root, g, at, o.KnownWhole); v != nil {
			l.known = v.mark
			v, err = v.upTo(at)
		}
	}
	if v == nil && err == nil {
		v, err = loadView(g, at, o)
	}
	if err == nil && flags != os.O_RDONLY {
		err = errors.Join(g.trim(at.Offset), removeOthers(root, at.Generation))
	}
	if err == nil && flags&os.O_CREATE != 0 {
		err = syncDir(root)
	}
	if err != nil {
		return nil, errors.Join(err, g.retire(nil))
	}
	return v, nil
}

// Snapshot is the table as last published. The caller must release it. After
// Close it is an empty table.
func (l *Log) Snapshot() *Snapshot {
	l.currentMu.Lock()
	defer l.currentMu.Unlock()
	l.current.gen.refs.Add(1)
	return &Snapshot{view: l.current}
}

// Mark is the mark of the table as last published.
func (l *Log) Mark() Mark { return l.published().mark }

// Dead is the share (0 to 1) of the published rows that are of no use: replaced
// or deleted rows, and deletions. Compact brings it to 0.
func (l *Log) Dead() float64 {
	v := l.published()
	if v.rows == 0 {
		return 0
	}
	return float64(v.rows-v.live.Count()) / float64(v.rows)
}

func (l *Log) published() *view {
	l.currentMu.Lock()
	defer l.currentMu.Unlock()
	return l.current
}

func (l *Log) setCurrent(v *view) {
	l.currentMu.Lock()
	defer l.currentMu.Unlock()
	l.current = v
}

// Close closes the files. What was not published is dropped by the next Open.
// Snapshots that were not released stay valid.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	old := l.published()
	l.setCurrent(emptyView(l.dims))
	err := old.gen.retire(nil)
	if l.next != nil { // it may be committed
		err = errors.Join(err, l.next.gen.retire(nil))
	}
	if l.root != nil {
		err = errors.Join(err, l.root.Close())
	}
	return err
}

// SaveKnown writes what is known of the published rows, and data of the owner's
// about them, where that has changed, and reports whether it did. It need not
// survive a crash.
func (l *Log) SaveKnown(owner func() ([]byte, error)) (saved bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.published()
	if l.closed || l.readOnly || v.rows < knownFrom || v.mark == l.known || l.next != nil || len(l.pending) > 0 {
		return false, nil
	}
	own, err := owner()
	if err != nil {
		return false, err
	}
	const part = KnownName + ".new"
	if err := l.root.WriteFile(part, v.encodeKnown(own), 0o600); err != nil {
		return false, errors.Join(err, l.root.Remove(part))
	}
	l.known = v.mark
	err = l.root.Rename(part, KnownName)
	return err == nil, err
}

func (l *Log) writer(file *os.File, offset int64) *writer {
	return &writer{file: file, writeAt: l.writeAt, dims: l.dims, offset: offset}
}
