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

	"github.com/ragnav/ragnav/test/cbtest"
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

// The statements of the store, on the collections of start.
const (
	list = "SELECT r.k, r.v FROM `b`.`code`.`records` AS r WHERE r.c = $c AND r.k > $after " +
		"ORDER BY r.k LIMIT $n"
	keysOfRecords   = "SELECT RAW META(r).id FROM `b`.`code`.`records` AS r WHERE r.c = $c LIMIT $n"
	keysOfDocuments = "SELECT RAW META(d).id FROM `b`.`code`.`documents` AS d WHERE d.repo_id = $repo LIMIT $n"
	pageOfDocuments = "SELECT RAW META(d).id FROM `b`.`code`.`documents` AS d WHERE d.repo_id = $repo " +
		"AND META(d).id > $after ORDER BY META(d).id LIMIT $n"
	count  = "SELECT RAW COUNT(*) FROM `b`.`code`.`documents` AS d"
	countR = count + " WHERE d.repo_id = $repo"
)

// withRecords is start with records and documents, and the store's indexes on
// both collections.
func withRecords(t *testing.T, o cbtest.Options) (*gocb.Cluster, *gocb.Scope) {
	t.Helper()
	_, c, s := start(t, o)
	for name, keys := range map[string][]string{"records": {"c", "k"}, "documents": {"repo_id"}} {
		if err := s.Collection(name).QueryIndexes().CreateIndex("by", keys, nil); err != nil {
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
	c, _ := withRecords(t, cbtest.Options{})
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
			list,
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
		{"keys of records", keysOfRecords, map[string]any{"c": "meta", "n": 9}, []string{`"other"`}},
		{"keys of documents", keysOfDocuments, map[string]any{"repo": "r1", "n": 9}, []string{`"d1"`, `"d3"`}},
		{"as many as asked for", keysOfDocuments, map[string]any{"repo": "r0", "n": 2}, []string{`"d0"`, `"d2"`}},
		{
			"a page of keys", pageOfDocuments,
			map[string]any{"repo": "r0", "after": "d0", "n": 9},
			[]string{`"d2"`, `"d4"`},
		},
		{"count of a repository", countR, map[string]any{"repo": "r0"}, []string{`3`}},
		{"count of another", countR, map[string]any{"repo": "r"}, []string{`0`}},
		{"count", count, nil, []string{`5`}},
		{"version", "SELECT RAW ds_version()", nil, []string{`"8.0.0-1234-enterprise"`}},
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
	c, s := withRecords(t, cbtest.Options{Version: "8.1.0-1-enterprise"})
	if err := s.Collection("records").QueryIndexes().CreateIndex("more", []string{"k"},
		&gocb.CreateQueryIndexOptions{Deferred: true}); err != nil {
		t.Fatal(err)
	}
	of := func(statement, bucket, scope, collection string) string {
		return strings.NewReplacer("`b`", "`"+bucket+"`", "`code`", "`"+scope+"`", "`documents`",
			"`"+collection+"`").Replace(statement)
	}
	repo := map[string]any{"repo": "r0", "n": 1}
	for _, x := range []struct {
		name, statement string
		params          map[string]any
		code            uint32
	}{
		{"no statement of ours", "UPSERT INTO b VALUES (1, 2)", nil, 3000},
		{"something after the end", "SELECT RAW ds_version() FROM", nil, 3000},
		{"another field", strings.Replace(countR, "d.repo_id", "d.path", 1), repo, 3000},
		{"no index", of(keysOfDocuments, "b", "code", "records"), repo, 4000},
		{"a count that waits", count, nil, 4000}, // needs none before 8.1
		{"no bucket", of(count, "x", "code", "documents"), nil, 12003},
		{"no scope", of(count, "b", "x", "documents"), nil, 12021},
		{"no collection", of(count, "b", "code", "x"), nil, 12003},
		{"no such parameter", countR, nil, 5010},
		{"no such limit", keysOfDocuments, map[string]any{"repo": "r0"}, 5010},
		{"no such start", pageOfDocuments, repo, 5010},
		{"a parameter of another type", countR, map[string]any{"repo": 7}, 5010},
		{"unknown index", "BUILD INDEX ON `b`.`code`.`records`(`more`, `none`)", nil, 12016},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := run(c, x.statement, x.params)
			var q *gocb.QueryError
			if !errors.As(err, &q) || len(q.Errors) != 1 || q.Errors[0].Code != x.code {
				t.Errorf("error %v, want code %d", err, x.code)
			} else if x.code == 3000 && !strings.HasSuffix(q.Errors[0].Message, ": "+x.statement) {
				t.Errorf("%q does not name the statement", q.Errors[0].Message)
			}
		})
	}
}

