package couchbase_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/couchbase/gocbcore/v10/memd"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/test/cbtest"
)

// The operations that faults are injected into.
type operation struct {
	name string
	do   func(ctx context.Context, s *couchbase.Store) error
}

func document(name, text string) models.Document {
	return models.Document{
		Header: models.Header{ID: models.FileID("o/r", name), Type: models.TypeFile, RepoID: "o/r", FilePath: name},
		Text:   text,
	}
}

func batch(n int) store.Batch {
	var b store.Batch
	for i := range n {
		b.Put = append(b.Put, document(fmt.Sprintf("f%03d.go", i), "walrus"))
		b.PutRecords = append(b.PutRecords, store.Record{Collection: "files:o/r", Key: fmt.Sprint(i), Value: i})
	}
	return b
}

var (
	opApply  = operation{"Apply", func(ctx context.Context, s *couchbase.Store) error { return s.Apply(ctx, batch(20)) }}
	opDelete = operation{"delete", func(ctx context.Context, s *couchbase.Store) error {
		return s.Apply(ctx, store.Batch{Delete: []models.DocumentID{"file:o/r:x"}})
	}}
	opDocuments = operation{"Documents", func(ctx context.Context, s *couchbase.Store) error {
		_, err := s.Documents(ctx, []models.DocumentID{"file:o/r:f000.go"})
		return err
	}}
	opRecord = operation{"Record", func(ctx context.Context, s *couchbase.Store) error {
		_, err := s.Record(ctx, "c", "k", nil)
		return err
	}}
	opRecords = operation{"Records", func(ctx context.Context, s *couchbase.Store) error {
		return s.Records(ctx, "files:o/r", func(string, json.RawMessage) error { return nil })
	}}
	opSearch = operation{"Search", func(ctx context.Context, s *couchbase.Store) error {
		_, err := s.Search(ctx, fts.Request{Query: fts.MatchAll{}, Size: 5})
		return err
	}}
	opSettle = operation{"Settle", func(ctx context.Context, s *couchbase.Store) error {
		if err := s.Apply(ctx, batch(1)); err != nil {
			return err
		}
		return s.Settle(ctx)
	}}
)

// A faultCase is what becomes of an operation. Code "" is no error.
type faultCase struct {
	name  string
	fault cbtest.Fault
	op    operation
	code  fault.Code
	says  string
}

const (
	always         = 0
	memory429      = `{"error":"query request rejected: mem quota","status":"fail"}`
	rate429        = `{"error":"num_concurrent_requests","status":"fail"}`
	mismatched     = `{"error":"pindex_consistency mismatched partition","status":"fail"}`
	manyTermsInOne = `{"status":{"total":2,"failed":1,"successful":1,"errors":{"p1":"TooManyClauses over field: ` +
		`file_path [2000 > maxClauseCount, which is set to 1024]"}},"hits":[],"total_hits":0}`
	manyTerms = `{"error":"rest_index: Query, indexName: x, err: TooManyClauses over field: file_path [2000 > ` +
		`maxClauseCount, which is set to 1024]","status":"fail"}`
)

