package agent

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/pattern"
)

// noSource marks a statement without a checked citation.
const noSource = " [no source]"

const (
	leastWords = 4 // of a sentence that states something
	shortest   = 8 // bytes before a full stop in which an abbreviation is looked for
)

var (
	markBehind = pattern.NewLazy(`([.!?])((?:\s*\[\d+\])+)`)
	markBefore = pattern.NewLazy(`\s*((?:\[\d+\])+)([.!?])`)
	ourMark    = pattern.NewLazy(`\[\d+\]`)
	bullet     = pattern.NewLazy(`^\s*(?:[-*+]|\d+[.)])\s+`)
	ending     = pattern.NewLazy("[.!?](?:[\"')*_]*)\\s+[\"'(*_`]*")
	shortened  = pattern.NewLazy(`(?:\b(?i:e\.g|i\.e|etc|vs|cf|resp|approx|no)|\b[A-Z])\.$`)
)

// statements marks the sentences of a line that have no citation. A heading, a
// row of a table and the line before a list state nothing.
func statements(text string) checked {
	text = markBehind().ReplaceAllString(text, "$2$1")
	text = markBefore().ReplaceAllString(text, " $1$2")
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "|") ||
		strings.HasSuffix(strings.TrimRight(trimmed, "*_"), ":") {
		return checked{text: strings.TrimRight(text, " ")}
	}
	lead := bullet().FindString(text)
	var b strings.Builder
	b.WriteString(lead)
	var out checked
	for _, s := range sentences(text[len(lead):]) {
		body := strings.TrimRight(s, " ")
		b.WriteString(body)
		switch sourced := ourMark().MatchString(body); {
		case sourced:
			out.statements++
			out.sourced++
		case words(body) >= leastWords:
			out.statements++
			b.WriteString(noSource)
		}
		b.WriteString(s[len(body):])
	}
	out.text = strings.TrimRight(b.String(), " ")
	return out
}

// sentences cuts a line behind the ends of sentences.
func sentences(text string) []string {
	var out []string
	from := 0
	for _, at := range ending().FindAllStringIndex(text, -1) {
		next, _ := utf8.DecodeRuneInString(text[at[1]:])
		starts := at[1] < len(text) && (unicode.IsUpper(next) || strings.ContainsAny(text[at[0]:at[1]], "`"))
		if !starts || strings.Count(text[from:at[0]], "`")%2 == 1 ||
			shortened().MatchString(text[max(from, at[0]-shortest):at[0]+1]) {
			continue
		}
		// what opens the next sentence belongs to it
		cut := at[0] + strings.LastIndexFunc(text[at[0]:at[1]], unicode.IsSpace) + 1
		out, from = append(out, text[from:cut]), cut
	}
	return append(out, text[from:])
}

func words(text string) int {
	n := 0
	for w := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(w, unicode.IsLetter) {
			n++
		}
	}
	return n
}

var (
	numbered = pattern.NewLazy(`(\w?)( ?)\[(\^?\d+(?:\s*[,–-]\s*\d+)*)\]`)
	image    = pattern.NewLazy(`!\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])?`)
	mdLink   = pattern.NewLazy(`\[([^\[\]\n]*)\]\(\s*<?([^)\s>]*)[^)\n]*\)`)
	url      = pattern.NewLazy(
		`(?i)(?:\b[a-z][a-z0-9+.-]*://|\bwww\.[\w-]+\.|//[\w-]+(?:\.[\w-]+)+(?::\d+)?[/?#])[^\s<>()\[\]"'` + "`" + `]+`)
	html = pattern.NewLazy(
		`(?i)<!--|--!?>|</?(?:a|audio|base|embed|form|frame|iframe|image|img|input|link|meta|object|script|source|style|svg|track|video)\b[^>]*>?`)
)

// What stands for the brackets of our marks until a line is done. Models that
// write these, for private use, lose them.
const (
	openMark  = "\ue000"
	closeMark = "\ue001"
)

var (
	private  = strings.NewReplacer(openMark, "", closeMark, "")
	brackets = strings.NewReplacer(openMark, "[", closeMark, "]")
	harmless = strings.NewReplacer("[", "(", "]", ")", "<", "(", ">", ")", "://", ": ")
)

// scrub takes out of prose what would pass for a checked citation, and what a
// reader's program would fetch: images, elements of HTML, links that no tool has
// shown. Text of a repository may have told the model to write them. What is
// left must not be such a thing again.
func (c *citer) scrub(text string) string {
	for range 8 {
		once := c.scrubOnce(text)
		if once == text {
			return text
		}
		text = once
	}
	return harmless.Replace(text)
}

func (c *citer) scrubOnce(text string) string {
	parts := strings.Split(text, "`") // the odd ones are code
	for i := range parts {
		if i%2 == 0 || i == len(parts)-1 {
			parts[i] = c.scrubProse(parts[i])
		}
	}
	return c.unlink(strings.Join(parts, "`"))
}

// unlink takes out the links that no tool has shown, in code too: what another
// program takes for code is not always what is here.
func (c *citer) unlink(text string) string {
	return url().ReplaceAllStringFunc(text, func(u string) string {
		if c.seen.has(strings.TrimRight(u, ".,;:!?")) {
			return u
		}
		return "(link removed)"
	})
}

func (c *citer) scrubProse(p string) string {
	p = html().ReplaceAllString(p, "")
	p = image().ReplaceAllString(p, "$1")
	p = mdLink().ReplaceAllStringFunc(p, func(m string) string {
		link := mdLink().FindStringSubmatch(m)
		if url().MatchString(link[2]) && c.seen.has(link[2]) {
			return m
		}
		return link[1]
	})
	p = c.unlink(p)
	return numbered().ReplaceAllStringFunc(p, func(m string) string {
		n := numbered().FindStringSubmatch(m)
		if n[1] == "" || n[2] != "" {
			return n[1]
		}
		return n[1] + `\[` + n[3] + `\]`
	})
}
