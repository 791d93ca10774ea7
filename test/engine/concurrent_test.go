package main

import (
	"fmt"
	"sync"
	"testing"
)

// TestConcurrency uses an engine from many goroutines. Each writer has its own
// keys and sees its own writes.
func TestConcurrency(t *testing.T) {
	e := defined(t, Options{Partitions: 2, Prefilter: true, BM25: true})
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() { writeAndRead(t, e, w) })
	}
	wg.Go(func() {
		for i := range 10 {
			define(t, e, edited(t, `code_vector_index`, fmt.Sprint("other", i)))
			e.Definitions(bucket, scope)
			e.Drop(bucket, scope, fmt.Sprint("other", i))
		}
	})
	wg.Wait()
	if n, _ := e.Count(bucket, scope, name); n != 4*50 {
		t.Errorf("%d documents, want 200", n)
	}
}

func writeAndRead(t *testing.T, e *Engine, writer int) {
	for i := range 100 {
		key := fmt.Sprintf("w%d-%d", writer, i%50)
		put(t, e, collection, key,
			fmt.Appendf(nil, `{"type":"t%d","terms":"walrus w%d","tags":["g%d"],"embedding":[1,%d]}`, i, writer, i, i))
		r := search(t, e, fmt.Sprintf(
			`{"query":{"conjuncts":[{"match":"w%d","field":"terms"},{"regexp":"g%d","field":"tags"}]},`+
				`"knn":[{"field":"embedding","vector":[1,%d],"k":1,"filter":{"ids":[%q]}}],"size":5}`, writer, i, i, key), 0)
		if len(r.Hits) != 1 || r.Hits[0].ID != key {
			t.Errorf("writer %d does not find %s, but %v", writer, key, r.ids())
		}
		if i%50 == 49 {
			remove(t, e, key)
			put(t, e, collection, key, []byte(`{}`))
		}
	}
}
