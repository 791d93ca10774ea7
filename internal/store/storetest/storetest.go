// Package storetest is the contract that every store passes, as a test.
package storetest

import (
	"testing"

	"github.com/ragnav/ragnav/internal/store"
)

// A suite is the contract for one kind of store.
type suite struct {
	open func(t *testing.T) store.Store
	dims int
}

// Run checks that the stores that open returns behave as the packages store
// and fts say. open must return an empty store for vectors of dims (at least
// 4) components, and register its own cleanup with t.
func Run(t *testing.T, open func(t *testing.T) store.Store, dims int) {
	s := suite{open, dims}
	for _, group := range []struct {
		name string
		run  func(t *testing.T)
	}{
		{"Documents", s.documents},
		{"Records", s.records},
		{"Refusals", s.refusals},
		{"Filters", s.filters},
		{"Words", s.words},
		{"Pages", s.pages},
		{"Vectors", s.vectors},
		{"Union", s.union},
		{"RareType", s.rareType},
		{"Atomicity", s.atomicity},
		{"Cancelled", s.cancelled},
	} {
		t.Run(group.name, group.run)
	}
}
