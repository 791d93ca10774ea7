package couchbase

import (
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
)

func TestJudgeLag(t *testing.T) {
	for _, tt := range []struct {
		name               string
		documents, indexed int64
		stood              time.Duration
		ok                 bool
		says               string
	}{
		{"nothing", 0, 0, time.Hour, true, "has 0 of 0 documents"},
		{"all", 5000, 5000, time.Hour, true, "has 5000 of 5000 documents"},
		{"more, as deletions are behind too", 5000, 5001, time.Hour, true, "has 5001 of 5000 documents"},
		{"few", 1000, 0, time.Hour, true, "0 of 1000 documents; the others follow"},
		{"a small part", 100_000, 95_000, time.Hour, true, "95000 of 100000 documents; the others follow"},
		{"much, and it grows", 100_000, 94_999, 59 * time.Second, true, "catching up"},
		{
			"much, and it does not grow", 100_000, 94_999, time.Minute, false,
			"only 94999 of 100000 documents and has not grown for 1m0s",
		},
		{"nearly all", 1001, 0, time.Minute, false, "only 0 of 1001"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			message, err := judgeLag("i", tt.documents, tt.indexed, tt.stood)
			if err != nil {
				message = fault.MessageOf(err)
			}
			if (err == nil) != tt.ok || !strings.Contains(message, tt.says) {
				t.Errorf("ok %v: %q; want %v: %q", err == nil, message, tt.ok, tt.says)
			}
		})
	}
}

func TestLagWatch(t *testing.T) {
	var w lagWatch
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, step := range []struct {
		name               string
		documents, indexed int64
		after              time.Duration // the step before
		want               time.Duration
	}{
		{"a", 9000, 5, 0, 0},
		{"a", 9000, 5, time.Minute, time.Minute},
		{"a", 9000, 5, time.Minute, 2 * time.Minute},
		{"a", 9000, 6, time.Minute, 0},
		{"a", 9000, 6, time.Second, time.Second},
		{"b", 9000, 6, time.Second, 0},
		{"b", 9000, 9000, time.Second, 0},
		{"b", 9000, 9000, time.Hour, 0},               // all are there, and nothing is written
		{"b", 20_000, 9000, time.Hour, 0},             // then much is written
		{"b", 20_000, 9000, time.Second, time.Second}, // and nothing arrives
	} {
		now = now.Add(step.after)
		if got := w.stood(step.name, step.documents, step.indexed, now); got != step.want {
			t.Errorf("step %d: stood for %v, want %v", i, got, step.want)
		}
	}
}
