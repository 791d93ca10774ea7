package cbtest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// An exchange is one HTTP request with its answer, which is held back until it
// is known what becomes of it. It is the http.ResponseWriter of the handlers.
type exchange struct {
	in             []byte // the request body
	failPartitions int    // of a search, by a fault

	header http.Header
	status int
	out    bytes.Buffer
}

func (x *exchange) Header() http.Header         { return x.header }
func (x *exchange) Write(b []byte) (int, error) { return x.out.Write(b) }
func (x *exchange) WriteHeader(status int)      { x.status = status }

// json answers with v.
func (x *exchange) json(status int, v any) {
	x.header.Set("Content-Type", "application/json")
	x.status = status
	_ = json.NewEncoder(&x.out).Encode(v) // values of this package, to memory
}

// text answers with body as it is.
func (x *exchange) text(status int, body string) {
	x.header.Set("Content-Type", "application/json")
	x.status = status
	x.out.WriteString(body)
}

// web is the HTTP side: cluster manager, Query and Search on one port.
type web struct {
	node *Node
	mux  *http.ServeMux
}

// newWeb registers the handlers of all services.
func newWeb(n *Node) *web {
	w := &web{node: n, mux: http.NewServeMux()}
	w.cluster()
	w.buckets()
	w.search()
	w.query()
	return w
}

func (w *web) handle(pattern string, h func(*exchange, *http.Request)) {
	w.mux.HandleFunc(pattern, func(rw http.ResponseWriter, r *http.Request) { h(rw.(*exchange), r) })
}

// ServeHTTP records the request, carries it out unless a fault says what to
// answer, and sends the answer as the fault wants it.
func (w *web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	w.node.calls.add(Call{Service: serviceOf(r.URL.Path), Op: r.Method + " " + r.URL.Path, Body: string(body)})
	f := w.node.faults.take(ofHTTP(r.URL.Path, body))
	x := &exchange{in: body, failPartitions: f.FailPartitions, header: http.Header{}, status: http.StatusOK}
	user, need := w.user(r), needsOfHTTP(r.Method, r.URL.Path)
	switch {
	case f.Status != 0:
		x.text(f.Status, f.Body)
	case user == nil:
		x.header.Set("WWW-Authenticate", `Basic realm="Couchbase Server Admin / REST"`)
		x.text(http.StatusUnauthorized, `{"error":"authentication failure","status":"fail"}`)
	case !user.may(need):
		x.forbidden(serviceOf(r.URL.Path), need)
	default:
		w.mux.ServeHTTP(x, r)
	}
	if wait(r.Context(), f.Delay) {
		x.send(rw, f.Cut)
	}
}

// send writes the answer, or half of it before it cuts the connection.
func (x *exchange) send(rw http.ResponseWriter, cut bool) {
	maps.Copy(rw.Header(), x.header)
	rw.Header().Set("Content-Length", strconv.Itoa(x.out.Len()))
	rw.WriteHeader(x.status)
	body := x.out.Bytes()
	if !cut {
		_, _ = rw.Write(body) // the client may have gone
		return
	}
	_, _ = rw.Write(body[:len(body)/2])
	_ = http.NewResponseController(rw).Flush()
	panic(http.ErrAbortHandler) // closes the connection, as net/http documents
}

// user is who a request is from, nil for nobody.
func (w *web) user(r *http.Request) *Account {
	name, password, _ := r.BasicAuth()
	return w.node.login(name, password)
}

// serviceOf tells by the path whose request it is. The Query service's ping
// has an address of its own.
func serviceOf(path string) string {
	switch {
	case strings.HasPrefix(path, "/api/"):
		return "search"
	case strings.HasPrefix(path, "/query/"), path == "/admin/ping":
		return "query"
	}
	return "mgmt"
}

// cluster registers what the cluster manager tells about the cluster, and the
// pings of all services.
func (w *web) cluster() {
	pong := func(x *exchange, _ *http.Request) { x.json(http.StatusOK, struct{}{}) }
	w.handle("GET /admin/ping", pong)
	w.handle("GET /api/ping", pong)
	w.handle("GET /whoami", w.whoami)
	w.handle("GET /pools/default", w.pool)
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

// withBucket calls f with the bucket of the path, under data.mu, or answers
// that there is none.
func withBucket(node *Node, x *exchange, r *http.Request, f func(*bucket)) {
	d := node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.bucket(r.PathValue("bucket"))
	if b == nil {
		x.text(http.StatusNotFound, notFound)
		return
	}
	f(b)
}

// manifestID answers with the uid of the manifest after a change.
func (x *exchange) manifestID(b *bucket) {
	x.json(http.StatusOK, map[string]string{"uid": fmt.Sprintf("%x", b.uid)})
}

// consistencyError is the 412 of the server to a wait in vain, whose message is JSON in a string.
func (x *exchange) consistencyError(index, status, message string, seqs map[string][]uint64) {
	inner, _ := json.Marshal(map[string]any{
		"status": status, "startEndSeqs": seqs,
		"message": fmt.Sprintf("rest_index: Query, name: %s, err: consistency wait %s: %s", index, status, message),
	})
	x.searchError(http.StatusPreconditionFailed, string(inner))
}

// forbidden answers as the service that a request is for.
func (x *exchange) forbidden(service string, p privilege) {
	if service == "search" {
		x.searchError(http.StatusForbidden,
			"rest_auth: preparePerms, err: forbidden, permission: cluster.collection."+string(p))
		return
	}
	x.json(http.StatusForbidden, map[string]any{
		"message": "Forbidden. User needs the following permissions", "permissions": []string{"cluster." + string(p)},
	})
}

// searchError is how the Search service says no.
func (x *exchange) searchError(status int, message string) {
	reply := map[string]any{"error": message, "status": "fail", "request": ""}
	if json.Valid(x.in) {
		reply["request"] = json.RawMessage(x.in)
	}
	x.json(status, reply)
}

// query registers the Query service.
func (w *web) query() {
	w.handle("POST /query/service", w.runQuery)
}

func (w *web) runQuery(x *exchange, r *http.Request) {
	q, err := parseRequest(x.in)
	q.user = w.user(r)
	reply := queryReply{RequestID: hex.EncodeToString(random(16)), ClientContextID: q.ClientContextID, Status: "success"}
	if err == nil {
		reply.Results, err = execute(w.node.data, q)
	}
	reply.Metrics = map[string]any{
		"elapsedTime": "1ms", "executionTime": "1ms", "resultCount": len(reply.Results),
		"resultSize": 0,
	}
	if err != nil {
		reply.Status, reply.Errors, reply.Results = "fatal", []*queryError{err}, nil
		x.json(err.http, reply)
		return
	}
	if reply.Results == nil {
		reply.Results = []json.RawMessage{}
	}
	x.json(http.StatusOK, reply)
}
