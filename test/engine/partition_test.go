package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestPartitionsThatFail(t *testing.T) {
	const partitions, docs = 4, 200
	e := defined(t, Options{Partitions: partitions})
	for i := range docs {
		put(t, e, collection, fmt.Sprint("k", i), []byte(`{"type":"x"}`))
	}
	body := `{"query":{"term":"x","field":"type"},"size":1000}`
	last := docs + 1
	for failed := range partitions + 2 {
		r := search(t, e, body, failed)
		want := min(failed, partitions)
		if r.Status.Total != partitions || r.Status.Failed != want || r.Status.Successful != partitions-want ||
			len(r.Status.Errors) != want {
			t.Errorf("%d failed: status %+v", failed, r.Status)
		}
		if r.TotalHits != len(r.Hits) || len(r.Hits) >= last && want == failed {
			t.Errorf("%d failed: %d hits of %d, want fewer than %d", failed, len(r.Hits), r.TotalHits, last)
		}
		last = len(r.Hits)
		for _, h := range r.Hits {
			for partition := range r.Status.Errors {
				if h.Index == partition {
					t.Errorf("%d failed: %s is a hit of the failed partition %s", failed, h.ID, partition)
				}
			}
		}
	}
	if last != 0 {
		t.Errorf("%d hits when all partitions failed", last)
	}
	if r := search(t, e, body, 0); r.TotalHits != docs || r.Took <= 0 {
		t.Errorf("%d hits in %d ns when none failed, want %d", r.TotalHits, r.Took, docs)
	}
}

func TestTimeout(t *testing.T) {
	e := defined(t, Options{Partitions: 2})
	for i := range 300 {
		put(t, e, collection, fmt.Sprint("k", i), []byte(`{"tags":"x"}`))
	}
	r := search(t, e, `{"query":{"regexp":"(a|x|y)*","field":"tags"},"ctl":{"timeout":0.000001}}`, 0)
	if r.Status.Failed != 2 || len(r.Hits) != 0 {
		t.Errorf("a search that took too long: %+v", r)
	}
	for _, message := range r.Status.Errors {
		if !strings.Contains(message, "deadline exceeded") {
			t.Errorf("error %q, want a deadline", message)
		}
	}
}
