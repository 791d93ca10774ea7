package couchbase_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/test/cbtest"
)

// What a batch has twice is decided before it is sent.
func TestApplyWritesEachKeyOnce(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	first, last := document("a.go", "walrus"), document("a.go", "penguin")
	last.Content = "last"
	record := func(v int) store.Record { return store.Record{Collection: "c", Key: "k", Value: v} }
	node.ResetCalls()
	err := s.Apply(t.Context(), store.Batch{
		Delete: []models.DocumentID{first.ID, ""}, Put: []models.Document{first, last},
		DeleteRecords: []store.RecordID{{Collection: "c", Key: "k"}}, PutRecords: []store.Record{record(1), record(2)},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"CMD_SET ragnav.code.documents/file:o/r:a.go durability=majority",
		"CMD_SET ragnav.code.records/c|k durability=majority",
	}
	if diff := cmp.Diff(want, mutations(node)); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
	docs, err := s.Documents(t.Context(), []models.DocumentID{first.ID})
	if err != nil || len(docs) != 1 || docs[0].Content != "last" {
		t.Errorf("Documents = %+v, %v; want the last put", docs, err)
	}
	var v int
	if _, err := s.Record(t.Context(), "c", "k", &v); err != nil || v != 2 {
		t.Errorf("Record = %d, %v; want 2", v, err)
	}
}

func mutations(node *cbtest.Node) []string {
	var out []string
	for _, c := range node.Calls() {
		switch c.Op {
		case "CMD_SET", "CMD_DELETE", "CMD_ADD", "CMD_REPLACE":
			out = append(out, c.Op+" "+c.Body)
		}
	}
	return out
}

func TestDurability(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	for level, want := range map[string]string{
		"": " durability=majority", "majority": " durability=majority",
		"persist": " durability=persistToMajority", "none": "",
	} {
		s := clustertest.Open(t, node, func(c *driver.Config) { c.Durability = level })
		node.ResetCalls()
		if err := s.Apply(t.Context(), store.Batch{PutRecords: []store.Record{{Collection: "c", Key: "k", Value: 1}}}); err !=
			nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"CMD_SET ragnav.code.records/c|k" + want}, mutations(node)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", level, diff)
		}
	}
}

// A batch that cannot be stored as a whole is not stored in part.
func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	large := document("large.go", "")
	large.Content = strings.Repeat("x", 20<<20)
	tests := []struct {
		name string
		b    store.Batch
		says string
	}{
		{"id that is no text", store.Batch{Put: []models.Document{document("\xff.go", "")}}, "not the id of a document"},
		{
			"key that is no text",
			store.Batch{PutRecords: []store.Record{{Collection: "c", Key: "\xff", Value: 1}}},
			"do not name a record",
		},
		{"document too large", store.Batch{Put: []models.Document{large}}, "larger than the 20 MiB"},
		{
			"value that is no JSON",
			store.Batch{PutRecords: []store.Record{{Collection: "c", Key: "k", Value: math.NaN()}}},
			"cannot be stored",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.b.Put = append(tt.b.Put, document("good.go", ""))
			tt.b.Delete = append(tt.b.Delete, "file:o/r:x")
			node.ResetCalls()
			err := s.Apply(t.Context(), tt.b)
			if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(fault.MessageOf(err), tt.says) {
				t.Errorf("Apply = %.200v, want %s with %q", err, fault.InvalidRequest, tt.says)
			}
			if got := mutations(node); len(got) > 0 {
				t.Errorf("a part was written: %q", got)
			}
		})
	}
}

// Ids longer than a key work like others.
func TestLongIDs(t *testing.T) {
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	a, b := document(strings.Repeat("long/", 60)+"a.go", "walrus"), document(strings.Repeat("long/", 60)+"b.go", "walrus")
	applyAndSettle(t, s, store.Batch{
		Put:        []models.Document{b, a},
		PutRecords: []store.Record{{Collection: "files:o/r", Key: a.FilePath, Value: 7}},
	})
	docs, err := s.Documents(t.Context(), []models.DocumentID{b.ID, a.ID})
	if err != nil || len(docs) != 2 || docs[0].ID != b.ID || docs[1].ID != a.ID {
		t.Errorf("Documents = %d, %v; want both", len(docs), err)
	}
	res, err := s.Search(t.Context(), fts.Request{Query: fts.IDs{IDs: []string{string(b.ID), string(a.ID)}}, Size: 5})
	if err != nil || len(res.Hits) != 2 || res.Hits[0].ID != a.ID {
		t.Errorf("Search = %+v, %v; want a before b", res.Hits, err)
	}
	var v int
	if ok, err := s.Record(t.Context(), "files:o/r", a.FilePath, &v); !ok || err != nil || v != 7 {
		t.Errorf("Record = %v, %v, %d; want 7", ok, err, v)
	}
	applyAndSettle(t, s, store.Batch{Delete: []models.DocumentID{a.ID, b.ID}})
	if n := node.Len("documents"); n != 0 {
		t.Errorf("%d documents are left", n)
	}
}

// More documents than a page of the list.
func TestDeleteLargeRepository(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	b := store.Batch{Put: []models.Document{{Header: models.Header{
		ID: "repo:o/rest", Type: models.TypeRepo,
		RepoID: "o/rest",
	}}}}
	for i := range 2500 {
		b.Put = append(b.Put, document(fmt.Sprint(i), ""))
		b.PutRecords = append(b.PutRecords, store.Record{Collection: "files:o/r", Key: fmt.Sprint(i), Value: i})
	}
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	err := s.Apply(t.Context(),
		store.Batch{DeleteRepos: []models.RepoID{"o/r"}, DeleteRecords: []store.RecordID{{Collection: "files:o/r"}}})
	if docs, records := node.Len("documents"), node.Len("records"); err != nil || docs != 1 || records != 0 {
		t.Errorf("%d documents and %d records are left, %v; want 1 and 0", docs, records, err)
	}
}

// A closed store says so.
func TestClosed(t *testing.T) {
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, op := range []operation{opApply, opDocuments, opRecord, opRecords, opSearch} {
		if err := op.do(t.Context(), s); fault.CodeOf(err) != fault.RAGUnavailable ||
			!strings.Contains(fault.MessageOf(err), "is closed") {
			t.Errorf("%s = %v, want a word on the closed store", op.name, err)
		}
	}
}
