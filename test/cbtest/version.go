package cbtest

import (
	"fmt"
	"strconv"
	"strings"
)

// version is major, minor and patch of the server.
type version [3]int

// parseVersion reads the numbers of "7.6.4-5146-enterprise".
func parseVersion(s string) (version, error) {
	var v version
	numbers, _, _ := strings.Cut(s, "-")
	parts := strings.Split(numbers, ".")
	if len(parts) != len(v) {
		return v, fmt.Errorf("cbtest: version %q: want MAJOR.MINOR.PATCH-BUILD-EDITION", s)
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil {
			return v, fmt.Errorf("cbtest: version %q: %w", s, err)
		}
		v[i] = n
	}
	return v, nil
}

// atLeast reports whether v is not older than major.minor.patch.
func (v version) atLeast(major, minor, patch int) bool {
	for i, want := range [3]int{major, minor, patch} {
		if v[i] != want {
			return v[i] > want
		}
	}
	return true
}

// The releases in which the features that depend on the version appeared.
func (v version) scopedSearch() bool     { return v.atLeast(7, 6, 0) }
func (v version) vectorSearch() bool     { return v.atLeast(7, 6, 0) }
func (v version) vectorPrefilter() bool  { return v.atLeast(7, 6, 4) }
func (v version) bm25() bool             { return v.atLeast(8, 0, 0) }
func (v version) pushesConfig() bool     { return v.atLeast(7, 6, 0) }
func (v version) scansToCount() bool     { return v.atLeast(8, 1, 0) }
func (v version) systemCollection() bool { return v.atLeast(7, 6, 0) }
