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
	// the order of clear cases is checked, not how scores add up.
	ServerScores bool
}

// A suite is the contract for one kind of store.
type suite struct {
	open   func(t *testing.T) store.Store
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
		{"Documents", s.documents},
		{"Records", s.records},
		{"Embeddings", s.embeddings},
		{"Refusals", s.refusals},
		{"Filters", s.filters},
		{"Conditions", s.conditions},
		{"Words", s.words},
		{"Pages", s.pages},
		{"Vectors", s.vectors},
		{"Union", s.union},
		{"RareType", s.rareType},
		{"Atomicity", s.atomicity},
		{"Cancelled", s.cancelled},
		{"Capabilities", s.capabilities},
	} {
		t.Run(group.name, group.run)
	}
}
