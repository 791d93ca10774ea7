package plain

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// maxMacroArguments is how many bytes of arguments are looked through, maxMacroReads how often
// all of a file is, as calls in one another each are: the rest stay macros.
const (
	maxMacroArguments = 1 << 16
	maxMacroReads     = 16
)

// passing stands for the "!" of a macro that is read as the call of a function. No formatter
// of Rust leaves a tab there.
const passing = '\t'

var (
	macroCall = pattern.NewLazy(`\b[a-z_]\w*!\(`)
	patterned = pattern.NewLazy(`^(?:matches|assert_matches|quote|quote_spanned|parse_quote|select|macro_rules)!`)
)

// Rust opens the items in macros, and lets macros that are called with closures or blocks
// pass for functions: grammars take what a macro is called with for tokens, in which
// nothing is declared.
func Rust(text string) string {
	text = openMacros(openDeclaring(text))
	var out []byte
	left := maxMacroReads*len(text) + maxMacroArguments
	for _, at := range macroCall().FindAllStringIndex(text, -1) {
		end, closed, declares := rustArguments(text, at[1])
		if left -= end - at[1]; left < 0 {
			break
		}
		if !closed || !declares || patterned().MatchString(text[at[0]:at[1]]) {
			continue
		}
		if out == nil {
			out = []byte(text)
		}
		out[at[1]-len("!(")] = passing
	}
	if out == nil {
		return text
	}
	return string(out)
}

// itemsMacro matches the beginning of macros of widely used crates whose inside are items,
// nearly: flags have their type behind the name, and values without one.
var (
	itemsMacro = pattern.NewLazy(
		`(?m)^[ \t]*(?:(?:bitflags::)?(bitflags)|(?:lazy_static::)?lazy_static|(?:slotmap::)?new_key_type)!\s*\{`)
	flagsType = pattern.NewLazy(`\b(struct)\s+\w+(\s*:\s*[\w:]+)\s*\{`)
	flagValue = pattern.NewLazy(`(?m)^[ \t]*(const _\s*=[^;]*;)|^[ \t]*(const )\w+\s*=[^;]*(;)`)
	lazyValue = pattern.NewLazy(`\bstatic (ref )`)
)

// openDeclaring puts spaces in the place of what is around the items of such macros. Flags
// become an enumeration, which has the same members.
func openDeclaring(text string) string {
	var out []byte
	left := maxMacroReads*len(text) + maxMacroArguments
	for _, at := range itemsMacro().FindAllStringSubmatchIndex(text, -1) {
		end, closed, _ := rustArguments(text, at[1])
		if left -= end - at[1]; left < 0 {
			break
		}
		if !closed || text[end] != '}' {
			continue
		}
		if out == nil {
			out = []byte(text)
		}
		blank(out[at[0]:at[1]])
		out[end] = ' '
		inside := text[at[1]:end]
		if at[2] < 0 {
			for _, m := range lazyValue().FindAllStringSubmatchIndex(inside, -1) {
				blank(out[at[1]+m[2] : at[1]+m[3]])
			}
			continue
		}
		openFlags(out[at[1]:end], inside)
	}
	if out == nil {
		return text
	}
	return string(out)
}

func openFlags(out []byte, inside string) {
	for _, m := range flagsType().FindAllStringSubmatchIndex(inside, -1) {
		copy(out[m[2]:m[3]], "enum  ")
		blank(out[m[4]:m[5]])
	}
	for _, m := range flagValue().FindAllStringSubmatchIndex(inside, -1) {
		if m[2] >= 0 { // bits without a name
			blank(out[m[2]:m[3]])
			continue
		}
		blank(out[m[4]:m[5]])
		out[m[6]] = ','
	}
}

// MendRust takes macros for macros again whose arguments the grammar can't read: wrong are
// the errors' offsets, in order of where they begin.
func MendRust(text string, wrong [][2]int) string {
	out := []byte(text)
	for i := 1; i+1 < len(text) && len(wrong) > 0; i++ {
		if text[i] != passing || text[i+1] != '(' || !isWord(text[i-1]) {
			continue
		}
		for len(wrong) > 0 && wrong[0][1] <= i {
			wrong = wrong[1:]
		}
		if end, closed, _ := rustArguments(text, i+len("!(")); closed && len(wrong) > 0 && wrong[0][0] <= end {
			out[i] = '!'
		}
	}
	return string(out)
}

// rustArguments is the offset of the bracket that closes the one before an offset, or where
// it was given up, and whether a closure or a block is between.
func rustArguments(text string, from int) (end int, closed, declares bool) {
	text = text[:min(len(text), from+maxMacroArguments)]
	depth := 1
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '$': // it is in the definition of a macro
			return i, false, false
		case '(':
			depth++
		case '{', '[':
			depth++
			declares = true
		case '|':
			declares = true
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i, true, declares
			}
		case '"':
			i = pastString(text, i)
		case '\'':
			i = pastCharacter(text, i)
		case '/':
			i = pastComment(text, i)
		case 'r':
			i = pastRaw(text, i)
		}
	}
	return len(text), false, false
}

// pastString is the offset of the quote that ends the string which begins at another one.
func pastString(text string, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// pastCharacter is the same of a character; of a lifetime it is where that begins.
func pastCharacter(text string, i int) int {
	rest := text[i+1:]
	if strings.HasPrefix(rest, `\`) && len(rest) > 1 {
		if end := strings.IndexByte(rest[2:], '\''); end >= 0 {
			return i + len(`'\x`) + end
		}
		return i
	}
	for at := range rest {
		if at > 0 {
			if rest[at] == '\'' {
				return i + 1 + at
			}
			break
		}
	}
	return i
}

// pastComment is the last offset of a comment, or where it would begin.
func pastComment(text string, i int) int {
	end := ""
	switch {
	case strings.HasPrefix(text[i:], "//"):
		end = "\n"
	case strings.HasPrefix(text[i:], "/*"):
		end = "*/"
	default:
		return i
	}
	if at := strings.Index(text[i+2:], end); at >= 0 {
		return i + 2 + at + len(end) - 1
	}
	return len(text)
}

// pastRaw is the last offset of a raw string, or where it would begin.
func pastRaw(text string, i int) int {
	if i > 0 && (isWord(text[i-1]) && text[i-1] != 'b') {
		return i
	}
	hashes := len(text[i+1:]) - len(strings.TrimLeft(text[i+1:], "#"))
	open := i + 1 + hashes
	if open >= len(text) || text[open] != '"' {
		return i
	}
	end := `"` + strings.Repeat("#", hashes)
	if at := strings.Index(text[open+1:], end); at >= 0 {
		return open + at + len(end)
	}
	return len(text)
}
