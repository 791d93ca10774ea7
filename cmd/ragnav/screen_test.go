package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
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

// What could rewrite the screen, or show other code than there is (CVE-2021-42574),
// does not reach a terminal. Piped, text is as it is.
func TestSafe(t *testing.T) {
	const trojan = "\x1b[2Jaccess\u202e \u2066// check\u2069\u2066 begin\u202c\tend\n"
	if got, want := (&screen{terminal: true}).safe(trojan), "\ufffd[2Jaccess\ufffd \ufffd// check\ufffd\ufffd begin\ufffd\tend\n"; got != want {
		t.Errorf("terminal: %q, want %q", got, want)
	}
	if got := (&screen{}).safe(trojan); got != trojan {
		t.Errorf("piped: %q, want it as it is", got)
	}
	if got := (&screen{terminal: true}).safe("שלום مرحبا \u200f"); got != "שלום مرحبا \u200f" {
		t.Errorf("text from right to left became %q", got)
	}
}

// The score of a hit is left out where its line would take two rows.
func TestScoreFits(t *testing.T) {
	hit := models.SearchResult{RepoID: "o/r", FilePath: new("a/b.go"), SymbolName: new("Execute"), Kind: "method", Score: 1.5}
	for width, want := range map[int]string{
		80: "1. o/r \x1b[1ma/b.go\x1b[0m  \x1b[32mExecute\x1b[0m (method)  1.500",
		30: "1. o/r \x1b[1ma/b.go\x1b[0m  \x1b[32mExecute\x1b[0m (method)",
	} {
		if got := resultHead(&screen{terminal: true, colour: true, width: width}, 1, hit); got != want {
			t.Errorf("%d columns: %q", width, got)
		}
	}
}
