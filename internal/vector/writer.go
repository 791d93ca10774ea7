package vector

import "os"

// blockBytes is about the size of the blocks that a large write is cut into.
const blockBytes = 4 << 20

// A writer appends blocks to a file.
type writer struct {
	file    *os.File
	writeAt func(f *os.File, b []byte, offset int64) (int, error)
	dims    int
	offset  int64 // where the next block goes

	rows []Row
	size int
	buf  []byte
}

func (l *Log) writer(file *os.File, offset int64) *writer {
	return &writer{file: file, writeAt: l.writeAt, dims: l.dims, offset: offset}
}

func (w *writer) writeAll(rows []Row) error {
	for _, r := range rows {
		if err := w.add(r); err != nil {
			return err
		}
	}
	return w.finish()
}

// add takes a row that was checked; it may write.
func (w *writer) add(r Row) error {
	w.rows = append(w.rows, r)
	w.size += len(r.ID) + len(r.Meta) + 5*len(r.Vector)
	if w.size < blockBytes {
		return nil
	}
	return w.flush()
}

func (w *writer) finish() error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.file.Sync()
}

func (w *writer) flush() error {
	if len(w.rows) == 0 {
		return nil
	}
	start := w.offset
	w.buf = w.buf[:0]
	if start == 0 {
		w.buf = append(w.buf, fileHeader(w.dims)...)
	}
	w.buf = appendBlock(w.buf, w.rows, w.dims, start+int64(len(w.buf)))
	if _, err := w.writeAt(w.file, w.buf, start); err != nil {
		return err
	}
	w.offset += int64(len(w.buf))
	w.rows, w.size = w.rows[:0], 0
	return nil
}
