package structure

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A record is what is told here of a models.FileRecord.
type record struct {
	Size     int64
	ModTime  int64
	Language string
	Lines    int
	indexed  bool // it has documents
}

// recordOf is that of a file; the zero record where there is none.
func recordOf(ctx context.Context, x *explorer, file string) (rec record, err error) {
	var stored json.RawMessage
	ok, err := x.index.Record(ctx, models.FilesCollection(x.known.RepoID), file, &stored)
	if err == nil && ok {
		if err = rec.decode(stored); err != nil {
			err = fmt.Errorf("the record of %s: %w", file, err)
		}
	}
	return rec, err
}

// decode reads a record up to its documents, before which all that is wanted stands:
// their ids are most of it.
func (r *record) decode(stored []byte) error {
	from := json.NewDecoder(bytes.NewReader(stored))
	if _, err := from.Token(); err != nil {
		return err
	}
	for from.More() {
		field, err := from.Token()
		if err != nil {
			return err
		}
		var into any = new(json.RawMessage)
		switch field {
		case "size":
			into = &r.Size
		case "mtime":
			into = &r.ModTime
		case "language":
			into = &r.Language
		case "lines":
			into = &r.Lines
		case "documents":
			r.indexed = true // a list without any is left out
			return nil
		}
		if err := from.Decode(into); err != nil {
			return err
		}
	}
	_, err := from.Token()
	return err
}
