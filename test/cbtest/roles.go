package cbtest

import (
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"

	"github.com/couchbase/gocbcore/v10/memd"
)

// An Account is a user. Its roles hold everywhere: the node does not tell
// buckets and scopes apart.
type Account struct {
	Name, Password string
	Roles          []string // in the server's words: data_reader, query_select, …
}

// A privilege is what some requests need.
type privilege string

const (
	nothing         privilege = ""
	readData        privilege = "data!read"
	writeData       privilege = "data!write"
	readSettings    privilege = "settings!read"
	writeBuckets    privilege = "buckets!write"
	readCollections privilege = "collections!read"
	writeScopes     privilege = "collections!write"
	selectRows      privilege = "n1ql.select!execute"
	manageGSI       privilege = "n1ql.index!manage"
	readSearch      privilege = "fts!read"
	manageSearch    privilege = "fts!write"
)

// roles are those that the node knows, as the servers have them from 7.6 to
// 8.0. To list collections is not among the privileges of those that only use
// documents and indexes.
var roles = map[string][]privilege{
	"admin": {
		readData, writeData, readSettings, writeBuckets, readCollections, writeScopes, selectRows, manageGSI, readSearch,
		manageSearch,
	},
	"cluster_admin":      {readSettings, writeBuckets, readCollections, writeScopes},
	"scope_admin":        {readCollections, writeScopes},
	"data_reader":        {readData, readSettings},
	"data_writer":        {writeData},
	"query_select":       {selectRows},
	"query_manage_index": {manageGSI, readCollections},
	"fts_searcher":       {readSearch},
	"fts_admin":          {readSearch, manageSearch, readCollections},
}

// may reports whether a role of the account has one of those privileges.
func (a *Account) may(wanted ...privilege) bool {
	return slices.ContainsFunc(wanted, func(p privilege) bool {
		return p == nothing || slices.ContainsFunc(a.Roles, func(role string) bool { return slices.Contains(roles[role], p) })
	})
}

// account is the one of that name, nil for none.
func (n *Node) account(name string) *Account {
	i := slices.IndexFunc(n.opts.Users, func(a Account) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &n.opts.Users[i]
}

// login is account with its password; nil when it is another.
func (n *Node) login(name, password string) *Account {
	a := n.account(name)
	if a == nil || subtle.ConstantTimeCompare([]byte(password), []byte(a.Password)) != 1 {
		return nil
	}
	return a
}

// needsOfCommand are the privileges one of which a command needs.
func needsOfCommand(c memd.CmdCode) []privilege {
	switch c {
	case memd.CmdSelectBucket, memd.CmdCollectionsGetID:
		return []privilege{readData, writeData}
	case memd.CmdGet, memd.CmdGetMeta:
		return []privilege{readData}
	case memd.CmdSet, memd.CmdAdd, memd.CmdReplace, memd.CmdDelete:
		return []privilege{writeData}
	}
	return []privilege{nothing}
}

// needsOfHTTP is the privilege that a request needs, but for the Query service,
// where the statement decides.
func needsOfHTTP(method, path string) privilege {
	reads := method == http.MethodGet
	switch {
	case path == "/api/ping":
		return nothing
	case strings.HasPrefix(path, "/api/"):
		return either(reads || strings.HasSuffix(path, "/query"), readSearch, manageSearch)
	case strings.Contains(path, "/scopes"):
		return either(reads, readCollections, writeScopes)
	case strings.HasPrefix(path, "/pools/default/buckets"):
		return either(reads, readSettings, writeBuckets)
	}
	return nothing
}

func either(first bool, a, b privilege) privilege {
	if first {
		return a
	}
	return b
}

// noRole is what the Query service says to a user who may not.
func noRole(p privilege) *queryError {
	message := "User does not have credentials to run SELECT queries on the keyspace. Add role query_select to allow " +
		"the statement to run."
	if p == manageGSI {
		message = "User does not have credentials to run index operations. Add role query_manage_index to allow the " +
			"statement to run."
	}
	return &queryError{13014, message, http.StatusUnauthorized}
}
