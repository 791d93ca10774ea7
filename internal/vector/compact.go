package vector

import (
	"errors"
	"fmt"
	"os"
)

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
	for from, to := v.live.run(0, v.rows); from < to; from, to = v.live.run(to, v.rows) {
		for row := from; row < to; row++ {
			b, i := v.locate(row)
			err := w.add(entry{id: b.id(i), meta: b.meta(i), coded: b.coded(i, l.dims)})
			if err != nil {
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
