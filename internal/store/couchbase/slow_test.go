package couchbase_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/test/cbtest"
)

var slowOps = []struct {
	operation
	service, op string
}{
	{opApply, "kv", "CMD_SET"},
	{opDelete, "kv", "CMD_DELETE"},
	{opDocuments, "kv", "CMD_GET"},
	{opRecord, "kv", "CMD_GET"},
	{opRecords, "query", ""},
	{opSearch, "search", "query"},
	{opSettle, "search", "query"},
}

// A slow server costs the caller's deadline, not more.
func TestDeadline(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	for _, tt := range slowOps {
		t.Run(tt.name, func(t *testing.T) {
			remove := node.Inject(cbtest.Fault{Service: tt.service, Op: tt.op, Delay: time.Hour})
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			start := time.Now()
			err := tt.do(ctx, s)
			remove()
			if !errors.Is(err, context.DeadlineExceeded) || fault.CodeOf(err) != fault.Timeout {
				t.Errorf("%v (%s), want the deadline", err, fault.CodeOf(err))
			}
			if took := time.Since(start); took > clustertest.Patience {
				t.Errorf("it took %v", took)
			}
			if err := tt.do(t.Context(), s); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// Without a deadline, a slow server costs OpTimeout. The driver gives durable
// writes 1.5 s at least.
func TestOpTimeout(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	for _, tt := range slowOps {
		if tt.name == opSettle.name {
			continue // it waits as long as its caller
		}
		t.Run(tt.name, func(t *testing.T) {
			s := clustertest.Open(t, node, func(c *driver.Config) { c.Durability = "none" })
			s.Hurry(200 * time.Millisecond) // to open may take longer
			defer node.Inject(cbtest.Fault{Service: tt.service, Op: tt.op, Delay: time.Hour})()
			start := time.Now()
			err := tt.do(t.Context(), s)
			if fault.CodeOf(err) != fault.Timeout || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v (%s), want %s", err, fault.CodeOf(err), fault.Timeout)
			}
			if took := time.Since(start); took > clustertest.Patience {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	for _, tt := range slowOps {
		t.Run(tt.name, func(t *testing.T) {
			defer node.Inject(cbtest.Fault{Service: tt.service, Op: tt.op, Delay: time.Hour})()
			ctx, cancel := context.WithCancel(t.Context())
			stop := time.AfterFunc(100*time.Millisecond, cancel)
			defer stop.Stop()
			start := time.Now()
			if err := tt.do(ctx, s); !errors.Is(err, context.Canceled) {
				t.Errorf("%v, want context.Canceled", err)
			}
			if took := time.Since(start); took > clustertest.Patience {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// A node that restarts is found again without opening the store anew.
func TestRestart(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node, func(c *driver.Config) { c.OpTimeout = 2 * time.Second; c.Durability = "none" })
	if err := opApply.do(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	node.Stop()
	for _, op := range []operation{opApply, opDocuments, opRecord, opRecords, opSearch} {
		start := time.Now()
		err := op.do(t.Context(), s)
		if fault.CodeOf(err) != fault.RAGUnavailable {
			t.Errorf("%s without a node: %v (%s), want %s", op.name, err, fault.CodeOf(err), fault.RAGUnavailable)
		}
		if took := time.Since(start); took > clustertest.Patience {
			t.Errorf("%s took %v", op.name, took)
		}
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for opApply.do(ctx, s) != nil && ctx.Err() == nil { // until the driver has connected again
	}
	stillWorks(t, node, s)
}

// A restart in the middle of a batch loses nothing that was acknowledged, and
// the batch can be applied again.
func TestRestartWhileWriting(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	restarted := make(chan error, 1)
	go func() {
		node.Stop()
		restarted <- node.Start()
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	acknowledged := 0
	for i := range 40 {
		b := store.Batch{Put: batch(20).Put[i%20 : i%20+1]}
		if s.Apply(ctx, b) == nil {
			acknowledged |= 1 << (i % 20)
		}
	}
	if err := <-restarted; err != nil {
		t.Fatal(err)
	}
	for i, d := range batch(20).Put {
		docs, err := s.Documents(ctx, []models.DocumentID{d.ID})
		if err != nil || acknowledged&(1<<i) != 0 && len(docs) != 1 {
			t.Errorf("%s was acknowledged: %d documents, %v", d.ID, len(docs), err)
		}
	}
	stillWorks(t, node, s)
}

// Partitions that don't answer are told; when none does, it is no error either
// but a result that says so.
func TestFailedPartitions(t *testing.T) {
	node := startNode(t, cbtest.Options{Partitions: 4})
	s := clustertest.Open(t, node)
	if err := opSettle.do(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, failed := range []int{1, 4} {
		remove := node.Inject(cbtest.Fault{Service: "search", Op: "query", FailPartitions: failed})
		res, err := s.Search(t.Context(), fts.Request{Query: fts.MatchAll{}, Size: 5})
		remove()
		if err != nil || res.Failed != failed || res.Partitions != 4 || failed == 4 && len(res.Hits) > 0 {
			t.Errorf("Search = %+v, %v; want %d of 4 failed", res, err, failed)
		}
	}
}
