package embed

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
)

// ProviderOpenAI is the provider of vectors that a server makes.
const ProviderOpenAI = "openai"

// Remote reports whether a server makes the vectors, which may be slow or away.
func (m Manifest) Remote() bool { return m.Provider == ProviderOpenAI }

// Beside is in the revision of a manifest of vectors whose second half another embedder
// made, before that one's revision.
const Beside = "+beside:"

// Joined reports whether a vector is that of a server and that of another embedder.
func (m Manifest) Joined() bool { return strings.Contains(m.Revision, Beside) }

// Renews reports whether m is the built-in table and stored an earlier one of it,
// which no program has any more.
func (m Manifest) Renews(stored Manifest) bool {
	return m.Provider == stored.Provider && !m.Remote() && m != stored
}

// Check compares m, the embedder in use, with the manifest stored in an index.
// When their vectors can't be compared it returns an IndexNotReady that names
// each difference and what to do. A zero stored manifest is an index without
// vectors and fits any embedder.
func (m Manifest) Check(stored Manifest) error {
	if m == stored || stored == (Manifest{}) {
		return nil
	}
	var diffs []string
	for _, f := range []struct{ name, now, then string }{
		{"provider", m.Provider, stored.Provider},
		{"model", m.Model, stored.Model},
		{"revision", m.Revision, stored.Revision},
		{"dims", fmt.Sprint(m.Dims), fmt.Sprint(stored.Dims)},
		{"query prefix", m.QueryPrefix, stored.QueryPrefix},
		{"document prefix", m.DocumentPrefix, stored.DocumentPrefix},
	} {
		if f.now != f.then {
			diffs = append(diffs, fmt.Sprintf("%s %q, now %q", f.name, f.then, f.now))
		}
	}
	return fault.New(fault.IndexNotReady,
		"the index was made by another embedder (%s); run `ragnav index --reembed`, which makes all vectors again, or "+
			"configure the embedder it was made with",
		strings.Join(diffs, "; "))
}
