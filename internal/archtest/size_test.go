package archtest

import (
	"maps"
	"slices"
	"testing"
)

// What a package and a type may grow to.
const (
	mostFiles    = 25 // of a package, tests left out
	mostSpread   = 3  // files with methods of one type
	tooManyFiles = "%s has %d files, of at most %d: give a part of it a package of its own"
	tooSpread    = "%s has methods in %d files, of at most %d: split the type, not the file"
	lessThanThat = "%s has %d by now: lower its number in size_test.go from %d, so that it stays"
)

// Packages that are larger still, with how large. Numbers only go down.
var large = map[string]int{
	"internal/nav": 39,
}

func TestPackagesAndTypesAreSmall(t *testing.T) {
	files := map[string]int{}
	methods := map[string]map[string]bool{}
	for _, s := range sources(t) {
		files[s.pkg]++
		for _, receiver := range s.receivers {
			name := s.pkg + "." + receiver
			if methods[name] == nil {
				methods[name] = map[string]bool{}
			}
			methods[name][s.path] = true
		}
	}
	within(t, files, mostFiles, large, tooManyFiles)
	places := map[string]int{}
	for name, in := range methods {
		places[name] = len(in)
	}
	within(t, places, mostSpread, nil, tooSpread)
}

// within checks sizes against the most there may be, or what is listed.
func within(t *testing.T, sizes map[string]int, most int, listed map[string]int, tooMany string) {
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		limit := max(most, listed[name])
		if sizes[name] > limit {
			t.Errorf(tooMany, name, sizes[name], limit)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if sizes[name] < listed[name] {
			t.Errorf(lessThanThat, name, sizes[name], listed[name])
		}
	}
}
