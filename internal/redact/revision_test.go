package redact

import (
	"reflect"
	"slices"
	"testing"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A change of any field of a rule that finds something, a rule more or less and
// another order make another revision.
func TestRevision(t *testing.T) {
	base := rules()
	seen := map[string]string{revisionOf(base): "the table"}
	if Revision() != revisionOf(base) || revisionOf(rules()) != Revision() {
		t.Fatal("the revision of the table is not always the same")
	}
	other := func(what string, all []rule) {
		t.Helper()
		name := revisionOf(all)
		if known, ok := seen[name]; ok {
			t.Errorf("%s has the revision of %s", what, known)
		}
		seen[name] = what
	}
	other("one rule less", base[1:])
	swapped := slices.Clone(base)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	other("another order", swapped)
	for field := range reflect.TypeFor[rule]().Fields() {
		changed := slices.Clone(base)
		switch r := &changed[0]; field.Name {
		case "name":
			r.name += "x"
		case "from": // a remark
			continue
		case "starts":
			r.starts = append(slices.Clone(r.starts), "--")
		case "word":
			r.word = !r.word
		case "back":
			r.back++
		case "after":
			r.after += "x"
		case "behind":
			r.behind = !r.behind
		case "pattern":
			r.pattern = pattern.NewLazy("p")
		case "line":
			r.line = pattern.NewLazy("l")
		case "except":
			r.except = pattern.NewLazy("e")
		case "names":
			r.names = pattern.NewLazy("n")
		case "mixed":
			r.mixed = !r.mixed
		case "bits":
			r.bits++
		case "window":
			r.window++
		default:
			t.Errorf("nobody knows whether %s counts", field.Name)
			continue
		}
		other(field.Name, changed)
	}
}
