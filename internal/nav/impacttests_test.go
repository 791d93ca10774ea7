//go:build cgo

package nav_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
)

// Tests are found however they come to what changed.
func TestTestsToRun(t *testing.T) {
	var chain strings.Builder
	for i := range 15 {
		fmt.Fprintf(&chain, "func help%d() { help%d() }\n\n", i, i+1)
	}
	for _, test := range []struct{ what, files, want string }{
		{
			"through more helpers than hops are followed", `
-- go.mod --
module example.com/m
-- a.go --
package m

func F() int { return 1 }
-- a_test.go --
package m

import "testing"

func TestF(t *testing.T) { help0() }

` + chain.String() + `func help15() { F() }
`, "a_test.go TestF\ngo test ./ -run '^(TestF)$'",
		},
		{
			"through an interface of another module", `
-- go.mod --
module example.com/m
-- a.go --
package m

func (f file) Write(p []byte) (int, error) { return 1, nil }

type file struct{}
-- a_test.go --
package m

import (
	"io"
	"testing"
)

func TestWrite(t *testing.T) {
	var w io.Writer = file{}
	w.Write(nil)
}

func TestOther(t *testing.T) {}
`, "a_test.go TestWrite\ngo test ./ -run '^(TestWrite)$'",
		},
		{
			"by calls of a file, which is run as a whole", `
-- package.json --
{"name": "m"}
-- a.ts --
import { G } from "./b";

export function F() { return 1 + G() }
-- b.ts --
export function G() { return 1 }
-- helpers.test.ts --
import { F } from "./a";

export function twice() { return F() + F() }
-- a.test.ts --
import { twice } from "./helpers.test";

test("twice", () => { expect(twice()).toBe(2) });
-- b.test.ts --
import { G } from "./b";

test("G", () => { expect(G()).toBe(1) });
`, "a.test.ts \nnpm test -- a.test.ts",
		},
		{
			"not what only helps them", `
-- package.json --
{"name": "m", "scripts": {"test": "tsc && vitest --watch"}}
-- a.ts --
// It returns a number.

export function F() { return 1 }
-- test/server.ts --
import { F } from "../a";

export const server = F();
-- test/a.ts --
import { it } from "vitest";
import { F } from "../a";
import { server } from "./server";

it("serves", () => { server; });
it("runs", () => { F(); });
`, "test/a.ts \nnpx vitest run test/a.ts",
		},
	} {
		t.Run(test.what, func(t *testing.T) {
			svc := serviceOf(t, test.files[1:])
			file := "a.go"
			if !strings.Contains(test.files, "-- a.go --") {
				file = "a.ts"
			}
			_, text, _ := strings.Cut(test.files, "-- "+file+" --\n")
			was := strings.Split(text, "\n")[2]
			r, err := svc.Impact(t.Context(), nav.ImpactRequest{
				RepoID: "o/a",
				Diff: fmt.Sprintf("--- a/%s\n+++ b/%[1]s\n@@ -3 +3 @@\n-%s\n+%s\n", file, was,
					strings.Replace(was, "return 1", "return 2", 1)),
			})
			if err != nil {
				t.Fatal(err)
			}
			r.Items = nil
			if diff := cmp.Diff(test.want, told(r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
