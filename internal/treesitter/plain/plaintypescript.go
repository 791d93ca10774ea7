package plain

import (
	"iter"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// typeStar matches "export type *", whose second word the grammar, of before
// TypeScript 5, does not know.
var typeStar = pattern.NewLazy(`\bexport[ \t]+(type)[ \t]+\*`)

// using matches what TypeScript 5.2 declares that is disposed of at the end of a
// block, which the grammar does not know.
var using = pattern.NewLazy(`(?:^|[\n;{(])[ \t]*((?:await[ \t]+)?using)[ \t]+[\pL_$][\pL\pN_$]*[ \t]*(?:=[^=>]|:|\bof\b)`)

// typeParameter matches a type parameter with the name "type", typeWord that word with
// what follows it on its line.
var (
	typeParameter = pattern.NewLazy(`[<,]\s*(?:const\s+)?type\s*(?:[<>,=]|extends\b)`)
	typeWord      = pattern.NewLazy(`\btype\b[ \t]*([*{]|[\pL_$][\pL\pN_$]*)?`)
)

// TypeScript changes what the grammar cannot read, and keeps every offset:
// "using" becomes "const" or, where it is a name, another name, the word "type" of
// "export type *" and the variance of type parameters ("in", "out") become spaces,
// and members of types that begin in a line of their own with "<" or "in" get the
// semicolon that their author left out, in place of the space before. Without it the
// grammar goes on with the member before, and mostly loses the whole file. Where a type
// parameter is called "type", that word becomes another name.
func TypeScript(text string) string { return plainer{text: text}.run(true) }

// TSX does the same, but for what may be an element where a line begins
// with "<".
func TSX(text string) string { return plainer{text: text}.run(false) }

type plainer struct {
	text string
	out  []byte // nil until something is changed
}

func (p plainer) run(signatures bool) string {
	if strings.Contains(p.text, "type *") {
		for _, m := range typeStar().FindAllStringSubmatchIndex(p.text, -1) {
			p.hide(m[2], m[3])
		}
	}
	if strings.Contains(p.text, "using ") && mayUse(p.text) {
		for _, m := range using().FindAllStringSubmatchIndex(p.text, -1) {
			p.hide(m[2], m[3])
			copy(p.out[m[2]:], "const")
		}
	}
	for at := range words(p.current(), "using") { // a name, of which the grammar makes no expression
		p.hide(at, at)
		copy(p.out[at:], "Using")
	}
	if (strings.Contains(p.text, "<type") || strings.Contains(p.text, "type extends")) &&
		typeParameter().MatchString(p.text) {
		p.nameType()
	}
	for i := 0; ; i++ {
		next := strings.IndexByte(p.text[i:], '<')
		if next < 0 {
			break
		}
		i += next
		p.variance(i)
		if signatures && p.isSignature(i) {
			p.separate(i)
		}
	}
	for i := 0; ; i++ {
		next := strings.Index(p.text[i:], " in?:")
		if next < 0 {
			break
		}
		i += next
		p.separate(i + 1)
	}
	return p.current()
}

// mayUse reports whether using may match in a text: it takes long where the word is
// in comments only.
func mayUse(text string) bool {
	for at := range words(text, "using") {
		before := strings.TrimRight(text[:at], " \t")
		if before == "" || strings.IndexByte("\n;{(", before[len(before)-1]) >= 0 || strings.HasSuffix(before, "await") {
			return true
		}
	}
	return false
}

// current is the text as it was changed so far.
func (p *plainer) current() string {
	if p.out == nil {
		return p.text
	}
	return string(p.out)
}

func (p *plainer) hide(from, to int) {
	if p.out == nil {
		p.out = []byte(p.text)
	}
	blank(p.out[from:to])
}

// nameType puts a name for each word "type" that is no keyword: one that no name, brace
// or star follows.
func (p *plainer) nameType() {
	for _, m := range typeWord().FindAllStringSubmatchIndex(p.current(), -1) {
		if m[2] >= 0 {
			switch p.text[m[2]:m[3]] {
			case "extends", "in", "is", "as", "satisfies", "instanceof":
			default:
				continue
			}
		}
		p.hide(m[0], m[0]+len("type"))
		copy(p.out[m[0]:], "Type")
	}
}

// separate puts a semicolon before what begins a line, if something stands
// before it that may be a member.
func (p *plainer) separate(at int) {
	begin := strings.LastIndexByte(p.text[:at], '\n') + 1
	if begin == 0 || begin == at || strings.Trim(p.text[begin:at], " \t") != "" || !endsMember(p.text[:begin-1]) {
		return
	}
	p.hide(at-1, at)
	p.out[at-1] = ';'
}

// variance hides the modifiers "in" and "out" of the type parameters of a
// class, interface or alias that begin at a bracket.
func (p *plainer) variance(at int) {
	name := lastWord(p.text[:at])
	switch lastWord(strings.TrimRight(p.text[:at-len(name)], " \t")) {
	case "interface", "class", "type":
	default:
		return
	}
	end := closing(p.text, at, '<', '>')
	for i := at; i < end; i++ {
		if i != at && p.text[i] != ',' {
			continue
		}
		for {
			from := skipSpace(p.text, i+1)
			word := firstWord(p.text[from:])
			after := from + len(word)
			if word != "in" && word != "out" || after >= end || !strings.ContainsRune(" \t\r\n", rune(p.text[after])) ||
				firstWord(p.text[skipSpace(p.text, after):]) == "" {
				break
			}
			p.hide(from, after)
			i = after - 1
		}
	}
}

// isSignature reports whether type parameters at an offset are those of a call
// signature: parameters in brackets follow, and a result.
func (p *plainer) isSignature(at int) bool {
	end := closing(p.text, at, '<', '>')
	if end < 0 || end+1 >= len(p.text) || p.text[end+1] != '(' {
		return false
	}
	end = closing(p.text, end+1, '(', ')')
	return end > 0 && strings.HasPrefix(strings.TrimLeft(p.text[end+1:min(end+20, len(p.text))], " \t"), ":")
}

// longestPart bounds how far a closing bracket is looked for.
const longestPart = 4000

// closing is where a bracket closes that opens at an offset, or -1. The arrow
// "=>" closes nothing.
func closing(text string, at int, open, shut byte) int {
	depth := 0
	for i := at; i < min(len(text), at+longestPart); i++ {
		switch text[i] {
		case open:
			depth++
		case shut:
			if shut == '>' && text[i-1] == '=' {
				continue
			}
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// endsMember reports whether what ends a text may be the end of a member of a
// type that has no semicolon. Comments and empty lines behind it do not count.
func endsMember(text string) bool {
	for {
		text = strings.TrimRight(text, " \t\r\n")
		line := strings.TrimLeft(text[strings.LastIndexByte(text, '\n')+1:], " \t")
		switch {
		case strings.HasPrefix(line, "//"):
			text = text[:len(text)-len(line)]
			continue
		case strings.HasSuffix(text, "*/"):
			begin := strings.LastIndex(text, "/*")
			if begin < 0 {
				return false
			}
			text = text[:begin]
			continue
		}
		break
	}
	if strings.HasSuffix(text, "=>") || text == "" {
		return false
	}
	if word := lastWord(text); word != "" {
		return !slices.Contains([]string{
			"return", "default", "new", "extends", "await", "function", "keyof", "typeof",
			"case", "in", "of", "async",
		}, word)
	}
	return strings.ContainsRune(")]}>'\"`", rune(text[len(text)-1]))
}

// skipSpace is where space and comments end that begin at an offset.
func skipSpace(text string, at int) int {
	for at < len(text) {
		switch rest := text[at:]; {
		case strings.ContainsRune(" \t\r\n", rune(text[at])):
			at++
		case strings.HasPrefix(rest, "/*") && strings.Contains(rest, "*/"):
			at += strings.Index(rest, "*/") + 2
		case strings.HasPrefix(rest, "//") && strings.Contains(rest, "\n"):
			at += strings.IndexByte(rest, '\n')
		default:
			return at
		}
	}
	return at
}

// words are the places where a word stands that has no other letter or digit of ASCII
// beside it.
func words(text, word string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for from := 0; ; {
			at := strings.Index(text[from:], word)
			if at < 0 {
				return
			}
			at += from
			from = at + len(word)
			if (at > 0 && isWord(text[at-1])) || (from < len(text) && isWord(text[from])) {
				continue
			}
			if !yield(at) {
				return
			}
		}
	}
}

// isWord is what \w matches.
func isWord(c byte) bool { return isNamePart(c) && c != '$' && c < 0x80 }

func firstWord(text string) string {
	for i := range len(text) {
		if !isNamePart(text[i]) {
			return text[:i]
		}
	}
	return text
}

func lastWord(text string) string {
	for i := len(text); i > 0; i-- {
		if !isNamePart(text[i-1]) {
			return text[i:]
		}
	}
	return text
}

func isNamePart(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
