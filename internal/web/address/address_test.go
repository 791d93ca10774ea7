package address

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// Every address leads back to the repository and file that it was made of.
func TestAddress(t *testing.T) {
	for _, id := range []models.RepoID{"a", "a/b", "a/-/b", "-/-", "a/-", "a.b/c-d_e"} {
		for _, file := range []string{"", "x.go", "-/x.go", "a/-/b", "a b&c#d?e%41.go", "日本/値.py", "%2D/x", "a+b;c=d"} {
			address := File(id, file)
			r := httptest.NewRequestWithContext(t.Context(), "GET", address, nil)
			got, err := Targets(strings.TrimPrefix(r.URL.EscapedPath(), "/r/"))
			if err != nil || got[0] != (Target{id, file}) {
				t.Errorf("%s leads to %q, want %q in %q (%v)", address, got, file, id, err)
			}
		}
	}
}

// An address that a person writes has its dashes as they are.
func TestTypedAddress(t *testing.T) {
	for escaped, want := range map[string][]Target{
		"a/-/b":        {{"a", "b"}, {"a/-/b", ""}},
		"a/-/b/-/c.go": {{"a", "b/-/c.go"}, {"a/-/b", "c.go"}, {"a/-/b/-/c.go", ""}},
		"a/b/":         {{"a/b", ""}},
	} {
		got, err := Targets(escaped)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s (-want +got):\n%s", escaped, cmp.Diff(want, got))
		}
	}
}
