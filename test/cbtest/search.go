package cbtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// search registers the Search service where the server has indexes of scopes.
// Others, of the time before 7.6, are not imitated.
func (w *web) search() {
	if !w.node.version.scopedSearch() {
		return
	}
	const prefix = "/api/bucket/{bucket}/scope/{scope}/index"
	w.handle("GET "+prefix, w.listIndexes)
	w.handle("PUT "+prefix+"/{name}", w.putIndex)
	w.handle("GET "+prefix+"/{name}", w.withIndex(w.getIndex))
	w.handle("DELETE "+prefix+"/{name}", w.withIndex(w.dropIndex))
	w.handle("GET "+prefix+"/{name}/count", w.withIndex(w.countIndex))
	w.handle("POST "+prefix+"/{name}/query", w.withIndex(w.queryIndex))
}

// A searchIndex is one that exists.
type searchIndex struct {
	bucket      *bucket
	scope, name string
	definition  json.RawMessage
}

// indexes returns those of the scope in the path of r, and whether indexes
// exist at all in the cluster.
func indexes(node *Node, r *http.Request) (found []searchIndex, exist bool) {
	bucket, scope := r.PathValue("bucket"), r.PathValue("scope")
	d := node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, b := range d.buckets {
		for _, s := range b.scopes {
			for _, definition := range b.search.definitions(b.name, s.name) {
				exist = true
				if s.name == scope && b.name == bucket {
					found = append(found, searchIndex{b, scope, definitionName(definition), definition})
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

// withIndex makes a handler of one that needs an index that exists.
func (w *web) withIndex(f func(*exchange, *http.Request, searchIndex)) func(*exchange, *http.Request) {
	return func(x *exchange, r *http.Request) {
		name := r.PathValue("name")
		found, exist := indexes(w.node, r)
		for _, i := range found {
			if i.name == name {
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

func (w *web) listIndexes(x *exchange, r *http.Request) {
	found, _ := indexes(w.node, r)
	if len(found) == 0 {
		x.json(http.StatusOK, map[string]any{"status": "ok", "indexDefs": nil})
		return
	}
	byName := map[string]json.RawMessage{}
	for _, i := range found {
		byName[i.name] = i.definition
	}
	x.json(http.StatusOK, map[string]any{
		"status": "ok", "indexDefs": map[string]any{"uuid": "cbtest", "indexDefs": byName, "implVersion": "5.7.0"},
	})
}

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
	uuid, status, errBody := b.search.define(bucket, scope, x.in)
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
	i.bucket.search.drop(i.bucket.name, i.scope, i.name)
	x.json(http.StatusOK, map[string]string{"status": "ok"})
}

func (w *web) countIndex(x *exchange, _ *http.Request, i searchIndex) {
	expire(w.node, i.bucket)
	n := i.bucket.search.count(i.bucket.name, i.scope, i.name)
	x.json(http.StatusOK, map[string]any{"status": "ok", "count": n})
}

func (w *web) queryIndex(x *exchange, r *http.Request, i searchIndex) {
	expire(w.node, i.bucket)
	if !consistent(w, x, r, i) {
		return
	}
	status, reply := i.bucket.search.query(i.bucket.name, i.scope, i.name, x.in, x.failPartitions)
	x.text(status, string(reply))
}

// expire takes expired documents out of the index of b.
func expire(node *Node, b *bucket) {
	node.data.mu.Lock()
	defer node.data.mu.Unlock()
	node.data.expire(b)
}

// control is the "ctl" of a search request.
type control struct {
	Timeout     int64 `json:"timeout"` // milliseconds, 0 for none
	Consistency struct {
		Level   string                       `json:"level"`
		Vectors map[string]map[string]uint64 `json:"vectors"` // index → "vBucket/uuid" → sequence number
	} `json:"consistency"`
}

// consistent waits until the index has the mutations that the request names, or
// answers as the server does when they don't come in time or are of another
// history of the bucket.
func consistent(w *web, x *exchange, r *http.Request, i searchIndex) bool {
	var request struct{ Ctl control }
	if json.Unmarshal(x.in, &request) != nil {
		return true // the engine says what is wrong
	}
	ctl := request.Ctl
	if ctl.Consistency.Level != "at_plus" {
		return true
	}
	// Under a scope the server knows indexes by their full names only, also here;
	// a vector under another name waits for nothing.
	vector := ctl.Consistency.Vectors[i.bucket.name+"."+i.scope+"."+i.name]
	want, mismatch := wanted(w.node, i.bucket, vector)
	if mismatch != "" {
		x.searchError(http.StatusBadRequest,
			"rest_index: Query, name: "+i.name+", err: bleve: pindex_consistency mismatched partition, uuid: "+mismatch)
		return false
	}
	ctx := r.Context()
	if ctl.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(ctl.Timeout)*time.Millisecond)
		defer cancel()
	}
	vb, ok := w.node.feeder.reach(ctx, i.bucket, want)
	if !ok {
		x.consistencyError(i.name, "cancelled",
			fmt.Sprintf("pindex_consistency: request cancelled or timed out while waiting for partition %q to reach the "+
				"requested sequence number", strconv.Itoa(vb)),
			map[string][]uint64{strconv.Itoa(vb): {0, want[vb]}})
	}
	return ok
}

// wanted reads a vector; mismatch is a uuid that the bucket does not have.
func wanted(node *Node, b *bucket, vector map[string]uint64) (want map[int]uint64, mismatch string) {
	d := node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	want = map[int]uint64{}
	for key, seqno := range vector {
		number, uuid, _ := strings.Cut(key, "/")
		vb, err := strconv.Atoi(number)
		if err != nil || vb < 0 || vb >= vbuckets || seqno == 0 {
			continue // as the server does: not a partition of the index
		}
		if uuid != "" && uuid != strconv.FormatUint(b.partitions[vb].uuid, 10) {
			return nil, uuid
		}
		want[vb] = seqno
	}
	return want, ""
}
