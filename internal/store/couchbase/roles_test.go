package couchbase_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/store/couchbase/setup"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/test/cbtest"
)

// The users of docs/couchbase.md.
var (
	serverRoles = []string{"data_reader", "data_writer", "query_select", "fts_searcher"}
	setupRoles  = append([]string{"scope_admin", "query_manage_index", "fts_admin"}, serverRoles...)
)

func as(name string) func(*driver.Config) {
	return func(c *driver.Config) { c.Username, c.Password = name, "secret" }
}

// usersNode has the documented users, and a bucket that somebody else has made.
func usersNode(t *testing.T, server ...string) *cbtest.Node {
	t.Helper()
	n := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: "other", Users: []cbtest.Account{
		{Name: "setup", Password: "secret", Roles: setupRoles}, {Name: "ragnav", Password: "secret", Roles: server},
	}})
	c := clustertest.Config(n)
	as("setup")(&c)
	if err := clustertest.AtOnce(t.Context(), c, setup.Options{},
		func(line string) { t.Log(line) }); err != nil {
		t.Fatal(err)
	}
	return n
}

// The documented roles are enough for a server.
func TestServerUser(t *testing.T) {
	n := usersNode(t, serverRoles...)
	s := clustertest.Open(t, n, as("ragnav"))
	if err := s.Apply(t.Context(), clustertest.Symbols("Parse")); err != nil {
		t.Fatal(err)
	}
	for _, op := range []operation{opApply, opDelete, opDocuments, opRecord, opRecords, opSettle, opSearch} {
		if err := op.do(t.Context(), s); err != nil {
			t.Errorf("%s: %v", op.name, err)
		}
	}
	clustertest.AllPass(t, s)
}

// Who lacks a role is told so, and by which name.
func TestServerUserLacksARole(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		role string
		op   operation
	}{
		{"data_writer", opApply}, {"query_select", opRecords}, {"fts_searcher", opSearch},
	} {
		t.Run(tt.role, func(t *testing.T) {
			n := usersNode(t, slices.DeleteFunc(slices.Clone(serverRoles), func(r string) bool { return r == tt.role })...)
			c := clustertest.Config(n)
			as("ragnav")(&c)
			s, err := couchbase.Open(t.Context(), c)
			if err == nil {
				err = tt.op.do(t.Context(), s)
				_ = s.Close()
			}
			if fault.CodeOf(err) != fault.RAGUnavailable || !strings.Contains(fault.MessageOf(err), `refuses user "ragnav"`) {
				t.Errorf("%v, want a word on the user's roles", err)
			}
		})
	}
}
