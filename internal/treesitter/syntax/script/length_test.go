package script

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A type that is too long loses its arguments, not its members.
func TestLongTypes(t *testing.T) {
	name := facts.Name
	long := name(strings.Repeat("a", 100))
	for want, got := range map[string]facts.Expr{
		"~union<A;B>":    oneOrBoth(name("A").Generic(long), name("B").Generic(long, long), false),
		"A":              withTypes(name("A"), slices.Repeat([]facts.Expr{long}, 100)),
		"A<~ext;b>":      withTypes(name("A"), []facts.Expr{name(strings.Repeat("a", 240)), name("b")}),
		"~union<A<b>;B>": oneOrBoth(name("A").Generic(name("b")), name("B"), false),
	} {
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}
