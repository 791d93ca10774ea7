package cbtest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/couchbase/gocb/v2"
	"github.com/couchbase/gocbcore/v10/memd"

	"github.com/ragnav/ragnav/test/cbtest"
)

func TestKeyValueFaults(t *testing.T) {
	n, _, s := start(t, cbtest.Options{})
	docs := s.Collection("documents")
	quick := func() *gocb.UpsertOptions {
		return &gocb.UpsertOptions{Timeout: 300 * time.Millisecond, RetryStrategy: failFast{}}
	}
	for _, x := range []struct {
		name  string
		fault cbtest.Fault
		want  error
	}{
		{"temporary failure", cbtest.Fault{Op: "CMD_SET", KVStatus: memd.StatusTmpFail}, gocb.ErrTemporaryFailure},
		{"out of memory", cbtest.Fault{KVStatus: memd.StatusOutOfMemory}, gocb.ErrTemporaryFailure},
		{
			"durability impossible",
			cbtest.Fault{Op: "CMD_SET", KVStatus: memd.StatusDurabilityImpossible},
			gocb.ErrDurabilityImpossible,
		},
		{
			"sync write ambiguous",
			cbtest.Fault{Op: "CMD_SET", KVStatus: memd.StatusSyncWriteAmbiguous},
			gocb.ErrDurabilityAmbiguous,
		},
		{"another command", cbtest.Fault{Op: "CMD_GET", KVStatus: memd.StatusTmpFail}, nil},
		{"another service", cbtest.Fault{Service: "search", Status: 500}, nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			if x.fault.Service == "" {
				x.fault.Service = "kv"
			}
			remove := n.Inject(x.fault)
			_, err := docs.Upsert("k", 1, quick())
			if x.name == "out of memory" {
				if err == nil {
					t.Error("no error")
				}
			} else {
				wantErr(t, "Upsert", err, x.want)
			}
			remove()
			_, err = docs.Upsert("k", 1, nil)
			wantErr(t, "Upsert afterwards", err, nil)
		})
	}
}

func TestFaultsOfLimitedNumber(t *testing.T) {
	n, _, s := start(t, cbtest.Options{})
	n.Inject(cbtest.Fault{Service: "kv", Op: "CMD_SET", KVStatus: memd.StatusTmpFail, Times: 2})
	n.ResetCalls()
	_, err := s.Collection("documents").Upsert("k", 1, nil) // gocb retries by itself
	wantErr(t, "Upsert", err, nil)
	sets := 0
	for _, c := range n.Calls() {
		if c.Op == "CMD_SET" {
			sets++
		}
	}
	if sets != 3 {
		t.Errorf("%d attempts, want 3", sets)
	}
}

func TestLateWriteHappensAllTheSame(t *testing.T) {
	n, _, s := start(t, cbtest.Options{})
	docs := s.Collection("documents")
	n.Inject(cbtest.Fault{Service: "kv", Op: "CMD_SET", Delay: time.Hour, Times: 1})
	_, err := docs.Upsert("k", "v", &gocb.UpsertOptions{Timeout: 50 * time.Millisecond})
	wantErr(t, "Upsert", err, gocb.ErrAmbiguousTimeout)
	_, err = docs.Get("k", nil)
	wantErr(t, "Get, which overtakes it", err, nil)
}

func TestCutKeyValueConnection(t *testing.T) {
	n, _, s := start(t, cbtest.Options{})
	docs := s.Collection("documents")
	n.Inject(cbtest.Fault{Service: "kv", Op: "CMD_SET", Cut: true, Times: 1})
	_, err := docs.Upsert("k", "v", &gocb.UpsertOptions{Timeout: time.Second})
	if err == nil {
		t.Error("Upsert over a cut connection: no error")
	}
	if got := n.Len("documents"); got != 0 {
		t.Errorf("%d documents, want none", got)
	}
	_, err = docs.Upsert("k", "v", &gocb.UpsertOptions{Timeout: patience})
	wantErr(t, "Upsert afterwards", err, nil)
}

