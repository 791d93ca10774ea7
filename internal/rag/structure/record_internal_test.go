package structure

import (
	"encoding/json"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// What is read of a record is what it has: all of it stands before the documents.
func TestRecordIsReadToItsDocuments(t *testing.T) {
	full := models.FileRecord{
		Path: "a.go", Size: 7, ModTime: 8, Changed: 9, Hash: "00ff", Language: "Go", Lines: 3, Method: "go/parser",
		Skipped: models.SkipBinary, Detail: "{\"size\": 1}", Masked: 2, Documents: []models.DocumentID{"file:a:a.go"}, Top: 1,
		Summary: "Package a.", Exports: []string{"A"},
	}
	without := full
	without.Documents = nil
	for _, rec := range []models.FileRecord{full, without, {}} {
		stored, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		var got record
		err = got.decode(stored)
		want := record{rec.Size, rec.ModTime, rec.Language, rec.Lines, len(rec.Documents) > 0}
		if got != want || err != nil {
			t.Errorf("%s: %+v, %v; want %+v", stored, got, err, want)
		}
		if len(rec.Documents) > 0 {
			continue // it may be cut behind them
		}
		if err := new(record).decode(stored[:len(stored)-1]); err == nil {
			t.Errorf("%s: cut, and no error", stored)
		}
	}
}
