package plain

import (
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/cputime"
)

func TestRustMacros(t *testing.T) {
	for name, c := range map[string]struct{ text, want, mended string }{
		"a closure is given":    {"a!(|x| x)", "a\t(|x| x)", "a!(|x| x)"},
		"nothing is declared":   {"a!(x, \"{\", '{')", "a!(x, \"{\", '{')", "a!(x, \"{\", '{')"},
		"it is a pattern":       {"matches!(x, A { .. })", "matches!(x, A { .. })", "matches!(x, A { .. })"},
		"within the definition": {"a!({ $x })", "a!({ $x })", "a!({ $x })"},
		"a raw string":          {"a!(r#\"\")\"#, {})", "a\t(r#\"\")\"#, {})", "a!(r#\"\")\"#, {})"},
		"a comment":             {"a!({ /* ) */ })", "a\t({ /* ) */ })", "a!({ /* ) */ })"},
		"a tab before a tuple":  {"{\n\t(a, {})\n}", "{\n\t(a, {})\n}", "{\n\t(a, {})\n}"},
	} {
		t.Run(name, func(t *testing.T) {
			got := Rust(c.text)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if mended := MendRust(got, [][2]int{{0, len(got)}}); mended != c.mended {
				t.Errorf("mended %q, want %q", mended, c.mended)
			}
			if mended := MendRust(got, nil); mended != got {
				t.Errorf("mended without an error: %q", mended)
			}
		})
	}
}

func TestRustMacrosTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and in one goroutine")
	}
	for name, line := range map[string]string{
		"comments": "assert!(/*)\n", "raw strings": "assert!(r##)\n", "slashes": "assert!(/\n", "calls": "assert!({\n",
	} {
		t.Run(name, func(t *testing.T) {
			cputime.Bound(t, 20*time.Second, func() { MendRust(Rust(strings.Repeat(line, 80_000)), nil) })
		})
	}
}

// FuzzPlain makes any text plain: its lines stay where they are.
func FuzzPlain(f *testing.F) {
	f.Add("a!(|x| x) b!({ c!(r#\"\"#) })", 3, 9)
	f.Add("class A { public int $x = [] { get => 1; } const B = 'x'; } enum E { const A = 1; }", 0, 1)
	f.Add("#expect(a) func ... (x: Int) {}", 0, 1)
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		rust := Rust(text)
		for name, got := range map[string]string{
			"Rust": rust, "MendRust": MendRust(rust, [][2]int{{from, to}}), "PHP": PHP(text), "Swift": Swift(text),
		} {
			if len(got) != len(text) {
				t.Fatalf("%s of %q is %q", name, text, got)
			}
			for i := range len(text) {
				if (text[i] == '\n') != (got[i] == '\n') {
					t.Fatalf("%s of %q is %q: lines moved", name, text, got)
				}
			}
		}
	})
}
