package httpapi

import (
	"net/http"
	"testing"
	"time"

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
