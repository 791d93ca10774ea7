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

	entries []entry
	size    int
	buf     []byte
}

// writeAll takes rows that were checked.
func (w *writer) writeAll(rows []Row) error {
	for _, r := range rows {
		if err := w.add(r.entry()); err != nil {
			return err
		}
	}
	return w.finish()
}

// add may write.
func (w *writer) add(e entry) error {
	w.entries = append(w.entries, e)
	w.size += len(e.id) + len(e.meta) + len(e.value) + len(e.Codes)
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
	if len(w.entries) == 0 {
		return nil
	}
	start := w.offset
	w.buf = w.buf[:0]
	if start == 0 {
		w.buf = append(w.buf, fileHeader(w.dims)...)
	}
	w.buf = sheetOf(w.entries, w.dims).appendTo(w.buf, w.dims, start+int64(len(w.buf)))
	if _, err := w.writeAt(w.file, w.buf, start); err != nil {
		return err
	}
	w.offset += int64(len(w.buf))
	w.entries, w.size = w.entries[:0], 0
	return nil
}
