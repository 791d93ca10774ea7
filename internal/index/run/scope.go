package run

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// maxPaths is how many paths an update looks at one by one. Listing everything
// is as quick beyond that.
const maxPaths = 200

// inPart reports whether a run may look at the changed paths alone: the last run
// came to its end over the same commit with the same settings, and nothing
// changed that decides about other files.
func inPart(on *Site, s *state) bool {
	sp := on.Job.Spec
	return len(sp.Paths) > 0 && len(sp.Paths) <= maxPaths && !slices.ContainsFunc(sp.Paths, farReaching) &&
		s.fresh && !s.full && !s.rebuild && s.repo.LastError == "" &&
		s.repo.LastIndexedCommit == on.origin.Commit && s.repo.Stored == on.Config.StoreContent
}

// farReaching reports whether a change of that path can change what is listed
// elsewhere.
func farReaching(p string) bool {
	return p == "" || p == "." || listing.HoldsRules(p) || slices.Contains(strings.Split(p, "/"), ".git")
}

// A scope is the paths that a run looks at, with all below them; nil is all.
type scope map[string]bool

func scopeOf(paths []string) scope {
	s := make(scope, len(paths))
	for _, p := range paths {
		s[p] = true
	}
	return s
}

func (s scope) holds(file string) bool {
	if s == nil {
		return true
	}
	for ; file != compose.RootDir; file = path.Dir(file) {
		if s[file] {
			return true
		}
	}
	return false
}
