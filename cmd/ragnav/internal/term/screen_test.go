package term

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// One very long cell does not push what follows in all other rows away.
func TestTable(t *testing.T) {
	var out strings.Builder
	deep := strings.Repeat("deep/", 20) + "é.go"
	(&Screen{Out: &out}).Table([]string{"+ é.go", "Go", "1 document"}, []string{"+ " + deep, "Go", ""},
		[]string{"- a.bin", "binary", "x"})
	want := "+ é.go   Go      1 document\n+ " + deep + "  Go\n- a.bin  binary  x\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What could rewrite the screen, or show other code than there is (CVE-2021-42574),
// does not reach a terminal. Piped, text is as it is.
func TestSafe(t *testing.T) {
	const trojan = "\x1b[2Jaccess\u202e \u2066// check\u2069\u2066 begin\u202c\tend\n"
	if got, want := (&Screen{Terminal: true}).Safe(trojan),
		"\ufffd[2Jaccess\ufffd \ufffd// check\ufffd\ufffd begin\ufffd\tend\n"; got != want {
		t.Errorf("terminal: %q, want %q", got, want)
	}
	if got := (&Screen{}).Safe(trojan); got != trojan {
		t.Errorf("piped: %q, want it as it is", got)
	}
	if got := (&Screen{Terminal: true}).Safe("שלום مرحبا \u200f"); got != "שלום مرحبا \u200f" {
		t.Errorf("text from right to left became %q", got)
	}
}
