package term

import (
	"slices"
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

// On a terminal the last column of a table is wrapped between words, below itself
// or, where there is no room, below its row. No cell is cut.
func TestTableFits(t *testing.T) {
	for width, want := range map[int]string{
		40: "- a/b.txt  no_text  nothing but white\n                    space\n- c.key    secret   named *.key\n",
		30: "- a/b.txt  no_text\n    nothing but white space\n- c.key    secret\n    named *.key\n",
	} {
		var out strings.Builder
		(&Screen{Out: &out, Terminal: true, Width: width}).Table(
			[]string{"- a/b.txt", "no_text", "nothing but white space"}, []string{"- c.key", "secret", "named *.key", ""})
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("%d columns (-want +got)\n%s", width, diff)
		}
	}
}

// Text is broken between words, and a word that is too long stays whole. Wide
// characters take two columns, marks none.
func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text    string
		columns int
		want    string
	}{
		{"ragnav: add --cursor x for the next", 20, "ragnav: add --cursor\n  x for the next"},
		{"see a/path/that/is/very/long.go now", 12, "see\n  a/path/that/is/very/long.go\n  now"},
		{"  indented and\n\nmore", 10, "  indented\n  and\n\nmore"},
		{"日本語 日本語", 10, "日本語\n  日本語"},
		{"e\u0301e\u0301e\u0301 e\u0301e\u0301", 6, "e\u0301e\u0301e\u0301 e\u0301e\u0301"},
		{Bold + "bold" + reset + " words", 10, Bold + "bold" + reset + " words"},
	} {
		if got := Wrap(test.text, test.columns, 2); got != test.want {
			t.Errorf("%q in %d columns: %q, want %q", test.text, test.columns, got, test.want)
		}
	}
}

// A line that is cut still shows the place for which it is shown, and keeps to the
// width in characters of any width.
func TestMarked(t *testing.T) {
	s := &Screen{Terminal: true, Width: 31}
	for _, test := range []struct {
		line  string
		place [2]int
		want  string
	}{
		{"\tshort(call)", [2]int{7, 11}, "short(call)"},
		{"call(a, b, c, d, e, f, g, h, i, j, k)", [2]int{0, 4}, "call(a, b, c, d, e, f, g, h, i…"},
		{"from a.package.of.names import One, Called, More", [2]int{36, 42}, "…e.of.names import One, Called…"},
		{"日本語日本語日本語日本語日本語日本語", [2]int{0, 1}, "日本語日本語日本語日本語日本語…"},
	} {
		got := s.Marked(test.line, [][2]int{test.place}, 0)
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.line, got, test.want)
		}
		if runes := []rune(test.line); !strings.Contains(got, string(runes[test.place[0]:test.place[1]])) {
			t.Errorf("%q: %q does not show %q", test.line, got, string(runes[test.place[0]:test.place[1]]))
		}
		if Columns(got) > s.Width {
			t.Errorf("%q takes %d columns", got, Columns(got))
		}
	}
}

// A styled line in rows keeps its text and its styles.
func TestBroken(t *testing.T) {
	s := Screen{Terminal: true, Colour: true, Width: 80}
	line := "0123456789" + s.Styled(Green, "0123456789漢字") + "01"
	want := []string{"0123456789" + Green + "012345" + reset, Green + "6789漢字" + reset + "01"}
	if got := s.Broken(line, 16); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := s.Broken("short", 16); !slices.Equal(got, []string{"short"}) {
		t.Errorf("%q", got)
	}
}

// What stands below is wrapped between words.
func TestPair(t *testing.T) {
	var out strings.Builder
	s := &Screen{Out: &out, Terminal: true, Colour: true, Width: 30}
	s.Pair("Lexer.parseEncapsulatedToken", "  "+s.Styled(Dim, "calls")+"  a/b/Lexer.java:38"+s.Styled(Dim, "  (test)"), 2)
	want := "Lexer.parseEncapsulatedToken\n  " + s.Styled(Dim, "calls") + "  a/b/Lexer.java:38" + Dim +
		"\n    (test)" + reset + "\n"
	if got := out.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
