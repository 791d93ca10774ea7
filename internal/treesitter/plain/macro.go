// Package plain blanks what a grammar stumbles over, in place: what is read stays
// where it stood.
package plain

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// classMacro matches what stands between "class" and its name only because the
// preprocessor takes it away: "class EXPORT DEPRECATED("use B") Table final : public Base".
var classMacro = pattern.NewLazy(
	`\b(?:class|struct)\s+((?:[A-Z][A-Z0-9_]+(?:\((?:[^()"]|"[^"]*")*\))?\s+)+)[A-Za-z_][\w:<>, ]*\s*[:{]`)

// hideMacros puts spaces in the place of such macros: grammars, which see no
// macros, would lose the class and all that is in it.
func hideMacros(text string) string {
	text = hideLines(text)
	var hidden []byte
	for _, m := range classMacro().FindAllStringSubmatchIndex(text, -1) {
		if hidden == nil {
			hidden = []byte(text)
		}
		blank(hidden[m[2]:m[3]])
	}
	if hidden == nil {
		return text
	}
	return string(hidden)
}

// OneBranch puts spaces in the place of the preprocessor's conditions and of
// all branches but the first, which may hold braces that the others close. What
// they include and define stays.
func OneBranch(text string) string {
	out := []byte(text)
	var skipped []bool // for each condition that is open, whether its branch is left out
	start, keep := 0, false
	for line := range strings.Lines(text) {
		keep = keep || stays().MatchString(line)
		word := directive(line)
		switch word {
		case "if", "ifdef", "ifndef":
			skipped = append(skipped, false)
		case "else", "elif":
			if len(skipped) > 0 {
				skipped[len(skipped)-1] = true
			}
		}
		if word != "" || slices.Contains(skipped, true) && !keep {
			blank(out[start : start+len(line)])
		}
		if word == "endif" && len(skipped) > 0 {
			skipped = skipped[:len(skipped)-1]
		}
		start += len(line)
		keep = keep && strings.HasSuffix(strings.TrimRight(line, "\r\n"), "\\")
	}
	return string(out)
}

// stays matches directives that may be in any branch.
var stays = pattern.NewLazy(`^[ \t]*#[ \t]*(?:include|define)\b`)

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

// itemMacro matches the line that begins items which exist under a condition or are
// added to, as libraries of Rust write it: "cfg_rt! {", "pin_project! {". anyMacro matches one
// with a macro of any name outside of modules and functions, which begins items if
// firstItem matches what follows. documentedMacro matches one that gives a macro to another
// one: "doc! {macro_rules! select {". branch matches what begins or ends the items of one
// condition in cfg_if!.
var (
	itemMacro = pattern.NewLazy(
		`^([ \t]*)(?:cfg_\w+|cfg_if::cfg_if|(?:pin_project_lite::)?pin_project|thread_local)!\s*\{\s*$`)
	anyMacro  = pattern.NewLazy(`^()[a-z]\w*!\s*\{\s*(?://.*)?$`)
	firstItem = pattern.NewLazy(`^(?:\s*(?://.*|#!?\[.*\])\n)*\s*(?:pub(?:\([^)\n]*\))? +)?` +
		`(?:(?:mod|use|impl|trait|extern crate) |impl<|macro_rules! |(?:const |async |unsafe )*fn )`)
	documentedMacro = pattern.NewLazy(`^([ \t]*)(\w+!\s*\{)\s*macro_rules!\s*\w+\s*\{$`)
	branch          = pattern.NewLazy(`^(?:(?:\} else )?if #\[cfg.*\] \{|\} else \{|\})$`)
)

// openMacros puts spaces in the place of what is around such items. Grammars
// take the inside of a macro for tokens.
func openMacros(text string) string {
	if !strings.Contains(text, "! {") && !strings.Contains(text, "!{") && !strings.Contains(text, "macro_rules!") {
		return text
	}
	out := []byte(text)
	var open []opened
	closing := "" // the line that ends a macro in a macro
	start := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, " \t\r\n")
		var items []string
		var documented []int
		if strings.Contains(bare, "{") {
			items, documented = opens(bare, text[start+len(line):]), documentedMacro().FindStringSubmatchIndex(bare)
		}
		n := len(open)
		switch {
		case items != nil:
			open = append(open, opened{items[1], strings.Contains(bare, "cfg_if!")})
			blank(out[start : start+len(line)])
		case documented != nil:
			blank(out[start+documented[4] : start+documented[5]])
			closing = bare[documented[2]:documented[3]] + "}}"
		case closing != "" && bare == closing:
			out[start+len(bare)-1], closing = ' ', ""
		case n > 0 && bare == open[n-1].indent+"}":
			open = open[:n-1]
			blank(out[start : start+len(line)])
		case n > 0 && open[n-1].begins(bare):
			blank(out[start : start+len(line)])
		}
		start += len(line)
	}
	return string(out)
}

// opens matches a line that begins items, by what follows.
func opens(line, rest string) []string {
	if m := itemMacro().FindStringSubmatch(line); m != nil {
		return m
	}
	if m := anyMacro().FindStringSubmatch(line); m != nil && firstItem().MatchString(rest) {
		return m
	}
	return nil
}

// An opened macro is one whose end was not reached.
type opened struct {
	indent   string
	branches bool // its items are in branches
}

// begins reports whether a line begins or ends one of the branches.
func (o opened) begins(line string) bool {
	rest, ok := strings.CutPrefix(line, o.indent+"    ")
	return ok && o.branches && branch().MatchString(rest)
}
