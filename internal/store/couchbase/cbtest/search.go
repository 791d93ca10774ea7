package cbtest

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/ragnav/ragnav/internal/store/couchbase/cbtest/searchsim"
)

// newEngine makes the Search service of one bucket.
func (n *Node) newEngine() *searchsim.Engine {
	return searchsim.New(searchsim.Options{
		Scoring:    n.opts.Scoring,
		Partitions: n.opts.Partitions,
		Prefilter:  n.version.vectorPrefilter(),
		BM25:       n.version.bm25(),
		MaxClauses: 1024, // the server's default
		Nodes:      n.opts.Nodes,
	})
}

// search registers the Search service, with the scoped paths only where the
// server has them.
func (w *web) search() {
	w.searchUnder("/api/index")
	if w.node.version.scopedSearch() {
		w.searchUnder("/api/bucket/{bucket}/scope/{scope}/index")
	}
}

func (w *web) searchUnder(prefix string) {
	w.handle("GET "+prefix, w.listIndexes)
	w.handle("PUT "+prefix+"/{name}", w.putIndex)
	w.handle("GET "+prefix+"/{name}", w.withIndex(w.getIndex))
	w.handle("DELETE "+prefix+"/{name}", w.withIndex(w.dropIndex))
	w.handle("GET "+prefix+"/{name}/count", w.withIndex(w.countIndex))
	w.handle("POST "+prefix+"/{name}/query", w.withIndex(w.queryIndex))
}

// A searchIndex is one that exists. Its address is its name under a path with a
// scope, and "bucket.scope.name" under one without.
type searchIndex struct {
	bucket               *bucket
	scope, name, address string
	definition           json.RawMessage
}

// indexes returns those that the path of r can mean, and whether indexes
// exist at all in the cluster.
func (w *web) indexes(r *http.Request) (found []searchIndex, exist bool) {
	bucket, scope := r.PathValue("bucket"), r.PathValue("scope")
	d := w.node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, b := range d.buckets {
		for _, s := range b.scopes {
			for _, definition := range b.search.Definitions(b.name, s.name) {
				exist = true
				i := searchIndex{bucket: b, scope: s.name, name: definitionName(definition), definition: definition}
				if i.address = i.name; scope == "" {
					i.address = b.name + "." + s.name + "." + i.name
					i.definition = renamed(definition, i.address)
				}
				if scope == "" || s.name == scope && b.name == bucket {
					found = append(found, i)
				}
			}
		}
	}
	return found, exist
}

func definitionName(definition json.RawMessage) string {
	var d struct{ Name string }
	_ = json.Unmarshal(definition, &d) // the engine's own
	return d.Name
}

func renamed(definition json.RawMessage, name string) json.RawMessage {
	var fields map[string]any
	_ = json.Unmarshal(definition, &fields) // the engine's own
	fields["name"] = name
	out, _ := json.Marshal(fields)
	return out
}

// withIndex makes a handler of one that needs an index that exists.
func (w *web) withIndex(f func(*exchange, *http.Request, searchIndex)) func(*exchange, *http.Request) {
	return func(x *exchange, r *http.Request) {
		name := r.PathValue("name")
		found, exist := w.indexes(r)
		for _, i := range found {
			if i.address == name {
				f(x, r, i)
				return
			}
		}
		message := "rest_auth: preparePerms, err: index not found"
		if !exist && r.Method == http.MethodPost {
			message = fmt.Sprintf(
				"rest_index: Query, no pindexImplType, indexName: %s, err: manager: could not get indexDefs, indexName: %s, err: "+
					"no index definitions found", name, name)
		}
		x.searchError(http.StatusBadRequest, message)
	}
}

// searchError is how the Search service says no.
func (x *exchange) searchError(status int, message string) {
	reply := map[string]any{"error": message, "status": "fail", "request": ""}
	if json.Valid(x.in) {
		reply["request"] = json.RawMessage(x.in)
	}
	x.json(status, reply)
}

func (w *web) listIndexes(x *exchange, r *http.Request) {
	found, _ := w.indexes(r)
	if len(found) == 0 {
		x.json(http.StatusOK, map[string]any{"status": "ok", "indexDefs": nil})
		return
	}
	byName := map[string]json.RawMessage{}
	for _, i := range found {
		byName[i.address] = i.definition
	}
	x.json(http.StatusOK, map[string]any{
		"status": "ok", "indexDefs": map[string]any{"uuid": "cbtest", "indexDefs": byName, "implVersion": "5.7.0"},
	})
}

// putIndex defines a scoped index. Unscoped ones, of the time before 7.6, are
// not imitated.
func (w *web) putIndex(x *exchange, r *http.Request) {
	name, bucket, scope := r.PathValue("name"), r.PathValue("bucket"), r.PathValue("scope")
	d := w.node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.bucket(bucket)
	if b == nil || b.scope(scope) == nil {
		x.searchError(http.StatusBadRequest,
			fmt.Sprintf("rest_create_index: error creating index: %s, err: no bucket and scope %s.%s", name, bucket, scope))
		return
	}
	uuid, status, errBody := b.search.Define(bucket, scope, x.in)
	if errBody != "" {
		x.text(status, errBody)
		return
	}
	x.json(http.StatusOK, map[string]string{"status": "ok", "name": bucket + "." + scope + "." + name, "uuid": uuid})
}

func (w *web) getIndex(x *exchange, _ *http.Request, i searchIndex) {
	x.json(http.StatusOK, map[string]any{
		"status": "ok", "indexDef": i.definition, "planPIndexes": []any{},
		"warnings": []any{},
	})
}

func (w *web) dropIndex(x *exchange, _ *http.Request, i searchIndex) {
	i.bucket.search.Drop(i.bucket.name, i.scope, i.name)
	x.json(http.StatusOK, map[string]string{"status": "ok"})
}

func (w *web) countIndex(x *exchange, _ *http.Request, i searchIndex) {
	w.expire(i.bucket)
	n, _ := i.bucket.search.Count(i.bucket.name, i.scope, i.name)
	x.json(http.StatusOK, map[string]any{"status": "ok", "count": n})
}

func (w *web) queryIndex(x *exchange, r *http.Request, i searchIndex) {
	w.expire(i.bucket)
	if !w.consistent(x, r, i) {
		return
	}
	status, reply := i.bucket.search.Query(i.bucket.name, i.scope, i.name, x.in, x.failPartitions)
	x.text(status, string(reply))
}

// expire takes expired documents out of the index of b.
func (w *web) expire(b *bucket) {
	w.node.data.mu.Lock()
	defer w.node.data.mu.Unlock()
	w.node.data.expire(b)
}