func faultCases() []faultCase {
	kv := func(op string, times int, status memd.StatusCode) cbtest.Fault {
		return cbtest.Fault{Service: "kv", Op: op, Times: times, KVStatus: status}
	}
	http := func(service string, times, status int, body string) cbtest.Fault {
		return cbtest.Fault{Service: service, Op: "query", Times: times, Status: status, Body: body}
	}
	cut := func(service, op string, times int) cbtest.Fault {
		return cbtest.Fault{Service: service, Op: op, Times: times, Cut: true}
	}
	const get, set, del = "CMD_GET", "CMD_SET", "CMD_DELETE"
	const search, query = "search", "query"
	return []faultCase{
		{"out of memory for a moment", kv(set, 3, memd.StatusTmpFail), opApply, "", ""},
		{
			"out of memory", kv(set, always, memd.StatusTmpFail), opApply, fault.Overloaded,
			"of 20 documents could not be saved: the Couchbase cluster has too much to do",
		},
		{"another durable write", kv(set, 2, memd.StatusSyncWriteInProgress), opApply, "", ""},
		{"a write may be durable", kv(set, 2, memd.StatusSyncWriteAmbiguous), opApply, "", ""},
		{
			"no write is surely durable", kv(set, always, memd.StatusSyncWriteAmbiguous), opApply, fault.RAGUnavailable,
			"not known whether a write is durable",
		},
		{
			"too few nodes", kv(set, always, memd.StatusDurabilityImpossible), opApply, fault.RAGUnavailable,
			"RAGNAV_COUCHBASE_DURABILITY=none",
		},
		{"too large", kv(set, always, memd.StatusTooBig), opApply, fault.InvalidRequest, "larger than the 20 MiB"},
		{
			"may not write", kv(set, always, memd.StatusAccessError), opApply, fault.RAGUnavailable,
			`Couchbase refuses user "Administrator"`,
		},
		{"write cut", cut("kv", set, 2), opApply, "", ""},
		{"delete cut", cut("kv", del, 2), opDelete, "", ""},
		{
			"delete, out of memory", kv(del, always, memd.StatusTmpFail), opDelete, fault.Overloaded,
			"1 of 1 documents could not be deleted",
		},
		{"read cut", cut("kv", get, 2), opDocuments, "", ""},
		{"read, out of memory", kv(get, always, memd.StatusTmpFail), opDocuments, fault.Overloaded, ""},
		{"record, out of memory", kv(get, always, memd.StatusTmpFail), opRecord, fault.Overloaded, ""},
		{"record cut", cut("kv", get, 1), opRecord, "", ""},

		{"list cut", cut(query, "", 2), opRecords, "", ""},
		{"list always cut", cut(query, "", always), opRecords, fault.RAGUnavailable, "Couchbase does not answer"},
		{
			"list without index",
			http(query, always, 404, `{"errors":[{"code":4000,"msg":"No index available on keyspace"}],"status":"fatal"}`),
			opRecords, fault.RAGUnavailable, "run `ragnav setup couchbase`",
		},
		{
			"list fails", http(query, always, 500, `{"errors":[{"code":5000,"msg":"boom"}],"status":"fatal"}`), opRecords,
			fault.RAGUnavailable, "does not answer",
		},

		{"search: memory for a moment", http(search, 2, 429, memory429), opSearch, "", ""},
		{"search: memory", http(search, always, 429, memory429), opSearch, fault.Overloaded, "raise its memory quota"},
		{"search: rate", http(search, always, 429, rate429), opSearch, fault.Overloaded, ""},
		{"search: starting", http(search, 3, 503, `{"error":"x"}`), opSearch, "", ""},
		{"search: unavailable", http(search, always, 503, `{"error":"x"}`), opSearch, fault.Overloaded, ""},
		{"search: moving", http(search, 2, 412, mismatched), opSearch, "", ""},
		{"search: broken", http(search, always, 500, `{"error":"boom"}`), opSearch, fault.RAGUnavailable, "does not answer"},
		{
			"search: refused", http(search, always, 400, `{"error":"rest_index: Query, bad"}`), opSearch, fault.RAGUnavailable,
			"run `ragnav doctor`",
		},
		{"search: many terms", http(search, always, 400, manyTerms), opSearch, fault.InvalidRequest, "make it narrower"},
		{
			"search: many terms in a partition", http(search, always, 200, manyTermsInOne), opSearch, fault.InvalidRequest,
			"make it narrower",
		},
		{
			"search: may not", http(search, always, 403, `{"error":"forbidden"}`), opSearch, fault.RAGUnavailable,
			`refuses user "Administrator"`,
		},
		{"search: no JSON", http(search, always, 200, `<html>`), opSearch, fault.RAGUnavailable, ""},
		{"search: half an answer", http(search, 1, 200, `{"status":{"total":1},"hits":[{"id":"a"`), opSearch, "", ""},
		{"search: cut", cut(search, "query", 2), opSearch, "", ""},
		{"search: always cut", cut(search, "query", always), opSearch, fault.RAGUnavailable, "does not answer"},

		{"settle: behind for a moment", http(search, 2, 412, `{"status":"timeout","message":"x"}`), opSettle, "", ""},
		{"settle: after a failover", http(search, maxRetries+1, 412, mismatched), opSettle, "", ""},
		{"settle: memory", http(search, always, 429, memory429), opSettle, fault.Overloaded, ""},
	}
}

const maxRetries = 4 // as in the package

// Each fault has the reply that the contract names, soon, and is over when the
// fault is: nothing is lost, and nothing has to be opened again.
func TestFaults(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	for _, tt := range faultCases() {
		t.Run(tt.op.name+" "+tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), clustertest.Patience) // which would be another error
			defer cancel()
			remove := node.Inject(tt.fault)
			err := tt.op.do(ctx, s)
			remove()
			wantFault(t, err, tt.code, tt.says)
			stillWorks(t, node, s)
		})
	}
}

func wantFault(t *testing.T, err error, code fault.Code, says string) {
	t.Helper()
	if code == "" {
		if err != nil {
			t.Errorf("error %v, want none", err)
		}
		return
	}
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != code || !strings.Contains(f.Message, says) {
		t.Errorf("error %v, want %s with %q", err, code, says)
		return
	}
	if (f.RetryAfter > 0) != (code == fault.Overloaded) {
		t.Errorf("retry after %v with %s", f.RetryAfter, code)
	}
	for _, secret := range []string{"{", "|", "127.0.0.1", "EOF", "mem quota"} {
		if strings.Contains(f.Message, secret) {
			t.Errorf("the message has the driver's words (%q): %s", secret, f.Message)
		}
	}
}

// stillWorks does every operation without a fault.
func stillWorks(t *testing.T, node *cbtest.Node, s *couchbase.Store) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clustertest.Patience)
	defer cancel()
	for _, op := range []operation{opApply, opDelete, opDocuments, opRecord, opRecords, opSettle, opSearch} {
		if err := op.do(ctx, s); err != nil {
			t.Errorf("%s after the fault: %v", op.name, err)
		}
	}
	if docs, records := node.Len("documents"), node.Len("records"); docs != 20 || records != 20 {
		t.Errorf("%d documents and %d records after the fault, want 20 of each", docs, records)
	}
	res, err := s.Search(ctx, fts.Request{Query: fts.MatchAll{}, Size: 100})
	if err != nil || len(res.Hits) != 20 || res.Failed != 0 {
		t.Errorf("Search after the fault = %d hits, %d failed, %v; want 20", len(res.Hits), res.Failed, err)
	}
}