// Who does not wait for an index may miss what was written.
func TestConsistency(t *testing.T) {
	c, s := withRecords(t, cbtest.Options{})
	counted := func(as gocb.QueryScanConsistency) (n int) {
		t.Helper()
		r, err := c.Query(countR, &gocb.QueryOptions{
			NamedParameters: map[string]any{"repo": "new"}, Adhoc: true, ScanConsistency: as,
		})
		if err == nil {
			err = r.One(&n)
		}
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, err := s.Collection("documents").Upsert("n", map[string]any{"repo_id": "new"}, nil); err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, as := range []gocb.QueryScanConsistency{
		gocb.QueryScanConsistencyNotBounded, gocb.QueryScanConsistencyRequestPlus, gocb.QueryScanConsistencyNotBounded,
	} {
		got = append(got, counted(as))
	}
	if diff := cmp.Diff([]int{0, 1, 1}, got); diff != "" {
		t.Error(diff)
	}
}

func TestQueryRoles(t *testing.T) {
	n, _, s := start(t, cbtest.Options{Users: []cbtest.Account{
		{Name: "reads", Password: "p", Roles: []string{"data_reader", "query_select"}},
		{Name: "manages", Password: "p", Roles: []string{"data_reader", "query_manage_index"}},
	}})
	if err := s.Collection("documents").QueryIndexes().CreateIndex("by", []string{"repo_id"}, nil); err != nil {
		t.Fatal(err)
	}
	const create = "CREATE INDEX `more` ON `b`.`code`.`documents` (`repo_id`)"
	for user, may := range map[string]map[string]bool{
		"reads":   {"SELECT RAW ds_version()": true, countR: true, create: false},
		"manages": {"SELECT RAW ds_version()": true, countR: false, create: true},
	} {
		c := connectAs(t, n, user, "p")
		for statement, want := range may {
			_, err := run(c, statement, map[string]any{"repo": "r0"})
			var q *gocb.QueryError
			if refused := errors.As(err, &q) && q.Errors[0].Code == 13014; err != nil && !refused || refused == want {
				t.Errorf("%s, %s: %v", user, statement, err)
			}
		}
	}
	c := connect(t, n)
	_, err := c.Query(create, &gocb.QueryOptions{Readonly: true, Adhoc: true})
	if err == nil {
		t.Error("a request that only reads makes an index")
	}
}

func TestQueryIndexes(t *testing.T) {
	_, c, s := start(t, cbtest.Options{})
	m := s.Collection("documents").QueryIndexes()
	wantErr(t, "CreateIndex", m.CreateIndex("by", []string{"repo_id", "path"},
		&gocb.CreateQueryIndexOptions{Deferred: true}), nil)
	wantErr(t, "CreateIndex again", m.CreateIndex("by", []string{"path"}, nil), gocb.ErrIndexExists)
	wantErr(t, "CreateIndex if there is none",
		m.CreateIndex("by", []string{"path"}, &gocb.CreateQueryIndexOptions{IgnoreIfExists: true}), nil)
	if err := m.CreateIndex("copied", []string{"path"}, &gocb.CreateQueryIndexOptions{NumReplicas: 1}); err == nil {
		t.Error("one node has a replica")
	}
	repo := map[string]any{"repo": "r0"}
	_, err := run(c, countR, repo)
	wantErr(t, "a query before the index is built", err, gocb.ErrPlanningFailure)

	built, err := m.BuildDeferredIndexes(nil)
	if diff := cmp.Diff([]string{"by"}, built); diff != "" || err != nil {
		t.Errorf("BuildDeferredIndexes: %v %s", err, diff)
	}
	wantErr(t, "WatchIndexes", m.WatchIndexes([]string{"by"}, patience, nil), nil)
	_, err = run(c, countR, repo)
	wantErr(t, "a query on the first key of an index", err, nil)
	wantErr(t, "WatchIndexes for none", m.WatchIndexes([]string{"none"}, time.Second, nil), gocb.ErrIndexNotFound)
	all, err := m.GetAllIndexes(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []gocb.QueryIndex{{
		Name: "by", IndexKey: []string{"`repo_id`", "`path`"}, Type: "gsi", State: "online", Keyspace: "documents",
		Namespace: "default", CollectionName: "documents", ScopeName: "code", BucketName: "b",
	}}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	all, err = s.Collection("records").QueryIndexes().GetAllIndexes(nil)
	if err != nil || len(all) != 0 {
		t.Errorf("indexes of another collection: %v, %v, want none", all, err)
	}
}
