//go:build cgo

package resolve_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/cputime"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// Names of a file of C++ are looked for in what it uses, but not in all of it if that is more
// than anybody writes.
func TestManyUsingDirectives(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	const most = 8 * time.Second // it takes one, and 25 without a bound
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "using namespace a%d;\n", i)
	}
	b.WriteString("void f() {\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "g%d();\n", i)
	}
	world := extracted(t, []txtar.File{{Name: "a.cc", Data: []byte(b.String() + "}\n")}})
	cputime.Bound(t, most, func() {
		r := resolve.New(world, languages.All())
		for i := range world.File(0).Refs {
			r.Ref(0, i)
		}
	})
}
