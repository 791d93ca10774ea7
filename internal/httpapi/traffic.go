package httpapi

import (
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// Traffic counts the requests of the last hour by minutes, and all by their routes. The
// zero value has counted none.
type Traffic struct {
	totals totals

	mu      sync.Mutex
	minutes [60]models.Minute // at the minute of the hour
}

// counted counts requests; streams, which take as long as they take, not by minutes.
func counted(t *Traffic) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			start := time.Now()
			t.totals.begin()
			defer func() {
				took := time.Duration(0)
				if ww.Header().Get("Content-Type") != "text/event-stream" {
					took = time.Since(start)
					t.add(start, took, ww.Status())
				}
				t.totals.end(r.Method, routeOf(r), ww.Status(), took)
			}()
			next.ServeHTTP(ww, r)
		})
	}
}

func (t *Traffic) add(at time.Time, took time.Duration, status int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := &t.minutes[at.Minute()]
	if begin := at.Truncate(time.Minute); !m.Begin.Equal(begin) {
		*m = models.Minute{Begin: begin}
	}
	m.Requests++
	m.Took += took
	m.Slowest = max(m.Slowest, took)
	if status >= http.StatusInternalServerError {
		m.Errors++
	}
}

// LastHour is the 60 minutes up to now, the oldest first.
func (t *Traffic) LastHour(now time.Time) []models.Minute {
	t.mu.Lock()
	defer t.mu.Unlock()
	hour := make([]models.Minute, 0, len(t.minutes))
	for ago := len(t.minutes) - 1; ago >= 0; ago-- {
		begin := now.Add(-time.Duration(ago) * time.Minute).Truncate(time.Minute)
		m := t.minutes[begin.Minute()]
		if !m.Begin.Equal(begin) {
			m = models.Minute{Begin: begin}
		}
		hour = append(hour, m)
	}
	return hour
}
