package vector

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/ragnav/ragnav/internal/vector/values"
)

// Append writes rows, the last of several with one ID counting, and syncs the
// file. The rows are not visible before Publish. After an error the log is as
// it was before.
func (l *Log) Append(rows []Row) (Mark, error) {
	for _, r := range rows {
		if err := r.check(l.dims); err != nil {
			return Mark{}, fmt.Errorf("vector log: append: %w", err)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.writable(); err != nil {
		return Mark{}, err
	}
	g, end := l.published().gen, l.end()
	w := l.writer(g.file, end)
	if err := w.writeAll(rows); err != nil {
		// Should the file not even shrink, the next write goes over the remains.
		return Mark{}, errors.Join(fmt.Errorf("vector log: append: %w", err), g.file.Truncate(end))
	}
	if w.offset > end {
		l.pending = append(l.pending, w.offset)
	}
	return Mark{Generation: g.number, Offset: w.offset}, nil
}

// end is the offset at which the current generation goes on.
func (l *Log) end() int64 {
	if n := len(l.pending); n > 0 {
		return l.pending[n-1]
	}
	return l.published().mark.Offset
}

// find is the place of a mark in pending, -1 for the published mark.
func (l *Log) find(mark Mark) (int, error) {
	current := l.published().mark
	if mark == current {
		return -1, nil
	}
	i := slices.Index(l.pending, mark.Offset)
	if i < 0 || mark.Generation != current.Generation {
		return 0, fmt.Errorf("%+v is neither the published mark %+v nor one that Append returned since", mark, current)
	}
	return i, nil
}

func (l *Log) writable() error {
	switch {
	case l.closed:
		return ErrClosed
	case l.readOnly:
		return errors.New("vector log: it was opened to be read only")
	case l.next != nil:
		return errors.New("vector log: a compaction is neither published nor rolled back")
	}
	return nil
}

// Publish makes all rows up to mark, which Append or Compact returned, visible
// to new snapshots.
func (l *Log) Publish(mark Mark) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	if l.next != nil && mark == l.next.mark {
		l.switchToNext()
		return nil
	}
	i, err := l.find(mark)
	if err != nil {
		return fmt.Errorf("vector log: publish: %w", err)
	}
	if err := l.publish(mark); err != nil {
		return fmt.Errorf("vector log: publish: %w", err)
	}
	l.pending = l.pending[i+1:]
	return nil
}

func (l *Log) publish(mark Mark) error {
	next, err := l.published().upTo(mark)
	if err == nil {
		l.setCurrent(next)
	}
	return err
}

// Rollback drops what was appended or compacted after mark, which is the
// published mark or one that Append returned since.
func (l *Log) Rollback(mark Mark) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	i, err := l.find(mark)
	if err != nil {
		return fmt.Errorf("vector log: rollback: %w", err)
	}
	l.pending = l.pending[:i+1]
	if err := errors.Join(l.dropNext(), l.published().gen.file.Truncate(l.end())); err != nil {
		return fmt.Errorf("vector log: rollback: %w", err)
	}
	return nil
}

// Compact writes the live rows, in their order, to the file of a new generation
// and returns its mark. The owner commits the mark and calls Publish, which
// removes the old file, or calls Rollback with the mark before. Until then
// nothing can be appended. There must be no appended rows that are not
// published. Row numbers differ between generations.
func (l *Log) Compact() (Mark, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.writable(); err != nil {
		return Mark{}, err
	}
	v := l.published()
	if len(l.pending) > 0 {
		return Mark{}, errors.New("vector log: compact: appended rows are neither published nor rolled back")
	}
	g, err := openGeneration(l.root, v.mark.Generation+1, l.dims, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return Mark{}, fmt.Errorf("vector log: compact: %w", err)
	}
	next, err := l.rewrite(v, g)
	if err != nil {
		return Mark{}, errors.Join(fmt.Errorf("vector log: compact: %w", err), g.retire(l.root))
	}
	l.next = next
	return next.mark, nil
}

// rewrite copies the live rows of v to g, their codes as they are.
func (l *Log) rewrite(v *view, g *generation) (*view, error) {
	w := l.writer(g.file, 0)
	var of *block
	var stored *values.Reader
	for from, to := v.live.run(0, v.rows); from < to; from, to = v.live.run(to, v.rows) {
		for row := from; row < to; row++ {
			b, i := v.locate(row)
			if b != of {
				of, stored = b, values.NewReader(b.values)
			}
			value, err := b.valueOf(stored, i)
			if err != nil {
				return nil, err
			}
			if err := w.add(entry{id: b.id(i), meta: b.meta(i), value: value, Vector: b.coded(i, l.dims)}); err != nil {
				return nil, err
			}
		}
	}
	if err := errors.Join(w.finish(), syncDir(l.root)); err != nil {
		return nil, err
	}
	return loadView(g, Mark{Generation: g.number, Offset: w.offset}, Options{Whole: true})
}

// switchToNext makes the compacted generation the current one. The old file is
// of no more use, even where its removal fails: Open tries again.
func (l *Log) switchToNext() {
	old, next := l.published(), l.next
	l.next = nil
	l.setCurrent(next)
	_ = old.gen.retire(l.root)
}

func (l *Log) dropNext() error {
	if l.next == nil {
		return nil
	}
	g := l.next.gen
	l.next = nil
	return g.retire(l.root)
}
