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
)

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
	within(t, files, mostFiles, tooManyFiles)
	places := map[string]int{}
	for name, in := range methods {
		places[name] = len(in)
	}
	within(t, places, mostSpread, tooSpread)
}

// within checks sizes against the most there may be.
func within(t *testing.T, sizes map[string]int, most int, tooMany string) {
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if sizes[name] > most {
			t.Errorf(tooMany, name, sizes[name], most)
		}
	}
}
