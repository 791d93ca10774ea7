//go:build cgo

package nav_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
)

// prototypes has functions of C that are declared before they are defined: in a
// header, in the file itself, in another one; and two variants of one, which are two.
const prototypes = `
-- run.h --
int run(int n);
-- run.c --
#include "run.h"
static int step(int n);
int run(int n) { return step(n); }
static int step(int n)
{
	return n + 1;
}
#ifdef FAST
int pace(void) { return 4; }
#else
int pace(void) { return step(2) + step(3); }
#endif
-- other.c --
static int step(int n);
static int other(void) { return step(4); }
static int step(int n) { return n; }
-- main.c --
#include "run.h"
extern int pace(void);
int main(void) { return run(1) + pace(); }
`

// A function with prototypes is one: nothing is listed twice, and no use is less
// sure for them.
func TestPrototypes(t *testing.T) {
	svc := serviceOf(t, prototypes)
	for _, built := range []bool{false, true} {
		if built {
			if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
				t.Fatal(err)
			}
		}
		for _, tc := range []struct {
			symbol, direction string
			defs              int
			said              bool
			want              []string
		}{
			{"step", "upstream", 4, true, []string{"other 1.00", "run 1.00", "pace 1.00", "main 1.00"}},
			{"run", "upstream", 2, false, []string{"main 1.00"}},
			{"main", "downstream", 1, false, []string{"run 1.00", "pace 0.50", "pace 0.50", "step 1.00"}},
			{"pace", "downstream", 3, true, []string{"step 1.00"}},
		} {
			r, err := svc.Lineage(t.Context(), nav.LineageRequest{RepoID: "o/a", Symbol: tc.symbol, Direction: tc.direction})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, item := range r.Items {
				got = append(got, fmt.Sprintf("%s %.2f", item.Symbol, item.Confidence))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("built %t, %s of %s (-want +got)\n%s", built, tc.direction, tc.symbol, diff)
			}
			if len(r.Definitions) != tc.defs || built && (r.Meta.Message != nil) != tc.said {
				t.Errorf("built %t, %s: %d definitions, want %d; message %v", built, tc.symbol, len(r.Definitions), tc.defs,
					r.Meta.Message)
			}
		}
	}
}
