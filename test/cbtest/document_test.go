package cbtest_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/couchbase/gocb/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/test/cbtest"
)

type content struct {
	A string `json:"a"`
}

func TestWritesAndVersions(t *testing.T) {
	n, _, s := start(t, cbtest.Options{})
	docs := s.Collection("documents")
	first, err := docs.Insert("k", content{"1"}, nil)
	wantErr(t, "Insert", err, nil)
	_, err = docs.Insert("k", content{"2"}, nil)
	wantErr(t, "Insert again", err, gocb.ErrDocumentExists)
	second, err := docs.Replace("k", content{"2"}, &gocb.ReplaceOptions{Cas: first.Cas()})
	wantErr(t, "Replace", err, nil)
	if first.Cas() == second.Cas() {
		t.Error("a write keeps the CAS")
	}
	_, err = docs.Replace("k", content{"3"}, &gocb.ReplaceOptions{Cas: first.Cas()})
	wantErr(t, "Replace of an old version", err, gocb.ErrCasMismatch)
	_, err = docs.Replace("none", content{"3"}, nil)
	wantErr(t, "Replace of nothing", err, gocb.ErrDocumentNotFound)
	_, err = docs.Remove("k", &gocb.RemoveOptions{Cas: first.Cas()})
	wantErr(t, "Remove of an old version", err, gocb.ErrCasMismatch)
	got, err := docs.Get("k", nil)
	if err != nil {
		t.Fatal(err)
	}
	var c content
	if err := got.Content(&c); err != nil || c.A != "2" || got.Cas() != second.Cas() {
		t.Errorf("Get: %v %v %v, want 2 and the CAS of the second write", c, got.Cas(), err)
	}
	_, err = docs.Remove("k", &gocb.RemoveOptions{Cas: second.Cas()})
	wantErr(t, "Remove", err, nil)
	_, err = docs.Remove("k", nil)
	wantErr(t, "Remove again", err, gocb.ErrDocumentNotFound)
	_, err = docs.Get("k", nil)
	wantErr(t, "Get of what was removed", err, gocb.ErrDocumentNotFound)
	exists, err := docs.Exists("k", nil)
	if err != nil || exists.Exists() {
		t.Errorf("Exists: %v, %v", exists, err)
	}
	if got := n.Len("documents"); got != 0 {
		t.Errorf("Len = %d, want 0", got)
	}
}

func TestDurabilityIsAcceptedAndRecorded(t *testing.T) {
	n, _, s := start(t, cbtest.Options{})
	levels := []gocb.DurabilityLevel{
		gocb.DurabilityLevelNone, gocb.DurabilityLevelMajority,
		gocb.DurabilityLevelMajorityAndPersistOnMaster, gocb.DurabilityLevelPersistToMajority,
	}
	for _, level := range levels {
		_, err := s.Collection("records").Upsert("k", 1, &gocb.UpsertOptions{DurabilityLevel: level})
		wantErr(t, "Upsert", err, nil)
	}
	var got []string
	for _, c := range n.Calls() {
		if c.Op == "CMD_SET" {
			got = append(got, strings.TrimPrefix(c.Body, "b.code.records/k"))
		}
	}
	want := []string{"", " durability=majority", " durability=majorityAndPersistToActive", " durability=persistToMajority"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestExpiry(t *testing.T) {
	var passed atomic.Int64 // seconds
	now := time.Unix(1_700_000_000, 0)
	n, _, s := start(t, cbtest.Options{Now: func() time.Time {
		return now.Add(
			time.Duration(passed.Load()) * time.Second)
	}})
	records := s.Collection("records")
	write := func(key string, expiry time.Duration) {
		t.Helper()
		_, err := records.Upsert(key, content{key}, &gocb.UpsertOptions{Expiry: expiry})
		wantErr(t, "Upsert "+key, err, nil)
	}
	write("short", 10*time.Second)
	write("kept", 10*time.Second)
	write("forever", 0)
	_, err := records.Upsert("kept", content{"new"}, &gocb.UpsertOptions{PreserveExpiry: true})
	wantErr(t, "Upsert with the expiry kept", err, nil)

	passed.Store(9)
	if got := n.Len("records"); got != 3 {
		t.Errorf("after 9 s: %d documents, want 3", got)
	}
	passed.Store(10)
	_, err = records.Get("short", nil)
	wantErr(t, "Get of an expired document", err, gocb.ErrDocumentNotFound)
	_, err = records.Insert("short", content{"again"}, nil)
	wantErr(t, "Insert over an expired document", err, nil)
	if got := n.Len("records"); got != 2 {
		t.Errorf("after 10 s: %d documents, want 2: short, forever", got)
	}
}

func TestLimits(t *testing.T) {
	_, _, s := start(t, cbtest.Options{})
	docs := s.Collection("documents")
	raw := &gocb.UpsertOptions{Transcoder: gocb.NewRawBinaryTranscoder(), Timeout: patience}
	for _, c := range []struct {
		name  string
		key   string
		bytes int
		want  error
	}{
		{"longest key", strings.Repeat("k", 246), 1, nil},
		{"key too long", strings.Repeat("k", 247), 1, gocb.ErrInvalidArgument},
		{"largest value", "k", 20 << 20, nil},
		{"value too large", "k", 20<<20 + 1, gocb.ErrValueTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := docs.Upsert(c.key, make([]byte, c.bytes), raw)
			wantErr(t, "Upsert", err, c.want)
		})
	}
}

// gocb asks for an unknown collection again until the time is up.
func TestUnknownPlaces(t *testing.T) {
	_, c, s := start(t, cbtest.Options{})
	quick := &gocb.GetOptions{Timeout: 100 * time.Millisecond}
	_, err := s.Collection("other").Get("k", quick)
	wantErr(t, "unknown collection", err, gocb.ErrTimeout)
	_, err = c.Bucket("b").Scope("other").Collection("documents").Get("k", quick)
	wantErr(t, "unknown scope", err, gocb.ErrTimeout)
	if err := c.Bucket("other").WaitUntilReady(300*time.Millisecond, nil); err == nil {
		t.Error("unknown bucket: ready")
	}
}

func TestBulkWritesHaveTheirOwnErrors(t *testing.T) {
	_, _, s := start(t, cbtest.Options{})
	docs := s.Collection("documents")
	ops := []gocb.BulkOp{
		&gocb.UpsertOp{ID: "a", Value: content{"a"}},
		&gocb.RemoveOp{ID: "none"},
		&gocb.InsertOp{ID: "b", Value: content{"b"}},
	}
	if err := docs.Do(ops, nil); err != nil {
		t.Fatal(err)
	}
	wantErr(t, "upsert", ops[0].(*gocb.UpsertOp).Err, nil)
	wantErr(t, "remove", ops[1].(*gocb.RemoveOp).Err, gocb.ErrDocumentNotFound)
	wantErr(t, "insert", ops[2].(*gocb.InsertOp).Err, nil)
}
