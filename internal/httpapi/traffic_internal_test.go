package httpapi

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestTraffic(t *testing.T) {
	var got Traffic
	now := time.Date(2026, 1, 31, 12, 30, 20, 0, time.UTC)
	got.add(now.Add(-time.Hour), time.Second, http.StatusOK) // the same minute of the hour before
	got.add(now.Add(-59*time.Minute), time.Second, http.StatusOK)
	got.add(now, 10*time.Millisecond, http.StatusOK)
	got.add(now, 30*time.Millisecond, http.StatusServiceUnavailable)
	hour := got.LastHour(now)
	want := map[int]models.Minute{
		0:  {Begin: now.Add(-59 * time.Minute).Truncate(time.Minute), Requests: 1, Took: time.Second, Slowest: time.Second},
		30: {Begin: now.Add(-29 * time.Minute).Truncate(time.Minute)},
		59: {
			Begin: now.Truncate(time.Minute), Requests: 2, Errors: 1, Took: 40 * time.Millisecond,
			Slowest: 30 * time.Millisecond,
		},
	}
	if len(hour) != 60 {
		t.Fatalf("%d minutes", len(hour))
	}
	for i, m := range want {
		if hour[i] != m {
			t.Errorf("minute %d is %+v, want %+v", i, hour[i], m)
		}
	}
}

// What Prometheus is told: by route, whatever clients ask for, and without streams in
// the times.
func TestMetrics(t *testing.T) {
	var got Traffic
	h := counted(&got)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stream" {
			w.Header().Set("Content-Type", "text/event-stream")
		}
		if r.URL.Path == "/bad" {
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	router := chi.NewRouter()
	for _, path := range []string{"/a/{id}", "/bad", "/stream"} {
		router.Handle(path, h)
	}
	for _, asked := range [][2]string{{"GET", "/a/1"}, {"GET", "/a/2"}, {"GET", "/bad"}, {"POST", "/stream"}} {
		router.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), asked[0], asked[1], nil))
	}
	w := httptest.NewRecorder()
	metricsOf(&got, models.Version{Version: "v1"})(w, nil)
	if media := w.Header().Get("Content-Type"); media != metricsMedia {
		t.Errorf("its type is %q", media)
	}
	for _, want := range []string{
		`ragnav_build_info{version="v1",commit="",go_version="",embedder=""} 1`,
		`ragnav_requests_in_flight 0`,
		`ragnav_requests_total{method="GET",route="/a/{id}",status="200"} 2`,
		`ragnav_requests_total{method="GET",route="/bad",status="400"} 1`,
		`ragnav_requests_total{method="POST",route="/stream",status="200"} 1`,
		`ragnav_request_seconds_bucket{method="GET",route="/a/{id}",le="30"} 2`,
		`ragnav_request_seconds_count{method="GET",route="/a/{id}"} 2`,
		`ragnav_request_seconds_count{method="POST",route="/stream"} 0`,
	} {
		if !slices.Contains(strings.Split(w.Body.String(), "\n"), want) {
			t.Errorf("no line %s in\n%s", want, w.Body)
		}
	}
	if m := knownMethod("BREW"); m != "other" {
		t.Errorf("any method is told: %s", m)
	}
}
