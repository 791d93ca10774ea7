package cbtest

import (
	"net/http"
	"slices"
)

// cluster registers what the cluster manager tells about the cluster, and the
// pings of all services.
func (w *web) cluster() {
	pong := func(x *exchange, _ *http.Request) { x.json(http.StatusOK, struct{}{}) }
	w.handle("GET /admin/ping", pong)
	w.handle("GET /api/ping", pong)
	w.handle("GET /whoami", w.whoami)
	w.handle("GET /pools", w.pools)
	w.handle("GET /pools/default", w.pool)
	w.handle("GET /pools/default/nodeServices", w.nodeServices)
	w.handle("GET /pools/default/b/{bucket}", w.bucketConfig)
	w.mux.HandleFunc("/", func(rw http.ResponseWriter, _ *http.Request) {
		rw.(*exchange).text(http.StatusNotFound, notFound)
	})
}

// notFound is what the cluster manager answers for a path that it doesn't know
// and for a bucket that doesn't exist.
const notFound = "Requested resource not found.\r\n"

func (w *web) whoami(x *exchange, r *http.Request) {
	x.json(http.StatusOK, map[string]any{"id": w.user(r).Name, "domain": "local"})
}

func (w *web) pools(x *exchange, _ *http.Request) {
	x.json(http.StatusOK, map[string]any{
		"isEnterprise": true, "isAdminCreds": true, "implementationVersion": w.node.opts.Version,
		"pools": []any{map[string]string{"name": "default", "uri": "/pools/default"}},
	})
}

func (w *web) pool(x *exchange, _ *http.Request) {
	node := map[string]any{
		"hostname": hostPort(w.node.http), "thisNode": true, "version": w.node.opts.Version,
		"status": "healthy", "clusterMembership": "active", "uptime": "60", "os": "linux",
		"services": []string{"fts", "index", "kv", "n1ql"},
		"ports":    map[string]int{"direct": w.node.kv},
	}
	x.json(http.StatusOK, map[string]any{
		"name": "default", "memoryQuota": 1024, "indexMemoryQuota": 512, "ftsMemoryQuota": 1024,
		"nodes": slices.Repeat([]any{node}, w.node.opts.Nodes),
	})
}

func (w *web) nodeServices(x *exchange, _ *http.Request) {
	d := w.node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	x.json(http.StatusOK, w.node.clusterConfig(nil, d.rev))
}

func (w *web) bucketConfig(x *exchange, r *http.Request) {
	w.withBucket(x, r, func(b *bucket) {
		x.json(http.StatusOK, w.node.clusterConfig(b, w.node.data.rev))
	})
}

// withBucket calls f with the bucket of the path, under data.mu, or answers
// that there is none.
func (w *web) withBucket(x *exchange, r *http.Request, f func(*bucket)) {
	d := w.node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.bucket(r.PathValue("bucket"))
	if b == nil {
		x.text(http.StatusNotFound, notFound)
		return
	}
	f(b)
}