func TestSearchFaults(t *testing.T) {
	n, s := withIndex(t, cbtest.Options{})
	put(t, s, "1", embedded{Type: "a"})
	for _, x := range []struct {
		name  string
		fault cbtest.Fault
		want  func(error) bool
	}{
		{
			"memory",
			cbtest.Fault{Status: 429, Body: `{"error":"query request rejected: mem quota","status":"fail"}`},
			is(gocb.ErrTimeout),
		},
		{
			"rate",
			cbtest.Fault{Status: 429, Body: `{"error":"num_concurrent_requests","status":"fail"}`},
			is(gocb.ErrRateLimitedFailure),
		},
		{"500", cbtest.Fault{Status: 500, Body: `{"error":"boom"}`}, is(gocb.ErrInternalServerFailure)},
		{"503", cbtest.Fault{Status: 503, Body: `{"error":"down"}`}, status(503)},
		{
			"412",
			cbtest.Fault{Status: 412, Body: `{"error":"pindex_consistency mismatched partition","status":"fail"}`},
			status(412),
		},
		{"slow", cbtest.Fault{Delay: time.Hour}, is(gocb.ErrTimeout)},
		{"cut", cbtest.Fault{Cut: true}, func(err error) bool { return err != nil }},
		{"by a part of the body", cbtest.Fault{Op: `"term":"a"`, Status: 503}, status(503)},
		{"another request", cbtest.Fault{Op: `"term":"b"`, Status: 503}, func(err error) bool { return err == nil }},
	} {
		t.Run(x.name, func(t *testing.T) {
			x.fault.Service = "search"
			remove := n.Inject(x.fault)
			_, _, err := find(s, ofTypeA, &gocb.SearchOptions{Timeout: 300 * time.Millisecond})
			if !x.want(err) {
				t.Errorf("Search: %v", err)
			}
			remove()
			_, _, err = find(s, ofTypeA, nil)
			wantErr(t, "Search afterwards", err, nil)
		})
	}
}

func is(want error) func(error) bool { return func(err error) bool { return errors.Is(err, want) } }

func status(want int) func(error) bool {
	return func(err error) bool {
		var failed *gocb.SearchError
		return errors.As(err, &failed) && failed.HTTPStatusCode == want
	}
}

func TestFailedPartitions(t *testing.T) {
	n, s := withIndex(t, cbtest.Options{Partitions: 4})
	for key := range strings.SplitSeq("abcdefghijklmnopqrstuvwxyz", "") {
		put(t, s, key, embedded{Type: "a"})
	}
	whole, _, err := find(s, ofTypeA, &gocb.SearchOptions{Limit: 100})
	if err != nil || len(whole) != 26 {
		t.Fatalf("%d hits, %v, want 26", len(whole), err)
	}
	defer n.Inject(cbtest.Fault{Service: "search", FailPartitions: 1})()
	part, m, err := find(s, ofTypeA, &gocb.SearchOptions{Limit: 100})
	wantErr(t, "Search", err, nil)
	if len(part) == 0 || len(part) >= len(whole) {
		t.Errorf("%d hits, want some of %d", len(part), len(whole))
	}
	if m.Metrics.ErrorPartitionCount != 1 || m.Metrics.TotalPartitionCount != 4 || len(m.Errors) != 1 {
		t.Errorf("metadata %+v, want 1 of 4 partitions failed", m)
	}
}

func TestQueryAndManagementFaults(t *testing.T) {
	n, c, _ := start(t, cbtest.Options{})
	query := func() error {
		_, err := run(c, "SELECT RAW ds_version()", nil)
		return err
	}
	for _, x := range []struct {
		name  string
		fault cbtest.Fault
		do    func() error
	}{
		{"query 503", cbtest.Fault{Service: "query", Op: "ds_version", Status: 503, Body: "{}"}, query},
		{
			"query by its statement",
			cbtest.Fault{Service: "query", Op: "r.k > $after", Status: 503, Body: "{}", Times: 1},
			func() error {
				_, err := run(c, list, nil)
				if errors.Is(err, gocb.ErrPlanningFailure) {
					return nil // no index, so the fault is gone
				}
				return err
			},
		},
		{
			"query with an error",
			cbtest.Fault{Service: "query", Status: 500, Body: `{"errors":[{"code":5000,"msg":"panic"}]}`},
			query,
		},
		{"query cut", cbtest.Fault{Service: "query", Op: "/query/service", Cut: true, Times: 1}, query},
		{"management", cbtest.Fault{Service: "mgmt", Op: "/buckets", Status: 500, Body: "{}"}, func() error {
			_, err := c.Buckets().GetBucket("b", nil)
			return err
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			remove := n.Inject(x.fault)
			if err := x.do(); err == nil {
				t.Error("no error")
			}
			remove()
			wantErr(t, "afterwards", x.do(), nil)
		})
	}
}
