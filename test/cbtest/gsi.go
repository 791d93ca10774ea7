package cbtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// A gsi is an index of the Query service. Its entries are not kept: a query
// asks whether it is there, and how much of the collection it has seen.
type gsi struct {
	bucket, scope, collection, name string
	online                          bool
	keys                            []string // field names
	// seen is the last write that the index knows of: it follows when it is
	// made and when a request waits for it, not by itself. The server's does, but
	// nobody can rely on when.
	seen uint64
}

// gsi returns the index of that name on c.
func (b *bucket) gsi(c *collection, name string) *gsi {
	return b.firstGSI(c, func(g *gsi) bool { return g.name == name })
}

// gsiOn returns an index on c that answers for a field, which is its first key.
func (b *bucket) gsiOn(c *collection, field string) *gsi {
	return b.firstGSI(c, func(g *gsi) bool { return g.online && g.keys[0] == field })
}

func (b *bucket) firstGSI(c *collection, is func(*gsi) bool) *gsi {
	i := slices.IndexFunc(b.indexes, func(g *gsi) bool { return g.scope == c.scope && g.collection == c.name && is(g) })
	if i < 0 {
		return nil
	}
	return b.indexes[i]
}

// createGSI runs CREATE INDEX: its names are that of the index, those of the
// collection, the keys and the settings.
func createGSI(d *data, _ queryRequest, names []string) ([]json.RawMessage, *queryError) {
	var with struct {
		DeferBuild bool `json:"defer_build"`
		Replicas   int  `json:"num_replica"`
	}
	if names[5] != "" && json.Unmarshal([]byte(names[5]), &with) != nil {
		return nil, &queryError{3000, "syntax error - at: " + names[5], http.StatusBadRequest}
	}
	b, c, err := resolve(d, names[1:4])
	switch {
	case err != nil:
		return nil, err
	case with.Replicas >= d.node.opts.Nodes:
		return nil, &queryError{
			5000,
			fmt.Sprintf("Fails to create index.  There are not enough indexer nodes to create index with replica count of %d. "+
				"Some indexer nodes may be marked as excluded.", with.Replicas), http.StatusInternalServerError,
		}
	case b.gsi(c, names[0]) != nil:
		return nil, &queryError{4300, fmt.Sprintf("The index %s already exists.", names[0]), http.StatusConflict}
	}
	b.indexes = append(b.indexes, &gsi{
		bucket: b.name, scope: c.scope, collection: c.name, name: names[0], keys: quoted(names[4]),
		online: !with.DeferBuild, seen: d.lastCAS,
	})
	return nil, nil
}

// buildGSI runs BUILD INDEX: deferred indexes are online at once.
func buildGSI(d *data, _ queryRequest, names []string) ([]json.RawMessage, *queryError) {
	b, c, err := resolve(d, names[:3])
	if err != nil {
		return nil, err
	}
	for _, name := range quoted(names[3]) {
		g := b.gsi(c, name)
		if g == nil {
			return nil, &queryError{
				12016, fmt.Sprintf("Index Not Found - cause: GSI index %s not found.", name),
				http.StatusInternalServerError,
			}
		}
		g.online, g.seen = true, d.lastCAS
	}
	return nil, nil
}

// quoted splits "`a`, `b`".
func quoted(list string) []string { return strings.Split(strings.Trim(list, "`"), "`, `") }

func selectIndexes(d *data, q queryRequest, _ []string) ([]json.RawMessage, *queryError) {
	found, err := indexesOf(d, q)
	rows := make([]map[string]any, len(found))
	for i, g := range found {
		keys := make([]string, len(g.keys))
		for k, key := range g.keys {
			keys[k] = "`" + key + "`"
		}
		state := "online"
		if !g.online {
			state = "deferred"
		}
		rows[i] = map[string]any{
			"name": g.name, "namespace_id": "default", "keyspace_id": g.collection, "scope_id": g.scope,
			"bucket_id": g.bucket, "state": state, "using": "gsi", "index_key": keys,
		}
	}
	return results(rows...), err
}

func selectDeferred(d *data, q queryRequest, _ []string) ([]json.RawMessage, *queryError) {
	found, err := indexesOf(d, q)
	var names []string
	for _, g := range found {
		if !g.online {
			names = append(names, g.name)
		}
	}
	return results(names...), err
}

// indexesOf are those of system:indexes on the collection that the parameters
// name, by name. That there is none is no error.
func indexesOf(d *data, q queryRequest) (found []*gsi, err *queryError) {
	var bucket, scope, collection string
	for name, v := range map[string]*string{"bucketName": &bucket, "scopeName": &scope, "collectionName": &collection} {
		if err := q.param(name, v); err != nil {
			return nil, err
		}
	}
	if b := d.bucket(bucket); b != nil {
		for _, g := range b.indexes {
			if g.scope == scope && g.collection == collection {
				found = append(found, g)
			}
		}
	}
	slices.SortFunc(found, func(a, b *gsi) int { return strings.Compare(a.name, b.name) })
	return found, nil
}
