package golang

import (
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// repaired is a text with syntax errors in which the lines that have them are
// blank, so that one does not hide the declarations after it. Positions stay.
// A declaration that cannot be mended in a few tries is blank as a whole.
func repaired(text string) string {
	var b strings.Builder
	for i, part := range declarations(text) {
		if i > 0 {
			part = mended(part)
		}
		b.WriteString(part)
	}
	return b.String()
}

// declarations cuts a text before the lines that start a declaration. The first
// part is what is above them: the package clause.
func declarations(text string) []string {
	var out []string
	from, at := 0, 0
	for line := range strings.Lines(text) {
		for _, word := range []string{"func ", "type ", "var ", "const ", "import ", "var(", "const(", "import(", "type("} {
			if strings.HasPrefix(line, word) {
				out = append(out, text[from:at])
				from = at
				break
			}
		}
		at += len(line)
	}
	return append(out, text[from:])
}

// maxMends is how often lines of a declaration are made blank.
const maxMends = 4

func mended(part string) string {
	const clause = "package p\n"
	lines := strings.SplitAfter(part, "\n")
	for range maxMends {
		_, err := parser.ParseFile(token.NewFileSet(), "", clause+strings.Join(lines, ""),
			parser.SkipObjectResolution|parser.AllErrors)
		if err == nil {
			return strings.Join(lines, "")
		}
		var list scanner.ErrorList
		if !errors.As(err, &list) {
			break
		}
		// the errors after the first often follow from it, and it may be found
		// only after the line that has it
		n := min(max(list[0].Pos.Line-2, 0), len(lines)-1)
		for n > 0 && (strings.TrimSpace(lines[n]) == "" || strings.TrimSpace(lines[n]) == "}") {
			n--
		}
		if n == 0 {
			break
		}
		lines[n] = blank(lines[n])
	}
	return blank(part)
}

// blank is a text of the same length and lines without anything.
func blank(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}
