package rowindex

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/vector"
)

// Rows are found by their serials in every snapshot, also in one that is older
// than the last that was asked about.
func TestRowTable(t *testing.T) {
	log, err := vector.Open(t.TempDir(), 2, vector.Mark{}, vector.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	serials := rand.New(rand.NewPCG(1, 2)).Perm(5000)
	snapshot := func(from, to int) *vector.Snapshot {
		var rows []vector.Row
		for _, serial := range serials[from:to] {
			serial := uint32(serial*100000 + from) //nolint:gosec // small
			rows = append(rows, vector.Row{
				ID:   fmt.Sprint(serial),
				Meta: codec.EncodeMeta(serial, models.Header{}, models.EmbeddingKey{}),
			})
		}
		mark, err := log.Append(rows)
		if err == nil {
			err = log.Publish(mark)
		}
		if err != nil {
			t.Fatal(err)
		}
		return log.Snapshot()
	}
	first := snapshot(0, 2000)
	defer first.Release()
	var table Table
	if _, err := table.Rows(first); err != nil {
		t.Fatal(err)
	}
	for i, from := range serials[:2000] {
		find, err := table.Rows(first)
		if row := find.Row(uint32(from * 100000)); err != nil || row != i { //nolint:gosec // small
			t.Fatalf("serial %d is in row %d, not %d: %v", from*100000, row, i, err)
		}
	}
	second := snapshot(4000, 4001)
	defer second.Release()
	for range 2 {
		if _, err := table.Rows(second); err != nil {
			t.Fatal(err)
		}
		if _, err := table.Rows(first); err != nil {
			t.Fatal(err)
		}
	}
}
