package search

import (
	"fmt"
	"testing"
)

// What is asked for again and again stays, and never is more held than there is room for.
func TestShelf(t *testing.T) {
	const room, each = 1000, 50
	var h shelf
	often := leaf{term: "often"}
	h.put(often, postings{docs: make([]uint32, each)}, room)
	for i := range 100 {
		h.put(leaf{term: fmt.Sprint(i)}, postings{docs: make([]uint32, each)}, room)
		held := 0
		for _, words := range []map[leaf]postings{h.young, h.old} {
			for _, p := range words {
				held += len(p.docs) + wordTakes
			}
		}
		if held > room {
			t.Fatalf("%d are held", held)
		}
		if p, ok := h.get(often, room); !ok || len(p.docs) != each {
			t.Fatalf("after %d others it is gone", i)
		}
	}
	if _, ok := h.get(leaf{term: "0"}, room); ok {
		t.Error("what nobody asked for is still there")
	}
}
