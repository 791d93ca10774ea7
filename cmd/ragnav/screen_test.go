package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// One very long cell does not push what follows in all other rows away.
func TestTable(t *testing.T) {
	var out strings.Builder
	deep := strings.Repeat("deep/", 20) + "é.go"
	(&screen{out: &out}).table([]string{"+ é.go", "Go", "1 document"}, []string{"+ " + deep, "Go", ""}, []string{"- a.bin", "binary", "x"})
	want := "+ é.go   Go      1 document\n+ " + deep + "  Go\n- a.bin  binary  x\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
