package cbtest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
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
