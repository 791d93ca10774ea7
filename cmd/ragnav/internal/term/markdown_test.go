package term

import (
	"bytes"
	"strings"
	"testing"
)

// However a text is cut into pieces, it is printed the same.
func FuzzMarkdown(f *testing.F) {
	f.Add("# A\n\ntext `code here` and **strong** words\n\n```go\nfunc f() {\n\n}\n```\n\n 12. x y\n- z\n\n\n", 3, 20)
	f.Add("````md\n```\nnot the end\n````", 1, 80)
	f.Add("```python\nnever closed", 2, 5)
	f.Fuzz(func(t *testing.T, text string, piece, width int) {
		if text = strings.ToValidUTF8(text, "?"); piece < 1 || width < 1 || width > 200 || len(text) > 1000 {
			return
		}
		shown := func(piece int) string {
			var out bytes.Buffer
			m := Markdown{Screen: &Screen{Out: &out, Terminal: true, Colour: true, Width: width}}
			runes := []rune(text)
			for i := 0; i < len(runes); i += piece {
				m.Feed(string(runes[i:min(len(runes), i+piece)]))
			}
			m.End()
			return out.String()
		}
		whole, pieces := shown(len(text)+1), shown(piece)
		if whole != pieces {
			t.Errorf("whole:\n%q\nin pieces:\n%q", whole, pieces)
		}
		if whole != "" && !strings.HasSuffix(whole, "\n") {
			t.Errorf("ends as %q", whole)
		}
	})
}

// The lines behind "…" are coloured as if they stood alone.
func TestCodeLeftOut(t *testing.T) {
	var out bytes.Buffer
	m := Markdown{Screen: &Screen{Out: &out, Terminal: true, Colour: true, Width: 80}}
	m.Feed("```python\ndef f():\n    \"\"\"Text.\n…\n    return\n```\n")
	m.End()
	if got, want := out.String(), "  …\n      "+m.Styled(Magenta, "return")+"\n"; !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q at its end", got, want)
	}
}

// Wide characters take two columns.
func TestWideAnswersAreWrapped(t *testing.T) {
	var out bytes.Buffer
	m := Markdown{Screen: &Screen{Out: &out, Terminal: true, Width: 20}}
	m.Feed("日本語日本 語日本語日 end")
	m.End()
	if got, want := out.String(), "日本語日本\n語日本語日 end\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
