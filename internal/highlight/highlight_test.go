package highlight

import (
	"strings"
	"testing"
)

// What has which colour, by language and by file name.
func TestLines(t *testing.T) {
	for _, test := range []struct{ file, language, text, want string }{
		{"a.go", "", "// x\nfunc f() int { return 1 }", "c(// x) k(func) f(f) t(int) k(return) m(1)"},
		{"", "Python", "def f():\n    return 'x'\n", "k(def) f(f) k(return) s('x')"},
		{"a.unknown", "no such", "if x {", ""},
		{"pom.xml", "", "<a>", "k(<a>)"},
		{"a.svg", "", "<a>", "k(<a>)"},
		{"go.mod", "Go Module", "// x", "c(// x)"},
		{"a.py", "", "if for.\n\"\"\"\nreturn", `s(if for.) s(""") k(return)`},
		{"a.py", "", "for the files\"\"\"\nreturn", `s(for the files""") k(return)`},
		{"a.py", "", "g(r\"\"\"\nfor\"\"\")", `s(r""") s(for""")`},
		{"a.py", "", "for example.\"\"\"\nreturn", `s(for example.""") k(return)`},
		{"a.py", "", "return f(\"\"\"\nfor\"\"\")", `k(return) s(""") s(for""")`},
		{"a.py", "", "\"\"\"\nfor\n\"\"\"", `s(""") s(for) s(""")`},
		{
			"a.py", "", "so if your client is this,\nyou must do it or\nreturn",
			"s(so if your client is this,) s(you must do it or) s(return)",
		},
		{
			"a.py", "", "import re\n\nclass A:\n    \"\"\"\n    Tells if the end of this is reached.\n    \"\"\"\n    b = 1",
			"k(import) k(class) t(A) s(\"\"\") s(Tells if the end of this is reached.) s(\"\"\") m(1)",
		},
		{
			"a.py", "", "it is the last of them.\n\"\"\"\nreturn 1\n\"\"\"Tells if the end of it is reached.\"\"\"\n",
			"s(it is the last of them.) s(\"\"\") k(return) m(1) s(\"\"\"Tells if the end of it is reached.\"\"\")",
		},
		{"a.py", "", "# the end of it if you may\nreturn", "c(# the end of it if you may) k(return)"},
		{"a.py", "", "raise E('this is the end of it')\nreturn", "k(raise) s('this is the end of it') k(return)"},
		{
			"a.java", "", "     * Tells if the end of this\n     * is a class or not the end.",
			"c(* Tells if the end of this) c(* is a class or not the end.)",
		},
		{"a.ex", "", "for you\n\"\"\"\ndef f do", `s(for you) s(""") k(def) k(do)`},
		{"a.go", "", "for one\n*/\nreturn", "c(for one) c(*/) k(return)"},
		{"a.js", "", "return `a/*b*/`", "k(return) s(`a/*b*/`)"},
		{"a.js", "", "return '*/*'\n", "k(return) s('*/*')"},
		{"a.py", "", "\"\"\"one\ntwo\"\"\"\n", `s("""one) s(two""")`},
	} {
		var got []string
		for _, line := range Lines(test.file, test.language, test.text) {
			for _, s := range line {
				if s.Class != None {
					got = append(got, string(s.Class)+"("+strings.TrimSpace(s.Text)+")")
				}
			}
		}
		if g := strings.Join(got, " "); g != test.want {
			t.Errorf("%s%s: %s, want %s", test.file, test.language, g, test.want)
		}
	}
}

// The spans are the text, whatever it is.
func FuzzLines(f *testing.F) {
	for _, file := range []string{"x.go", "x.py", "x.html", "x.tsx", "x.sh", "x.md", "none"} {
		f.Add(file, "that it is the end of this\n")
		f.Add(file, "func a() { /* İ */ }\r\n\nreturn `x\n\x00\xff")
	}
	f.Fuzz(func(t *testing.T, file, text string) {
		var got []string
		for _, line := range Lines(file, "", text) {
			var b strings.Builder
			for _, s := range line {
				b.WriteString(s.Text)
			}
			got = append(got, b.String())
		}
		if g := strings.Join(got, "\n"); g != strings.TrimSuffix(text, "\n") {
			t.Fatalf("%q is shown as %q", text, g)
		}
	})
}
