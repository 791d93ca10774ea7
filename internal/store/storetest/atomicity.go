package storetest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

// atomicity checks that searches see all of a batch or nothing, in text,
// filters and vectors alike, and that Apply returns once searches see it.
func atomicity(t *testing.T, s suite) {
	if s.traits.Shared {
		t.Skip("a store that several processes share promises no atomic batches")
	}
	st := s.open(t)
	const rounds, docs = 15, 20
	generation := func(g int) store.Batch {
		b := store.Batch{PutRecords: []store.Record{{Collection: "c", Key: "generation", Value: g}}}
		for i := range docs {
			d := symbol("o/r", fmt.Sprintf("f%d.go", i), "N", fmt.Sprintf("walrus generation%c", 'a'+g))
			d.Kind = fmt.Sprint(g)
			d.Embedding = direction(s.dims, float64(g)+float64(i)/1000)
			b.Put = append(b.Put, d)
		}
		return b
	}
	apply(t, st, generation(0))
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					oneGeneration(t, st, s.dims, docs)
				}
			}
		})
	}
	for g := 1; g < rounds; g++ {
		apply(t, st, generation(g))
		if got := find(t, st, match(models.TypeSymbol, fmt.Sprintf("generation%c", 'a'+g))); len(got) != docs {
			t.Errorf("%d documents found after Apply, want %d", len(got), docs)
		}
		var rec int
		if _, err := st.Record(t.Context(), "c", "generation", &rec); err != nil || rec != g {
			t.Errorf("record %d after Apply (%v), want %d", rec, err, g)
		}
	}
	close(done)
	wg.Wait()
}

func oneGeneration(t *testing.T, st store.Searcher, dims, docs int) {
	for _, req := range []fts.Request{
		{Query: match(models.TypeSymbol, "walrus"), Size: 100},
		{Query: fts.MatchAll{}, Size: 100},
		{Query: fts.MatchNone{}, KNN: []fts.KNN{knn(direction(dims, 1), 100, nil)}, Size: 100},
	} {
		res, err := st.Search(t.Context(), req)
		if err != nil {
			t.Errorf("Search: %v", err)
			return
		}
		kinds := map[string]int{}
		for _, h := range res.Hits {
			kinds[h.Kind]++
		}
		if len(kinds) != 1 || len(res.Hits) != docs {
			t.Errorf("search sees %d hits of the generations %v, want %d of one", len(res.Hits), kinds, docs)
			return
		}
	}
}
