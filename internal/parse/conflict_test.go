package parse_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/parse"
)

func TestWithoutConflicts(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"both sides are whole": {
			"a()\n<<<<<<< HEAD\nfunc left() {\n}\n=======\nfunc right() {\n}\n>>>>>>> topic\nb()\n",
			"a()\n\nfunc left() {\n}\n\nfunc right() {\n}\n\nb()\n",
		},
		"one at the start, lines end as on Windows": {
			"<<<<<<< HEAD\r\nleft\r\n=======\r\nright\r\n>>>>>>> topic\r\nb\r\n",
			"\r\nleft\r\n\r\nright\r\n\r\nb\r\n",
		},
		"the common ancestor goes": {
			"<<<<<<< HEAD\nleft\n||||||| 1a2b3c\nold\n=======\nright\n>>>>>>> topic",
			"\nleft\n\n\n\nright\n",
		},
		"both open what one bracket closes": {
			"<<<<<<< HEAD\nif (x) {\n=======\nif (y) {\n>>>>>>> topic\n  f()\n}\n",
			"\nif (x) {\n\n\n\n  f()\n}\n",
		},
		"both are heads of the lines behind them": {
			"<<<<<<< HEAD\ndef left(a):\n=======\ndef right(a):\n>>>>>>> topic\n\n    return a\n",
			"\ndef left(a):\n\n\n\n\n    return a\n",
		},
		"both close what is above them": {
			"def f\n<<<<<<< HEAD\n  1\nend\n=======\n  2\nend\n>>>>>>> topic\n",
			"def f\n\n  1\nend\n\n\n\n\n",
		},
		"one side removed it": {
			"<<<<<<< HEAD\n=======\ndef right\nend\n>>>>>>> topic\n",
			"\n\ndef right\nend\n\n",
		},
		"two": {
			"<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n<<<<<<< a\n3\n=======\n4\n>>>>>>> b\n",
			"\n1\n\n2\n\n\n3\n\n4\n\n",
		},
		"a mark is missing":         {"<<<<<<< HEAD\nleft\n=======\nright\n", "<<<<<<< HEAD\nleft\n=======\nright\n"},
		"no conflict, an underline": {"Title\n=======\n", "Title\n=======\n"},
		"a shift":                   {"x\n<<<<<<<y\n=======\n>>>>>>> z\n", "x\n<<<<<<<y\n=======\n>>>>>>> z\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := parse.WithoutConflicts(c.text)
			if len(got) != len(c.text) {
				t.Errorf("%d bytes, want %d", len(got), len(c.text))
			}
			var lines []string
			for line := range strings.Lines(got) {
				if strings.TrimSpace(line) == "" {
					line = strings.TrimLeft(line, " ")
				}
				lines = append(lines, line)
			}
			if diff := cmp.Diff(c.want, strings.Join(lines, "")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Whatever a text is, its lines stay where they are.
func FuzzWithoutConflicts(f *testing.F) {
	f.Add("<<<<<<< a\nx\n||||||| b\ny\n=======\nz {\n>>>>>>> c\n")
	f.Add("<<<<<<< a\n<<<<<<<\n=======\r\n>>>>>>>")
	f.Fuzz(func(t *testing.T, text string) {
		got := parse.WithoutConflicts(text)
		if len(got) != len(text) || strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Fatalf("%q became %q", text, got)
		}
		for i := range len(text) {
			if got[i] != text[i] && got[i] != ' ' {
				t.Fatalf("byte %d of %q became %q", i, text, got[i])
			}
		}
	})
}
