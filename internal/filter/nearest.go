package filter

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// maxNear is how many near names an error tells.
const maxNear = 3

// Nearest are the names that someone who wrote name may have meant, the nearest
// first: those with few other letters, and those that begin with it.
func Nearest(name string, among []string) []string {
	type near struct {
		name string
		far  int
	}
	name = strings.ToLower(name)
	limit := (len(name) + 1) / 3
	var found []near
	for _, candidate := range among {
		lower := strings.ToLower(candidate)
		far := levenshtein.ComputeDistance(name, lower)
		if swapped(name, lower) {
			far = 1
		}
		if len(name) > 1 && strings.HasPrefix(lower, name) {
			far = min(far, limit)
		}
		if far <= limit {
			found = append(found, near{candidate, far})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	names := make([]string, 0, maxNear)
	for _, n := range found[:min(len(found), maxNear)] {
		names = append(names, n.name)
	}
	return names
}

// swapped reports whether two neighbours changed places, as happens when typing.
func swapped(a, b string) bool {
	for i := range min(len(a), len(b)) - 1 {
		if a[i] != b[i] {
			return len(a) == len(b) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}
