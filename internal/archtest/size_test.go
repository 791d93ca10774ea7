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
	mostMethods  = 30 // of one type
	tooManyFiles = "%s has %d files, of at most %d: give a part of it a package of its own"
	tooSpread    = "%s has methods in %d files, of at most %d: split the type, not the file"
	tooMany      = "%s has %d methods, of at most %d: it is several types"
)

func TestPackagesAndTypesAreSmall(t *testing.T) {
	files, methods := map[string]int{}, map[string]int{}
	places := map[string]map[string]bool{}
	for _, s := range sources(t) {
		files[s.pkg]++
		for _, receiver := range s.receivers {
			name := s.pkg + "." + receiver
			methods[name]++
			if places[name] == nil {
				places[name] = map[string]bool{}
			}
			places[name][s.path] = true
		}
	}
	within(t, files, mostFiles, tooManyFiles)
	within(t, methods, mostMethods, tooMany)
	spread := map[string]int{}
	for name, in := range places {
		spread[name] = len(in)
	}
	within(t, spread, mostSpread, tooSpread)
}

// within checks sizes against the most there may be.
func within(t *testing.T, sizes map[string]int, most int, message string) {
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if sizes[name] > most {
			t.Errorf(message, name, sizes[name], most)
		}
	}
}
