package syntax

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWithoutArguments(t *testing.T) {
	for e, want := range map[string]string{
		"A":                                "A",
		"A<B>":                             "A",
		"#1.A<B<C>;D>":                     "#1.A",
		"~union<A<B>;~list<C<D>>;^4<E>>":   "~union<A;~list<C>;^4>",
		"~of<A<B>{}.c(=d<E>)>":             "~of<A{}.c(=d)>",
		"~func<A<B>;~args<C<~list<D>>;E>>": "~func<A;~args<C;E>>",
	} {
		if diff := cmp.Diff(want, withoutArguments(e)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", e, diff)
		}
	}
}

// A type that is too long loses its arguments, not its members.
func TestLongTypes(t *testing.T) {
	long := strings.Repeat("a", 100)
	if diff := cmp.Diff("~union<A;B>", oneOrBoth("A<"+long+">", "B<"+long+long+">")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff("A", withTypes("A", []string{long, long, long})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff("~union<A<b>;B>", oneOrBoth("A<b>", "B")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
