// Package plain blanks what a grammar stumbles over, in place: what is read stays
// where it stood.
package plain

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// classMacro matches what stands between "class" and its name only because
// the preprocessor takes it away: "class EXPORT Table final : public Base".
var classMacro = pattern.NewLazy(
	`\b(?:class|struct)\s+([A-Z][A-Z0-9_]+(?:\([^()\n]*\))?)\s+[A-Za-z_][\w:<>, ]*\s*[:{]`)

// hideMacros puts spaces in the place of such macros: grammars, which see no
// macros, would lose the class and all that is in it.
func hideMacros(text string) string {
	text = hideLines(text)
	var hidden []byte
	for _, m := range classMacro().FindAllStringSubmatchIndex(text, -1) {
		if hidden == nil {
			hidden = []byte(text)
		}
		copy(hidden[m[2]:m[3]], strings.Repeat(" ", m[3]-m[2]))
	}
	if hidden == nil {
		return text
	}
	return string(hidden)
}

// OneBranch puts spaces in the place of the preprocessor's conditions and of
// all branches but the first, which may hold braces that the others close.
func OneBranch(text string) string {
	out := []byte(text)
	var skipped []bool // for each condition that is open, whether its branch is left out
	start := 0
	for line := range strings.Lines(text) {
		word := directive(line)
		switch word {
		case "if", "ifdef", "ifndef":
			skipped = append(skipped, false)
		case "else", "elif":
			if len(skipped) > 0 {
				skipped[len(skipped)-1] = true
			}
		}
		if word != "" || slices.Contains(skipped, true) {
			blank(out[start : start+len(line)])
		}
		if word == "endif" && len(skipped) > 0 {
			skipped = skipped[:len(skipped)-1]
		}
		start += len(line)
	}
	return string(out)
}

// directive is the name of the condition that a line is, or nothing.
func directive(line string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "#")
	if !ok {
		return ""
	}
	word := strings.TrimLeft(rest, " \t")
	end := strings.IndexFunc(word, func(r rune) bool { return r < 'a' || r > 'z' })
	if end >= 0 {
		word = word[:end]
	}
	switch word {
	case "if", "ifdef", "ifndef", "else", "elif", "endif":
		return word
	}
	return ""
}

// blank puts spaces in the place of everything but line ends.
func blank(line []byte) {
	for i, c := range line {
		if c != '\n' && c != '\r' {
			line[i] = ' '
		}
	}
}

// cfgMacro matches the line that begins items which exist under a condition,
// as libraries of Rust write it: "cfg_rt! {". documentedMacro matches one that
// gives a macro to another one: "doc! {macro_rules! select {".
var (
	cfgMacro        = pattern.NewLazy(`^([ \t]*)cfg_\w+!\s*\{\s*$`)
	documentedMacro = pattern.NewLazy(`^([ \t]*)(\w+!\s*\{)\s*macro_rules!\s*\w+\s*\{$`)
)

// OpenMacros puts spaces in the place of what is around such items. Grammars
// take the inside of a macro for tokens.
func OpenMacros(text string) string {
	if !strings.Contains(text, "cfg_") && !strings.Contains(text, "macro_rules!") {
		return text
	}
	out := []byte(text)
	var indents []string
	closing := "" // the line that ends a macro in a macro
	start := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, " \t\r\n")
		if m := cfgMacro().FindStringSubmatch(bare); m != nil {
			indents = append(indents, m[1])
			blank(out[start : start+len(line)])
		} else if m := documentedMacro().FindStringSubmatchIndex(bare); m != nil {
			blank(out[start+m[4] : start+m[5]])
			closing = bare[m[2]:m[3]] + "}}"
		} else if closing != "" && bare == closing {
			out[start+len(bare)-1], closing = ' ', ""
		} else if n := len(indents); n > 0 && bare == indents[n-1]+"}" {
			indents = indents[:n-1]
			blank(out[start : start+len(line)])
		}
		start += len(line)
	}
	return string(out)
}
