// Package storetest is the contract that every store passes, as a test.
package storetest

import (
	"testing"

	"github.com/ragnav/ragnav/internal/store"
)

// Traits say where a kind of store may differ from the embedded one.
type Traits struct {
	// Shared stores are used by several processes: a search may see a part of a
	// batch, and sees all of it once Settle has returned.
	Shared bool
	// ServerScores tells that the engine scores words by a formula of its own:
	// the order of clear cases is checked, not how scores add up. A word may
	// weigh differently in each part of an index.
	ServerScores bool
	// Can are the names of the capabilities of package store that the store has, in
	// the order in which it lists them; nil: all of the embedded store, or of a
	// shared one.
	Can []string
}

// An opener returns an empty store that is closed when the test ends.
type opener func(t *testing.T) store.Store

// A suite is the contract for one kind of store.
type suite struct {
	open   opener
	dims   int
	traits Traits
}

// Run checks that the stores that open returns behave as the packages store
// and fts say. open must return an empty store for vectors of dims (at least
// 4) components, and register its own cleanup with t.
func Run(t *testing.T, open func(t *testing.T) store.Store, dims int, traits Traits) {
	s := suite{open, dims, traits}
	for _, group := range []struct {
		name string
		run  func(t *testing.T)
	}{
		{"Documents", func(t *testing.T) { documents(t, s) }},
		{"Records", func(t *testing.T) { records(t, s) }},
		{"Embeddings", func(t *testing.T) { embeddings(t, s) }},
		{"Refusals", func(t *testing.T) { refusals(t, s.open, s.dims) }},
		{"Filters", func(t *testing.T) { filters(t, s.open) }},
		{"Conditions", func(t *testing.T) { conditions(t, s.open) }},
		{"Words", func(t *testing.T) { words(t, s.open, s.traits) }},
		{"Pages", func(t *testing.T) { pages(t, s.open, s.traits) }},
		{"Vectors", func(t *testing.T) { vectors(t, s.open, s.dims) }},
		{"Union", func(t *testing.T) { union(t, s) }},
		{"RareType", func(t *testing.T) { rareType(t, s.open, s.dims) }},
		{"Atomicity", func(t *testing.T) { atomicity(t, s) }},
		{"Cancelled", func(t *testing.T) { cancelled(t, s.open) }},
		{"Capabilities", s.capabilities},
	} {
		t.Run(group.name, group.run)
	}
}
