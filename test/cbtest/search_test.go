package cbtest_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/couchbase/gocb/v2"
	"github.com/couchbase/gocb/v2/search"
	"github.com/couchbase/gocb/v2/vector"
	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/test/cbtest"
)

// indexDefinition indexes type and a vector of two components.
const indexDefinition = `{
	"name": "i", "type": "fulltext-index", "sourceType": "gocbcore", "sourceName": "b",
	"planParams": {"indexPartitions": 1},
	"params": {
		"doc_config": {"mode": "scope.collection.type_field", "type_field": "type"},
		"mapping": {
			"default_analyzer": "standard", "default_mapping": {"enabled": false},
			"types": {"code.documents": {"enabled": true, "dynamic": false, "properties": {
				"type": {"enabled": true, "fields": [{"name": "type", "type": "text", "analyzer": "keyword", "index": true, "store": true}]},
				"embedding": {"enabled": true, "fields": [{"name": "embedding", "type": "vector_base64", "dims": 2, "similarity": "l2_norm", "index": true}]}
			}}}
		},
		"store": {"indexType": "scorch", "segmentVersion": 16}
	}
}`

type embedded struct {
	Type      string `json:"type"`
	Embedding string `json:"embedding"`
}

func embed(kind string, x, y float32) embedded {
	b := binary.LittleEndian.AppendUint32(nil, math.Float32bits(x))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(y))
	return embedded{kind, base64.StdEncoding.EncodeToString(b)}
}

// withIndex is start with the index i.
func withIndex(t *testing.T, o cbtest.Options) (*cbtest.Node, *gocb.Scope) {
	t.Helper()
	n, _, s := start(t, o)
	var index gocb.SearchIndex
	if err := json.Unmarshal([]byte(indexDefinition), &index); err != nil {
		t.Fatal(err)
	}
	if err := s.SearchIndexes().UpsertIndex(index, nil); err != nil {
		t.Fatal(err)
	}
	return n, s
}

// find returns the ids that a search finds, and its metadata.
func find(s *gocb.Scope, request gocb.SearchRequest, o *gocb.SearchOptions) ([]string, *gocb.SearchMetaData, error) {
	r, err := s.Search("i", request, o)
	if err != nil {
		return nil, nil, err
	}
	ids := []string{}
	for r.Next() {
		ids = append(ids, r.Row().ID)
	}
	if err := r.Err(); err != nil {
		return nil, nil, err
	}
	m, err := r.MetaData()
	return ids, m, err
}

var ofTypeA = gocb.SearchRequest{SearchQuery: search.NewTermQuery("a").Field("type")}

