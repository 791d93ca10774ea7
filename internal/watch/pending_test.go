package watch

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPending(t *testing.T) {
	many := make([]change, maxPaths+1)
	for i := range many {
		many[i].path = fmt.Sprint(i)
	}
	for name, tc := range map[string]struct {
		changes []change
		want    []string
		empty   bool
	}{
		"nothing":           {changes: []change{{}}, empty: true},
		"git alone":         {changes: []change{{git: true}}, empty: true},
		"paths once each":   {changes: []change{{path: "b"}, {path: "a"}, {path: "b"}}, want: []string{"a", "b"}},
		"git among paths":   {changes: []change{{path: "b"}, {git: true}}, want: []string{"b"}},
		"everything":        {changes: []change{{path: "b"}, {all: true}, {path: "a"}}},
		"a far path":        {changes: []change{{path: ".gitignore", all: true}}},
		"too many to count": {changes: many},
	} {
		t.Run(name, func(t *testing.T) {
			var p pending
			for _, c := range tc.changes {
				p.add(time.Now(), c)
			}
			if diff := cmp.Diff(tc.want, p.list()); diff != "" {
				t.Error(diff)
			}
			if p.empty() != tc.empty {
				t.Errorf("empty: %v", p.empty())
			}
		})
	}
}

func TestDue(t *testing.T) {
	start := time.Unix(1000, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	for name, tc := range map[string]struct {
		changes, want int
		git           bool
	}{
		"one change":          {0, 50, false},
		"quiet after the 3rd": {2, 250, false},
		"with git at work":    {0, 250, true},
		"never quiet":         {20, 1000, false},
	} {
		t.Run(name, func(t *testing.T) {
			var p pending
			for i := range tc.changes + 1 {
				p.add(at(100*i), change{path: "a", git: tc.git})
			}
			if got := p.due(50*time.Millisecond, time.Second); !got.Equal(at(tc.want)) {
				t.Errorf("due after %v, want %d ms", got.Sub(start), tc.want)
			}
		})
	}
}
