package couchbase_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/couchbase/gocbcore/v10/memd"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/test/cbtest"
)

func putOne(t *testing.T, s *couchbase.Store) models.Document {
	t.Helper()
	d := models.Document{Header: models.Header{
		ID: "file:o/r:a.go", Type: models.TypeFile, RepoID: "o/r",
		FilePath: "a.go",
	}, Text: "walrus"}
	if err := s.Apply(t.Context(), store.Batch{Put: []models.Document{d}}); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSwap(t *testing.T) {
	node := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	s := clustertest.Open(t, node)
	ctx := t.Context()
	var got string
	if v, err := s.Versioned(ctx, "jobs", "1", &got); v != 0 || err != nil {
		t.Errorf("Versioned of nothing = %d, %v; want 0", v, err)
	}
	first, err := s.Swap(ctx, "jobs", "1", 0, "a", 0)
	if err != nil || first == 0 {
		t.Fatalf("Swap creates = %d, %v", first, err)
	}
	if v, err := s.Versioned(ctx, "jobs", "1", &got); v != first || err != nil || got != "a" {
		t.Errorf("Versioned = %d, %v, %q; want %d, a", v, err, got, first)
	}
	second, err := s.Swap(ctx, "jobs", "1", first, "b", 0)
	if err != nil || second == 0 || second == first {
		t.Fatalf("Swap changes = %d, %v", second, err)
	}
	conflicts := map[string]func() (uint64, error){
		"create what is there":   func() (uint64, error) { return s.Swap(ctx, "jobs", "1", 0, "c", 0) },
		"change an old version":  func() (uint64, error) { return s.Swap(ctx, "jobs", "1", first, "c", 0) },
		"delete an old version":  func() (uint64, error) { return s.Swap(ctx, "jobs", "1", first, nil, 0) },
		"change what is not":     func() (uint64, error) { return s.Swap(ctx, "jobs", "2", first, "c", 0) },
		"delete what is not":     func() (uint64, error) { return s.Swap(ctx, "jobs", "2", first, nil, 0) },
		"delete without version": func() (uint64, error) { return s.Swap(ctx, "jobs", "1", 0, nil, 0) },
	}
	for name, swap := range conflicts {
		if v, err := swap(); fault.CodeOf(err) != fault.Conflict || v != 0 {
			t.Errorf("%s: Swap = %d, %v; want a conflict", name, v, err)
		}
	}
	if ok, err := s.Record(ctx, "jobs", "1", &got); !ok || err != nil || got != "b" {
		t.Errorf("Record = %v, %v, %q; want b", ok, err, got)
	}
	if v, err := s.Swap(ctx, "jobs", "1", second, nil, 0); v != 0 || err != nil {
		t.Errorf("Swap deletes = %d, %v; want 0", v, err)
	}
	if v, err := s.Versioned(ctx, "jobs", "1", nil); v != 0 || err != nil {
		t.Errorf("Versioned of what was deleted = %d, %v", v, err)
	}
	if _, err := s.Swap(ctx, "jobs", "", 0, 1, 0); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("Swap without a key = %v", err)
	}
}

func TestSwapExpires(t *testing.T) {
	var now atomic.Pointer[time.Time]
	now.Store(new(time.Now()))
	node := cbtest.Start(t,
		cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope, Now: func() time.Time { return *now.Load() }})
	s := clustertest.Open(t, node)
	if _, err := s.Swap(t.Context(), "leases", "1", 0, "me", 10*time.Second); err != nil {
		t.Fatal(err)
	}
	there := func() bool {
		ok, err := s.Record(t.Context(), "leases", "1", nil)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if !there() {
		t.Error("the record is gone before its time")
	}
	now.Store(new(now.Load().Add(11 * time.Second)))
	if there() {
		t.Error("the record is there after its time")
	}
}

// Of many that want the same version, one gets it.
func TestSwapRace(t *testing.T) {
	node := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	a, b := clustertest.Open(t, node), clustertest.Open(t, node)
	for round := range 5 {
		var won atomic.Int32
		var wg sync.WaitGroup
		for i := range 8 {
			s := []*couchbase.Store{a, b}[i%2]
			wg.Go(func() {
				_, err := s.Swap(t.Context(), "leases", fmt.Sprint(round), 0, i, 0)
				switch fault.CodeOf(err) {
				case fault.Conflict:
				default:
					if err != nil {
						t.Error(err)
						return
					}
					won.Add(1)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Errorf("%d won, want 1", won.Load())
		}
	}
}

// A connection that breaks leaves no doubt about a swap.
func TestSwapInDoubt(t *testing.T) {
	node := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	s := clustertest.Open(t, node)
	ctx := t.Context()
	for name, f := range map[string]cbtest.Fault{
		"cut":       {Service: "kv", Op: "CMD_ADD", Times: 1, Cut: true},
		"ambiguous": {Service: "kv", Op: "CMD_ADD", Times: 1, KVStatus: memd.StatusSyncWriteAmbiguous},
	} {
		t.Run(name, func(t *testing.T) {
			defer node.Inject(f)()
			v, err := s.Swap(ctx, "jobs", name, 0, "me", 0)
			if err != nil || v == 0 {
				t.Fatalf("Swap = %d, %v", v, err)
			}
			if got, err := s.Versioned(ctx, "jobs", name, nil); got != v || err != nil {
				t.Errorf("Versioned = %d, %v; want %d", got, err, v)
			}
		})
	}
}

// A change that is carried out late, after Swap has looked, is no conflict.
func TestSwapIsCarriedOutLate(t *testing.T) {
	t.Parallel()
	node := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	s, late := clustertest.Open(t, node), clustertest.Open(t, node)
	first, err := s.Swap(t.Context(), "jobs", "1", 0, "you", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer node.Inject(cbtest.Fault{Service: "kv", Op: "CMD_REPLACE", Times: 1, KVStatus: memd.StatusSyncWriteAmbiguous})()
	defer node.Inject(cbtest.Fault{Service: "kv", Op: "CMD_GET", Times: 1, Delay: 300 * time.Millisecond})()
	node.ResetCalls()
	written := make(chan uint64, 1)
	go func() {
		looked := func() bool {
			return slices.ContainsFunc(node.Calls(), func(c cbtest.Call) bool { return c.Op == "CMD_GET" })
		}
		for end := time.Now().Add(clustertest.Patience); !looked() && time.Now().Before(end); {
			runtime.Gosched()
		}
		v, err := late.Swap(t.Context(), "jobs", "1", first, "me", 0)
		if err != nil {
			t.Error(err)
		}
		written <- v
	}()
	v, err := s.Swap(t.Context(), "jobs", "1", first, "me", 0)
	if want := <-written; err != nil || v != want {
		t.Errorf("Swap = %d, %v; want %d", v, err, want)
	}
}
