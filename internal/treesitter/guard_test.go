package treesitter_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/treesitter"
)

func TestGuard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"code":               {"fn main() { a[(1)] }\n", ""},
		"deep":               {strings.Repeat("f(\n", 201), "brackets more than 200 deep"},
		"deep, of all kinds": {strings.Repeat("[(\n{", 67), "brackets more than 200 deep"},
		"brackets in strings": {
			strings.Repeat("assert(\"\\x1b[1mbold\\x1b[0m\");\n", 300), "",
		},
		"deep in strings":      {`parse("` + strings.Repeat("[", 250) + "\");\nx = '\\'" + strings.Repeat("{", 250) + "';\n", ""},
		"behind an open quote": {"don't\n" + strings.Repeat("f(\n", 201), "brackets more than 200 deep"},
		"deep beside strings":  {`"a" ` + strings.Repeat("(", 201) + ` "b"`, "brackets more than 200 deep"},
		"closed twice":         {strings.Repeat("a)]}\n", 300), ""},
		"long lines":           {strings.Repeat("a ", 1000), "lines of more than 300 bytes on average"},
		"part of a table":      {strings.Repeat("0x1f, -2,\n", 1500), "more than 2000 numbers outside of brackets"},
		"table":                {"int t[] = {\n" + strings.Repeat("0x1f, -2,\n", 1500) + "};\n", ""},
		"names in a list":      {"x = " + strings.Repeat("name, 1,\n", 1500) + "0\n", ""},
		"NUL":                  {"a\x00b\n", "a NUL in the text"},
		"large":                {strings.Repeat("a\n", 1<<20+1), "more than 2097152 bytes"},
	} {
		if got := treesitter.Guard(c.text); got != c.want {
			t.Errorf("%s: Guard = %q, want %q", name, got, c.want)
		}
	}
}
