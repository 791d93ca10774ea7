package fts

import (
	"strconv"
	"testing"
)

// Caches begin small and grow with what is stored in them, up to where they are bounded.
func TestCachesGrow(t *testing.T) {
	a := NewAnalyser()
	see := func(from, to int) {
		for i := from; i < to; i++ {
			a.Word("word" + strconv.Itoa(i))
		}
	}
	slots := func() int { _, _ = a.words.slots(0); return len(*a.words.table.Load()) }
	see(0, 100)
	if n := slots(); n != firstSlots {
		t.Errorf("%d slots for 100 words, want %d", n, firstSlots)
	}
	see(100, 2*firstSlots)
	if n := slots(); n != growSlots*firstSlots {
		t.Errorf("%d slots for %d words, want %d", n, 2*firstSlots, growSlots*firstSlots)
	}
	see(2*firstSlots, 3*wordSlots)
	if n := slots(); n != wordSlots {
		t.Errorf("%d slots for %d words, want %d", n, 3*wordSlots, wordSlots)
	}
}
