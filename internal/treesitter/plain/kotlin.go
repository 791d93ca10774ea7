package plain

import (
	"bytes"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A kotlinRule says what the grammar, which is older than the language and mistaken
// about parts of it, is not shown: of each match the first group.
type kotlinRule struct {
	word string // without which there is no match
	line bool   // a match is within one line, with the word
	re   pattern.Lazy
	hide func(group []byte)
}

var kotlinRules = []kotlinRule{
	{"fun interface", true, pattern.NewLazy(`\b(fun) interface\b`), blank},
	{"constructor", false, pattern.NewLazy(`\bclass[ \t]+\w+(?:<[^(){}]*>)?(\s*\n\s*(?:(?:@[\w.:]+(?:\([^()\n]*\))?|` +
		`private|internal|protected|public|actual|expect)\s+)*constructor\b)`), onOneLine},
	{"constructor", false, pattern.NewLazy(`\b(actual|expect)\s+constructor\b`), blank},
	{"al val ", true, pattern.NewLazy(`[(,][ \t]*(?:\w+ )?(actual) val `), blank},
	{"al val ", true, pattern.NewLazy(`^[ \t]*(?:\w+ )?(actual) val [^=]*,?$`), blank},
	{"\nby ", false, pattern.NewLazy(`\b(?:object|class)[ \t]+[^\n{}=]*(\n)by[ \t]`), onOneLine},
	{"->", false, pattern.NewLazy(`(,)[ \t\r]*\n?[ \t]*->`), blank},
	{"as", false, pattern.NewLazy(`(\n[ \t]*)as\??[ \t]`), onOneLine},
	{"where", false, pattern.NewLazy(`(\n[ \t]*)where[ \t]+\w+[ \t]*:`), onOneLine},
	{"..<", true, pattern.NewLazy(`\.\.(<)`), blank},
	{"0b", true, pattern.NewLazy(`\b0(b)[01_]`), asHexadecimal},
	{"0B", true, pattern.NewLazy(`\b0(B)[01_]`), asHexadecimal},
	{`$$`, false, pattern.NewLazy(`(\$\$+"(?:""(?s:.*?)"""|[^"\\\n]*(?:\\.[^"\\\n]*)*"))`), withoutTemplates},
	{" e", true, pattern.NewLazy(`[\w)\]}"'>?][ \t]+(e\w*)[ \t]+[\w("'{\[]`), infix},
	{"in", false, pattern.NewLazy(`\n[ \t]*(!?in)[ \t][^\n]*->`), blank},
	{"in", false, pattern.NewLazy(`\n[ \t]*(in)[0-9_]`), otherWord},
	{"\n", false, pattern.NewLazy(`\n[ \t]*(annotation|const|enum|external|final|inline|open|operator|override)` +
		`[ \t]*(?:=[^=]|[(.])`), otherWord},
	{"annotation", true, pattern.NewLazy(`[{,][ \t]*(annotation)[ \t]*(?:,|->)`), otherWord},
	{" if ", false, pattern.NewLazy(`\n[ \t]*!?(?:is|in)[ \t][^\n-]*?[ \t](if)[ \t]`), comma},
	{"suspend", true, pattern.NewLazy(`(?:^|[=(,])[ \t]*(suspend)[ \t]*\{`), blank},
	{"context(", true, pattern.NewLazy(`^[ \t]*(context\([^()\n]*\))[ \t\r\n]*$`), blank},
	{"<*>::", true, pattern.NewLazy(`\w(<\*>)::`), blank},
	{".(", true, pattern.NewLazy(`\b((?:\w+\.)+\w+(?:<[^<>(){}\n]*>)?\??\.)\([^()\n]*\)[ \t]*->`), blank},
	{"?.(", true, pattern.NewLazy(`(\?)\.\([^()\n]*\)[ \t]*->`), blank},
	// An assignment to a member of what a call gives is two statements.
	{"=", true, pattern.NewLazy(`^[^\n=;"']*[)}](?:!!)?(?:\??\.\w+|\[[^\]\n={}]*\])+[ \t]*([-+*/%]?=)[^=]`), semicolon},
	{"=", true, pattern.NewLazy(`[{][^\n=;"'{}]*\)(?:!!)?(?:\??\.\w+)+[ \t]*([-+*/%]?=)[^=]`), semicolon},
}

// delegated matches the end of a line which says to whom the type whose body
// begins there delegates, of which the grammar makes a call with a lambda:
// "class A(b: B) : B by b {".
var delegated = pattern.NewLazy(
	`(?m)^(?:[^\n]*\b(?:class|object|constructor)\b|[ \t]*[):,])[^\n]*` +
		`([ \t]by[ \t]+[\w.]+(?:\([^()\n]*\))?)[ \t]*\{[ \t]*\r?$`)

// Kotlin hides from the grammar that a type delegates.
func Kotlin(text string) string {
	if !opensBehindBy(text) {
		return text
	}
	hidden := []byte(text)
	for _, m := range delegated().FindAllStringSubmatchIndex(text, -1) {
		blank(hidden[m[2]:m[3]])
	}
	return string(hidden)
}

// NewerKotlin puts what the grammar can read in the place of all that it can't.
func NewerKotlin(text string) string {
	hidden := []byte(Kotlin(text))
	apply := func(r *kotlinRule, part string, at int) {
		for _, m := range r.re().FindAllStringSubmatchIndex(part, -1) {
			r.hide(hidden[at+m[2] : at+m[3]])
		}
	}
	for i := range kotlinRules {
		r, at := &kotlinRules[i], 0
		if !r.line && strings.Contains(text, r.word) {
			apply(r, text, 0)
		}
		for r.line {
			found := strings.Index(text[at:], r.word)
			if found < 0 {
				break
			}
			from := strings.LastIndexByte(text[:at+found], '\n') + 1
			line, _, _ := strings.Cut(text[from:], "\n")
			apply(r, line, from)
			at = min(from+len(line)+1, len(text))
		}
	}
	return string(hidden)
}

func onOneLine(group []byte) {
	for i, c := range group {
		if c == '\n' || c == '\r' {
			group[i] = ' '
		}
	}
}

func asHexadecimal(b []byte) { b[0] = 'x' }

// withoutTemplates makes a string of one in which a dollar alone says nothing.
func withoutTemplates(group []byte) {
	copy(group, bytes.ReplaceAll(group, []byte("$"), []byte(" ")))
}

// otherWord makes a name of a word that the language has too, where it is one.
func otherWord(word []byte) { word[0] = 'q' }

// infix is for functions between two values, which the grammar takes for "else" by their first letter.
func infix(word []byte) {
	switch string(word) {
	case "else", "enum", "expect", "external":
	default:
		otherWord(word)
	}
}

// comma stands in the place of the guard of a branch.
func comma(word []byte) {
	blank(word)
	word[0] = ','
}

func semicolon(operator []byte) {
	blank(operator)
	operator[0] = ';'
}

// opensBehindBy reports whether a line says "by" and ends with a brace.
func opensBehindBy(text string) bool {
	for {
		_, behind, found := strings.Cut(text, "by")
		if !found {
			return false
		}
		text = behind
		line, _, _ := strings.Cut(behind, "\n")
		if strings.HasSuffix(strings.TrimRight(line, " \t\r"), "{") {
			return true
		}
	}
}
