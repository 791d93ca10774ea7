package httpapi

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// metricsMedia is the text format of Prometheus.
const metricsMedia = "text/plain; version=0.0.4; charset=utf-8"

// bounds are the upper bounds of the times that are counted, in seconds.
var bounds = [...]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// A served is what is counted of the requests to one route with one method.
type served struct {
	statuses map[int]uint64
	within   [len(bounds)]uint64 // took at most so long; streams are not timed
	timed    uint64
	took     time.Duration
}

// totals count requests since the process started, by method and route. There are as
// many as there are routes.
type totals struct {
	mu      sync.Mutex
	running int
	routes  map[[2]string]*served
}

func (t *totals) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running++
}

// end counts a request that began; took is 0 for a stream.
func (t *totals) end(method, route string, status int, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	key := [2]string{knownMethod(method), route}
	s := t.routes[key]
	if s == nil {
		if t.routes == nil {
			t.routes = map[[2]string]*served{}
		}
		s = &served{statuses: map[int]uint64{}}
		t.routes[key] = s
	}
	s.statuses[cmp.Or(status, http.StatusOK)]++
	if took == 0 {
		return
	}
	s.timed, s.took = s.timed+1, s.took+took
	for i, bound := range bounds {
		if took.Seconds() <= bound {
			s.within[i]++
		}
	}
}

// knownMethod bounds how many there are: a client may send any word.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodPut, http.MethodOptions:
		return method
	}
	return "other"
}

// write writes the totals in the text format of Prometheus.
func (t *totals) write(b *strings.Builder) {
	t.mu.Lock()
	defer t.mu.Unlock()
	metric(b, "ragnav_requests_in_flight", "gauge", "Requests that are being served.")
	fmt.Fprintf(b, "ragnav_requests_in_flight %d\n", t.running)
	keys := slices.SortedFunc(maps.Keys(t.routes), func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
	metric(b, "ragnav_requests_total", "counter", "Requests by method, route and status.")
	for _, key := range keys {
		for _, status := range slices.Sorted(maps.Keys(t.routes[key].statuses)) {
			fmt.Fprintf(b, "ragnav_requests_total{method=%q,route=%q,status=\"%d\"} %d\n", key[0], key[1], status,
				t.routes[key].statuses[status])
		}
	}
	metric(b, "ragnav_request_seconds", "histogram", "What requests took, but for streams.")
	for _, key := range keys {
		s, labels := t.routes[key], fmt.Sprintf("method=%q,route=%q", key[0], key[1])
		for i, bound := range bounds {
			fmt.Fprintf(b, "ragnav_request_seconds_bucket{%s,le=\"%g\"} %d\n", labels, bound, s.within[i])
		}
		fmt.Fprintf(b, "ragnav_request_seconds_bucket{%s,le=\"+Inf\"} %d\n", labels, s.timed)
		fmt.Fprintf(b, "ragnav_request_seconds_sum{%s} %g\nragnav_request_seconds_count{%s} %d\n", labels,
			s.took.Seconds(), labels, s.timed)
	}
}

func metric(b *strings.Builder, name, kind, help string) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// metricsOf serves what is counted, and what the process takes.
func metricsOf(t *Traffic, v models.Version) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		var b strings.Builder
		metric(&b, "ragnav_build_info", "gauge", "What is running; always 1.")
		fmt.Fprintf(&b, "ragnav_build_info{version=%q,commit=%q,go_version=%q,embedder=%q} 1\n", v.Version, v.Commit,
			v.GoVersion, v.Embedder)
		t.totals.write(&b)
		metric(&b, "go_goroutines", "gauge", "Goroutines that there are.")
		fmt.Fprintf(&b, "go_goroutines %d\n", runtime.NumGoroutine())
		heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(heap)
		metric(&b, "go_memory_heap_objects_bytes", "gauge", "Memory of live and not yet swept objects.")
		fmt.Fprintf(&b, "go_memory_heap_objects_bytes %d\n", heap[0].Value.Uint64())
		w.Header().Set("Content-Type", metricsMedia)
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write([]byte(b.String()))
	}
}
