package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every list comes to its end by its cursor, however many there are, and what
// is left out is said on the error stream, also with --quiet.
func TestNavPages(t *testing.T) {
	const uses = 1203
	var all strings.Builder
	for i := range uses {
		fmt.Fprintf(&all, "func use%d() { Wanted() }\n", i)
	}
	sh, root := newShell(t), gitRepo(t, map[string]string{
		"go.mod": "module example.com/pages\n", "a.go": "package pages\n\nfunc Wanted() {}\n",
		"b.go": "package pages\n\n" + all.String(),
	})
	for _, args := range [][]string{
		{"search", "-q", "{ Wanted() }", "-l", "1000"},
		{"where-used", "-s", "Wanted", "-l", "500"},
		{"lineage", "-s", "Wanted", "-m", "600"},
	} {
		t.Run(args[0], func(t *testing.T) {
			args = append(args, "-r", root)
			var lines, want []int
			for i := range uses {
				want = append(want, i+3)
			}
			for cursor, more := "", true; more; more = cursor != "" {
				r := sh.nav(append(slices.Clone(args), "--cursor", cursor)...)
				for _, item := range r.Items {
					lines = append(lines, item.Line)
				}
				if r.Meta.Total == nil || *r.Meta.Total != uses || r.Meta.Truncated != (r.Meta.NextCursor != "") {
					t.Fatalf("head of a page: %+v", r.Meta)
				}
				cursor = r.Meta.NextCursor
			}
			if diff := cmp.Diff(want, lines); diff != "" {
				t.Errorf("lines of all pages (-want +got):\n%s", diff)
			}
			_, errs, _ := sh.try(append([]string{"nav", args[0], "--text", "--quiet"},
				append(args[1:], "-"+args[3][1:], "5")...)...)
			if !strings.Contains(errs, "5 of 1,203 shown") || !strings.Contains(errs, "--cursor") {
				t.Errorf("a cut list says %q", errs)
			}
		})
	}
	if out, _, exit := sh.try("nav", "search", "-r", root, "-q", "other", "--cursor", "AAAAAAA"); exit != 2 ||
		!strings.Contains(out, "cursor: not of this request") {
		t.Errorf("a cursor of something else: exit %d, %s", exit, out)
	}
}
