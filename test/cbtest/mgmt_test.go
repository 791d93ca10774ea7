package cbtest_test

import (
	"testing"

	"github.com/couchbase/gocb/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/test/cbtest"
)

func TestBucketManager(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	c := connect(t, n)
	m := c.Buckets()
	settings := gocb.CreateBucketSettings{BucketSettings: gocb.BucketSettings{
		Name: "b", RAMQuotaMB: 128, BucketType: gocb.CouchbaseBucketType,
		MinimumDurabilityLevel: gocb.DurabilityLevelNone,
	}}
	_, err := m.GetBucket("b", nil)
	wantErr(t, "GetBucket of none", err, gocb.ErrBucketNotFound)
	wantErr(t, "CreateBucket", m.CreateBucket(settings, nil), nil)
	wantErr(t, "CreateBucket again", m.CreateBucket(settings, nil), gocb.ErrBucketExists)
	bad := settings
	bad.Name = "no/name"
	wantErr(t, "CreateBucket with a bad name", m.CreateBucket(bad, nil), gocb.ErrInvalidArgument)
	got, err := m.GetBucket("b", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "b" || got.RAMQuotaMB != 128 || got.BucketType != gocb.CouchbaseBucketType {
		t.Errorf("GetBucket: %+v", got)
	}
	_, err = ready(t, c).DefaultCollection().Upsert("k", 1, nil)
	wantErr(t, "Upsert into the new bucket", err, nil)
}

func TestCollectionManager(t *testing.T) {
	_, c, s := start(t, cbtest.Options{})
	b := c.Bucket("b")
	m := b.CollectionsV2()
	wantErr(t, "CreateScope", m.CreateScope("new", nil), nil)
	wantErr(t, "CreateScope again", m.CreateScope("new", nil), gocb.ErrScopeExists)
	wantErr(t, "CreateScope with a bad name", m.CreateScope("_new", nil), gocb.ErrInvalidArgument)
	wantErr(t, "CreateCollection", m.CreateCollection("new", "things", nil, nil), nil)
	wantErr(t, "CreateCollection again", m.CreateCollection("new", "things", nil, nil), gocb.ErrCollectionExists)
	wantErr(t, "CreateCollection in no scope", m.CreateCollection("none", "things", nil, nil), gocb.ErrScopeNotFound)

	scopes, err := m.GetAllScopes(nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, s := range scopes {
		for _, c := range s.Collections {
			got[s.Name] = append(got[s.Name], c.Name)
		}
	}
	want := map[string][]string{
		"_default": {"_default"}, "_system": {"_mobile", "_query"}, "code": {"documents", "records"}, "new": {"things"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	_, err = b.Scope("new").Collection("things").Upsert("k", 1, nil)
	wantErr(t, "Upsert into the new collection", err, nil)
	_, err = s.Collection("documents").Get("k", nil)
	wantErr(t, "Get from another collection", err, gocb.ErrDocumentNotFound)
	wantErr(t, "DropCollection", m.DropCollection("new", "things", nil), nil)
	wantErr(t, "DropCollection again", m.DropCollection("new", "things", nil), gocb.ErrCollectionNotFound)
	wantErr(t, "DropScope", m.DropScope("new", nil), nil)
	wantErr(t, "DropScope again", m.DropScope("new", nil), gocb.ErrScopeNotFound)
	wantErr(t, "DropScope of a system scope", m.DropScope("_default", nil), gocb.ErrInvalidArgument)
}

func TestPingAndNodes(t *testing.T) {
	_, c, _ := start(t, cbtest.Options{})
	ping, err := c.Bucket("b").Ping(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, service := range []gocb.ServiceType{
		gocb.ServiceTypeKeyValue, gocb.ServiceTypeQuery, gocb.ServiceTypeSearch,
		gocb.ServiceTypeManagement,
	} {
		points := ping.Services[service]
		if len(points) != 1 || points[0].State != gocb.PingStateOk {
			t.Errorf("service %v: %+v, want one that answers", service, points)
		}
	}
	nodes, err := c.Internal().GetNodesMetadata(nil)
	if err != nil || len(nodes) != 1 || nodes[0].Version != "8.0.0-1234-enterprise" {
		t.Errorf("nodes: %+v, %v", nodes, err)
	}
}