func put(t *testing.T, s *gocb.Scope, key string, v any) gocb.MutationToken {
	t.Helper()
	r, err := s.Collection("documents").Upsert(key, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return *r.MutationToken()
}

func TestVectorSearchWithPrefilter(t *testing.T) {
	_, s := withIndex(t, cbtest.Options{})
	put(t, s, "near", embed("b", 1, 0))
	put(t, s, "far", embed("a", 0, 1))
	put(t, s, "farther", embed("a", -1, 0))
	nearest := vector.NewQuery("embedding",
		[]float32{1, 0}).NumCandidates(1).Prefilter(search.NewTermQuery("a").Field("type"))
	ids, m, err := find(s, gocb.SearchRequest{VectorSearch: vector.NewSearch([]*vector.Query{nearest}, nil)},
		&gocb.SearchOptions{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"far"}, ids); diff != "" {
		t.Error(diff)
	}
	if m.Metrics.TotalPartitionCount != 1 || m.Metrics.ErrorPartitionCount != 0 {
		t.Errorf("partitions: %+v", m.Metrics)
	}
}

func TestSearchSeesWritesDeletionsAndExpiry(t *testing.T) {
	var passed atomic.Int64
	now := time.Unix(1_700_000_000, 0)
	_, s := withIndex(t, cbtest.Options{Now: func() time.Time {
		return now.Add(
			time.Duration(passed.Load()) * time.Second)
	}})
	put(t, s, "1", embedded{Type: "a"})
	put(t, s, "2", embedded{Type: "a"})
	put(t, s, "3", embedded{Type: "a"})
	put(t, s, "2", embedded{Type: "b"})
	_, err := s.Collection("documents").Upsert("brief", embedded{Type: "a"}, &gocb.UpsertOptions{Expiry: 5 * time.Second})
	wantErr(t, "Upsert", err, nil)
	_, err = s.Collection("records").Upsert("elsewhere", embedded{Type: "a"}, nil)
	wantErr(t, "Upsert elsewhere", err, nil)
	_, err = s.Collection("documents").Remove("3", nil)
	wantErr(t, "Remove", err, nil)
	for _, x := range []struct {
		passed int64
		want   []string
	}{{0, []string{"1", "brief"}}, {5, []string{"1"}}} {
		passed.Store(x.passed)
		got, _, err := find(s, ofTypeA, nil)
		wantErr(t, "Search", err, nil)
		slices.Sort(got) // they have the same score
		if diff := cmp.Diff(x.want, got); diff != "" {
			t.Errorf("after %d s: %s", x.passed, diff)
		}
	}
	count, err := s.SearchIndexes().GetIndexedDocumentsCount("i", nil)
	if err != nil || count != 2 {
		t.Errorf("count %d, %v, want 2", count, err)
	}
}

func TestSearchIndexManager(t *testing.T) {
	_, s := withIndex(t, cbtest.Options{})
	m := s.SearchIndexes()
	got, err := m.GetIndex("i", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "i" || got.UUID == "" || got.SourceName != "b" {
		t.Errorf("GetIndex: %+v", got)
	}
	wantErr(t, "UpsertIndex with its uuid", m.UpsertIndex(*got, nil), nil)
	without := *got
	without.UUID = ""
	wantErr(t, "UpsertIndex without", m.UpsertIndex(without, nil), gocb.ErrIndexExists)
	without.Type = "no type"
	without.Name = "other"
	if err := m.UpsertIndex(without, nil); err == nil {
		t.Error("a wrong definition is accepted")
	}
	all, err := m.GetAllIndexes(nil)
	if err != nil || len(all) != 1 {
		t.Errorf("GetAllIndexes: %v, %v, want one", all, err)
	}
	_, err = m.GetIndex("other", nil)
	wantErr(t, "GetIndex of none", err, gocb.ErrIndexNotFound)
	_, err = s.Search("other", ofTypeA, nil)
	wantErr(t, "Search in none", err, gocb.ErrIndexNotFound)
	wantErr(t, "DropIndex", m.DropIndex("i", nil), nil)
	wantErr(t, "DropIndex again", m.DropIndex("i", nil), gocb.ErrIndexNotFound)
	all, err = m.GetAllIndexes(nil)
	if err != nil || len(all) != 0 {
		t.Errorf("GetAllIndexes: %v, %v, want none", all, err)
	}
	_, err = s.Search("i", ofTypeA, nil)
	var failed *gocb.SearchError
	if !errors.As(err, &failed) || failed.HTTPStatusCode != 400 ||
		!strings.Contains(failed.ErrorText, "no index definitions found") {
		t.Errorf("Search without any index: %v", err)
	}
}

func TestSearchLagsBehindAndCatchesUp(t *testing.T) {
	var lag atomic.Int64
	lag.Store(int64(time.Hour))
	_, s := withIndex(t, cbtest.Options{Lag: func() time.Duration { return time.Duration(lag.Load()) }})
	token := put(t, s, "1", embedded{Type: "a"})
	got, _, err := find(s, ofTypeA, nil)
	wantErr(t, "Search", err, nil)
	if diff := cmp.Diff([]string{}, got); diff != "" {
		t.Errorf("a search without consistency sees the write: %s", diff)
	}
	with := func() *gocb.SearchOptions { return asOf(s, token) }
	late := with()
	late.Timeout = 100 * time.Millisecond
	_, _, err = find(s, ofTypeA, late)
	var failed *gocb.SearchError
	if !errors.Is(err, gocb.ErrTimeout) && (!errors.As(err, &failed) || failed.HTTPStatusCode != 412) {
		t.Errorf("a search that cannot be consistent in time: %v, want a timeout of either side", err)
	}
	found := make(chan []string, 1)
	go func() {
		ids, _, _ := find(s, ofTypeA, with()) // nil on an error, which is not what is wanted
		found <- ids
	}()
	lag.Store(0)
	if diff := cmp.Diff([]string{"1"}, <-found); diff != "" {
		t.Error(diff)
	}
	eventually(t, "the index catches up", func() bool {
		ids, _, err := find(s, ofTypeA, nil)
		return err == nil && len(ids) == 1
	})
}

func TestConsistencyWithAnotherHistory(t *testing.T) {
	_, s := withIndex(t, cbtest.Options{})
	_, other := withIndex(t, cbtest.Options{})
	token := put(t, other, "1", embedded{Type: "a"})
	_, _, err := find(s, ofTypeA, asOf(s, token))
	var failed *gocb.SearchError
	if !errors.As(err, &failed) || failed.HTTPStatusCode != 400 ||
		!strings.Contains(failed.ErrorText, "pindex_consistency mismatched partition") {
		t.Errorf("Search: %v, want a 400", err)
	}
	// The driver's own option names the index as it is called in its scope, which
	// the server does not know: it waits for nothing and says nothing.
	if _, _, err := find(s, ofTypeA, &gocb.SearchOptions{ConsistentWith: gocb.NewMutationState(token)}); err != nil {
		t.Errorf("Search with the driver's option: %v", err)
	}
}

// asOf has a search wait for a write.
func asOf(s *gocb.Scope, token gocb.MutationToken) *gocb.SearchOptions {
	write := map[string]uint64{fmt.Sprintf("%d/%d", token.PartitionID(), token.PartitionUUID()): token.SequenceNumber()}
	vectors := map[string]any{s.BucketName() + "." + s.Name() + ".i": write}
	ctl := map[string]any{"consistency": map[string]any{"level": "at_plus", "vectors": vectors}}
	return &gocb.SearchOptions{Raw: map[string]any{"ctl": ctl}, Timeout: patience}
}
