package cbtest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/couchbase/gocb/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/store/couchbase/cbtest"
)

type record struct {
	C string          `json:"c"`
	K string          `json:"k"`
	V json.RawMessage `json:"v"`
}

// run returns the rows of a statement as JSON texts.
func run(c *gocb.Cluster, statement string, params map[string]any) ([]string, error) {
	r, err := c.Query(statement, &gocb.QueryOptions{
		NamedParameters: params, ScanConsistency: gocb.QueryScanConsistencyRequestPlus, Adhoc: true, Timeout: patience,
	})
	if err != nil {
		return nil, err
	}
	rows := []string{}
	for r.Next() {
		var row json.RawMessage
		if err := r.Row(&row); err != nil {
			return nil, err
		}
		rows = append(rows, string(row))
	}
	return rows, r.Err()
}

// withRecords is start with records and documents and a primary index on both
// collections.
func withRecords(t *testing.T) (*gocb.Cluster, *gocb.Scope) {
	t.Helper()
	_, c, s := start(t, cbtest.Options{})
	for _, name := range []string{"records", "documents"} {
		if err := s.Collection(name).QueryIndexes().CreatePrimaryIndex(nil); err != nil {
			t.Fatal(err)
		}
	}
	put := func(collection, key string, v any) {
		t.Helper()
		if _, err := s.Collection(collection).Upsert(key, v, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, k := range []string{"b", "Z", "ä", "a", "日本", "\U0001F600", "\uFFFD"} {
		put("records", fmt.Sprint("r", i),
			record{"repos", k, json.RawMessage(fmt.Sprintf(`{"n": %d, "big": 12345678901234567890}`, i))})
	}
	put("records", "other", record{"meta", "c", json.RawMessage(`7`)})
	for i := range 5 {
		put("documents", fmt.Sprint("d", i), map[string]any{"repo_id": fmt.Sprint("r", i%2), "text": "x"})
	}
	return c, s
}

func TestStatements(t *testing.T) {
	c, _ := withRecords(t)
	const list = "SELECT r.k, r.v FROM `b`.`code`.`records` AS r WHERE r.c = $c AND r.k > $after ORDER BY r.k LIMIT $n"
	for _, x := range []struct {
		name, statement string
		params          map[string]any
		want            []string
	}{
		{
			"a page of records in the order of bytes",
			list,
			map[string]any{"c": "repos", "after": "", "n": 3},
			[]string{
				`{"k":"Z","v":{"n":1,"big":12345678901234567890}}`, `{"k":"a","v":{"n":3,"big":12345678901234567890}}`,
				`{"k":"b","v":{"n":0,"big":12345678901234567890}}`,
			},
		},
		{
			"the next page",
			strings.ReplaceAll(list, " ", "\n\t "),
			map[string]any{"$c": "repos", "after": "b", "n": 3},
			[]string{
				`{"k":"ä","v":{"n":2,"big":12345678901234567890}}`, `{"k":"日本","v":{"n":4,"big":12345678901234567890}}`,
				"{\"k\":\"\uFFFD\",\"v\":{\"n\":6,\"big\":12345678901234567890}}",
			},
		},
		{
			"the last page", list,
			map[string]any{"c": "repos", "after": "\uFFFD", "n": 3},
			[]string{"{\"k\":\"\U0001F600\",\"v\":{\"n\":5,\"big\":12345678901234567890}}"},
		},
		{"no page", list, map[string]any{"c": "none", "after": "", "n": 3}, []string{}},
		{
			"keys of records", "SELECT RAW META(r).id FROM `b`.`code`.`records` AS r WHERE r.c = $c LIMIT $n",
			map[string]any{"c": "meta", "n": 9},
			[]string{`"other"`},
		},
		{
			"keys of documents", "select raw meta(d).id from b.code.documents as d where d.repo_id = $repo limit $n",
			map[string]any{"repo": "r1", "n": 9},
			[]string{`"d1"`, `"d3"`},
		},
		{
			"as many as asked for", "SELECT RAW META(d).id FROM b.code.documents d WHERE d.repo_id = 'r0' LIMIT 2;", nil,
			[]string{`"d0"`, `"d2"`},
		},
		{"count", "SELECT RAW COUNT(*) FROM default:`b`.`code`.`documents` AS d", nil, []string{`5`}},
		{
			"count of a repository", "SELECT RAW COUNT(*) FROM `b`.`code`.`documents` AS d WHERE d.repo_id = $repo",
			map[string]any{"repo": "r0"},
			[]string{`3`},
		},
		{"version", " SELECT  RAW  ds_version( ) ", nil, []string{`"8.0.0-1234-enterprise"`}},
		{"either", `SELECT RAW META().id FROM b.code.documents WHERE (repo_id = "r0" OR repo_id = "r1") AND missing_field ` +
			`IS MISSING ORDER BY repo_id DESC LIMIT 3`, nil, []string{`"d1"`, `"d3"`, `"d0"`}},
	} {
		t.Run(x.name, func(t *testing.T) {
			got, err := run(c, x.statement, x.params)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(x.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefusedStatements(t *testing.T) {
	c, s := withRecords(t)
	if err := s.Collection("documents").QueryIndexes().DropPrimaryIndex(nil); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name, statement string
		code            uint32
	}{
		{"no statement of ours", "UPSERT INTO b VALUES (1, 2)", 3000},
		{"unknown function", "SELECT RAW SUM(d.n) FROM b.code.records AS d", 3000},
		{"something after the end", "SELECT RAW ds_version() FROM", 3000},
		{"no token", "SELECT RAW # FROM b.code.records", 3000},
		{"no index", "SELECT RAW COUNT(*) FROM b.code.documents AS d WHERE d.repo_id = 'r0'", 4000},
		{"no bucket", "SELECT RAW COUNT(*) FROM x.code.documents AS d", 12003},
		{"no scope", "SELECT RAW COUNT(*) FROM b.x.documents AS d", 12021},
		{"no collection", "SELECT RAW COUNT(*) FROM b.code.x AS d", 12003},
		{"no such parameter", "SELECT RAW COUNT(*) FROM b.code.records AS d WHERE d.c = $nothing", 5010},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := run(c, x.statement, nil)
			var q *gocb.QueryError
			if !errors.As(err, &q) || len(q.Errors) != 1 || q.Errors[0].Code != x.code {
				t.Errorf("error %v, want code %d", err, x.code)
			}
		})
	}
	_, err := run(c, "SELEKT 1", nil)
	wantErr(t, "a statement that is none", err, gocb.ErrParsingFailure)
	_, err = run(c, "SELECT RAW META(d).id FROM b.code.documents AS d", nil)
	wantErr(t, "a query without an index", err, gocb.ErrPlanningFailure)
	_, err = run(c, "SELECT RAW COUNT(*) FROM b.code.documents AS d", nil)
	wantErr(t, "a count, which needs none", err, nil)
}

func TestPreparedStatements(t *testing.T) {
	c, _ := withRecords(t)
	for range 2 { // prepares, then uses
		r, err := c.Query("SELECT RAW COUNT(*) FROM b.code.documents AS d WHERE d.repo_id = $repo",
			&gocb.QueryOptions{NamedParameters: map[string]any{"repo": "r1"}})
		if err != nil {
			t.Fatal(err)
		}
		var got int
		if err := r.One(&got); err != nil || got != 2 {
			t.Errorf("count %d, %v, want 2", got, err)
		}
	}
}

func TestQueryIndexes(t *testing.T) {
	_, c, s := start(t, cbtest.Options{})
	m := s.Collection("records").QueryIndexes()
	wantErr(t, "CreateIndex", m.CreateIndex("by_k", []string{"c", "k"}, &gocb.CreateQueryIndexOptions{Deferred: true}),
		nil)
	wantErr(t, "CreateIndex again", m.CreateIndex("by_k", []string{"c"}, nil), gocb.ErrIndexExists)
	wantErr(t, "CreateIndex if there is none",
		m.CreateIndex("by_k", []string{"c"}, &gocb.CreateQueryIndexOptions{IgnoreIfExists: true}), nil)
	const count = "SELECT RAW COUNT(*) FROM b.code.records AS r WHERE r.c = 'x'"
	_, err := run(c, count, nil)
	wantErr(t, "a query before the index is built", err, gocb.ErrPlanningFailure)

	built, err := m.BuildDeferredIndexes(nil)
	if diff := cmp.Diff([]string{"by_k"}, built); diff != "" || err != nil {
		t.Errorf("BuildDeferredIndexes: %v %s", err, diff)
	}
	wantErr(t, "WatchIndexes", m.WatchIndexes([]string{"by_k"}, patience, nil), nil)
	_, err = run(c, count, nil)
	wantErr(t, "a query on the first key of an index", err, nil)
	_, err = run(c, strings.Replace(count, "r.c", "r.k", 1), nil)
	wantErr(t, "a query on its second key alone", err, gocb.ErrPlanningFailure)

	wantErr(t, "CreatePrimaryIndex", m.CreatePrimaryIndex(nil), nil)
	wantErr(t, "WatchIndexes", m.WatchIndexes(nil, patience, &gocb.WatchQueryIndexOptions{WatchPrimary: true}), nil)
	wantErr(t, "WatchIndexes for none", m.WatchIndexes([]string{"none"}, time.Second, nil), gocb.ErrIndexNotFound)
	all, err := m.GetAllIndexes(nil)
	if err != nil {
		t.Fatal(err)
	}
	index := func(i gocb.QueryIndex) gocb.QueryIndex {
		i.Type, i.State, i.Keyspace, i.Namespace, i.CollectionName, i.ScopeName, i.BucketName = "gsi", "online", "records",
			"default", "records", "code", "b"
		return i
	}
	want := []gocb.QueryIndex{
		index(gocb.QueryIndex{Name: "#primary", IsPrimary: true, IndexKey: []string{}}),
		index(gocb.QueryIndex{Name: "by_k", IndexKey: []string{"`c`", "`k`"}}),
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	wantErr(t, "DropIndex", m.DropIndex("by_k", nil), nil)
	wantErr(t, "DropIndex again", m.DropIndex("by_k", nil), gocb.ErrIndexNotFound)

	all, err = c.Bucket("b").DefaultCollection().QueryIndexes().GetAllIndexes(nil)
	if err != nil || len(all) != 0 {
		t.Errorf("indexes of the default collection: %v, %v, want none", all, err)
	}
	for _, statement := range []string{
		"CREATE PRIMARY INDEX IF NOT EXISTS ON `b`.`code`.`documents`",
		"CREATE PRIMARY INDEX IF NOT EXISTS ON `b`.`code`.`documents` USING GSI",
		"CREATE INDEX by_repo IF NOT EXISTS ON b.code.documents(repo_id) WITH {\"defer_build\": false}",
		"CREATE INDEX IF NOT EXISTS by_repo ON b.code.documents(`repo_id`)",
		"DROP INDEX by_repo IF EXISTS ON b.code.documents",
		"DROP INDEX by_repo IF EXISTS ON b.code.documents",
	} {
		_, err := run(c, statement, nil)
		wantErr(t, statement, err, nil)
	}
}
