package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

func records(t *testing.T, s suite) {
	t.Run("put, read and replace", func(t *testing.T) { putRecords(t, s.open) })
	t.Run("list in key order", func(t *testing.T) { listRecords(t, s.open) })
	t.Run("delete", func(t *testing.T) { deleteRecords(t, s.open) })
	t.Run("are no documents", func(t *testing.T) { recordsAreNoDocuments(t, s.open) })
	t.Run("thousands", func(t *testing.T) { manyRecords(t, s.open) })
}

func putRecords(t *testing.T, open opener) {
	st := open(t)
	var none models.FileRecord
	if ok, err := st.Record(t.Context(), "c", "k", &none); ok || err != nil {
		t.Errorf("Record of an empty store = %v, %v; want false", ok, err)
	}
	for _, want := range []models.FileRecord{
		{Path: "a.go", Size: 7, Documents: []models.DocumentID{"x"}},
		{Path: "a.go", Size: 8},
	} {
		apply(t, st, store.Batch{PutRecords: []store.Record{{Collection: "c", Key: "k", Value: want}}})
		var got models.FileRecord
		if ok, err := st.Record(t.Context(), "c", "k", &got); !ok || err != nil {
			t.Fatalf("Record = %v, %v; want true", ok, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Record (-want +got):\n%s", diff)
		}
	}
	for _, id := range []store.RecordID{
		{Collection: "c", Key: "kk"},
		{Collection: "cc", Key: "k"},
		{Collection: "c", Key: ""},
	} {
		if ok, err := st.Record(t.Context(), id.Collection, id.Key, nil); ok || err != nil {
			t.Errorf("Record %v = %v, %v; want false", id, ok, err)
		}
	}
}

func listRecords(t *testing.T, open opener) {
	st := open(t)
	var puts []store.Record
	for _, key := range []string{"b/c.go", "a", "ä", "b", "B", "b c"} {
		puts = append(puts, store.Record{Collection: "files:o/r", Key: key, Value: key + "!"})
	}
	puts = append(puts, store.Record{Collection: "files:o/r2", Key: "a", Value: 1},
		store.Record{Collection: "files:o", Key: "a", Value: 1})
	apply(t, st, store.Batch{PutRecords: puts[:3]})
	apply(t, st, store.Batch{PutRecords: puts[2:]})
	var got []string
	err := st.Records(t.Context(), "files:o/r", func(key string, value json.RawMessage) error {
		got = append(got, key+" "+string(value))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`B "B!"`, `a "a!"`, `b "b!"`, `b c "b c!"`, `b/c.go "b/c.go!"`, `ä "ä!"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Records (-want +got):\n%s", diff)
	}
	stop := errors.New("stop")
	n := 0
	err = st.Records(t.Context(), "files:o/r", func(string, json.RawMessage) error {
		n++
		return stop
	})
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("Records = %v after %d calls, want the error of the first", err, n)
	}
}

func deleteRecords(t *testing.T, open opener) {
	st := open(t)
	put := []store.Record{
		{Collection: "a", Key: "1", Value: 1},
		{Collection: "a", Key: "2", Value: 2},
		{Collection: "aa", Key: "1", Value: 3},
		{Collection: "b", Key: "1", Value: 4},
	}
	apply(t, st, store.Batch{PutRecords: put})
	apply(t, st, store.Batch{DeleteRecords: []store.RecordID{
		{Collection: "a"},
		{Collection: "b", Key: "1"},
		{Collection: "b", Key: "none"},
	}})
	want := []bool{false, false, true, false}
	for i, r := range put {
		ok, err := st.Record(t.Context(), r.Collection, r.Key, nil)
		if err != nil || ok != want[i] {
			t.Errorf("Record %s %s = %v, %v; want %v", r.Collection, r.Key, ok, err, want[i])
		}
	}
}

func recordsAreNoDocuments(t *testing.T, open opener) {
	st := open(t)
	doc := symbol("o/r", "a.go", "Walrus", "walrus")
	put(t, st, doc)
	score := search(t, st, fts.Request{Query: match(models.TypeSymbol, "walrus"), Size: 1}).Hits[0].Score
	apply(t, st, store.Batch{PutRecords: []store.Record{
		{Collection: "o/r", Key: "walrus", Value: doc},
		{Collection: "c", Key: string(doc.ID), Value: doc},
	}})
	res := search(t, st, fts.Request{Query: fts.MatchAll{}, Size: 10})
	if res.Total != 1 || len(res.Hits) != 1 {
		t.Errorf("%d hits of %d, want the one document", len(res.Hits), res.Total)
	}
	if got := search(t, st, fts.Request{Query: match(models.TypeSymbol, "walrus"), Size: 1}).Hits[0].Score; got != score {
		t.Errorf("score %v with records, %v without", got, score)
	}
	for _, id := range []models.DocumentID{"c", "walrus", "\x00c\x00walrus"} {
		if docs, err := st.Documents(t.Context(), []models.DocumentID{id}); err != nil || len(docs) != 0 {
			t.Errorf("Documents(%q) = %d, %v; want none", id, len(docs), err)
		}
	}
}

func manyRecords(t *testing.T, open opener) {
	st := open(t)
	const n = 3_000
	var puts []store.Record
	for i := range n {
		puts = append(puts, store.Record{
			Collection: "files:o/r", Key: fmt.Sprintf("dir%d/file%05d.go", i%7, i),
			Value: models.FileRecord{Size: int64(i)},
		})
	}
	apply(t, st, store.Batch{PutRecords: puts})
	seen, last := 0, ""
	err := st.Records(t.Context(), "files:o/r", func(key string, value json.RawMessage) error {
		var rec models.FileRecord
		if err := json.Unmarshal(value, &rec); err != nil {
			return err
		}
		if want := fmt.Sprintf("dir%d/file%05d.go", rec.Size%7, rec.Size); key <= last || key != want {
			return fmt.Errorf("key %q after %q, want %q", key, last, want)
		}
		seen++
		last = key
		return nil
	})
	if err != nil || seen != n {
		t.Errorf("Records = %d records, %v; want %d", seen, err, n)
	}
}
