package ask

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// name is what a quote is of.
func (q quote) name() string {
	switch {
	case q.doc.Heading != "":
		return "“" + Inert(cutRunes(q.doc.Heading, 60)) + "”"
	case q.doc.QualifiedName != "" && q.doc.Kind != models.KindChunk:
		return Code(cutRunes(q.doc.QualifiedName, 80))
	case q.of != "":
		return "a part of " + Code(cutRunes(q.of, 80))
	}
	return "a part"
}

// head is the line above a quote: its mark and its place.
func (q quote) head(n int, several bool) string {
	repo := ""
	if several {
		repo = string(q.doc.RepoID) + " "
	}
	lines := strconv.Itoa(q.start)
	if q.end > q.start {
		lines += "-" + strconv.Itoa(q.end)
	}
	return fmt.Sprintf("[%d] %s%s %s", n, repo, Code(q.doc.FilePath+":"+lines), q.name())
}

// docLine is the first sentence of the author's own doc comment.
func (q quote) docLine() string {
	if q.doc.SummarySource != models.SummaryDocstring {
		return ""
	}
	_, doc, _ := strings.Cut(q.doc.Content, "\n\n")
	doc = inlineTag().ReplaceAllString(brief().ReplaceAllString(doc, ""), "$1")
	if at := fieldsOf().FindStringIndex(doc); at != nil {
		doc = doc[:at[0]]
	}
	doc = Inert(strings.TrimPrefix(strings.Join(strings.Fields(doc), " "), ": ")) // Sphinx marks comments by "#:"
	for _, at := range sentenceEnd().FindAllStringIndex(doc, -1) {
		if !shortened().MatchString(doc[:at[0]+1]) {
			doc = doc[:at[0]+1]
			break
		}
	}
	if short := cutRunes(doc, 200); short != doc {
		return short + "…"
	}
	return strings.TrimRight(doc, ".")
}

var (
	// fieldsOf is where a comment goes on with parameters and the like, for tools.
	fieldsOf = pattern.NewLazy(`(?m)^\s*(?:[@\\][a-zA-Z]+\b|:[a-z]+(?: [^:\n]+)?:(?:\s|$)|` +
		`(?:Args|Arguments|Parameters|Returns|Raises|Yields|Attributes):?\s*$)`)
	inlineTag   = pattern.NewLazy(`\{@(?:code|link|linkplain|literal)\s+([^{}]*)\}`) // of Javadoc
	brief       = pattern.NewLazy(`^\s*[@\\]brief\b\s*`)
	sentenceEnd = pattern.NewLazy(`\. |[!?] \p{Lu}`)
	shortened   = pattern.NewLazy(`(?i)(?:^|[\s(])(?:e\.?g|i\.?e|cf|vs|approx|resp)\.$`)
)

const (
	elided   = "…"
	minQuote = 24 // bytes of lines below which there is no use in quoting
)

// body is the quote in a fence, of at most room bytes: the lines with most of
// what the question asks for, below the line that declares it. "…" stands for
// lines between.
func (q quote) body(weights map[string]float64, room int) string {
	fence := fence(q.text)
	open := fence + strings.ToLower(strings.ReplaceAll(q.doc.Language, " ", "-")) + "\n"
	room -= len(open) + len(fence) + 1
	lines := strings.Split(q.text, "\n")
	first := q.declares(lines)
	signature := lines[first] + "\n"
	if room < minQuote {
		return ""
	}
	if len(signature) > room {
		return open + strings.ToValidUTF8(signature[:room-len(elided)-1], "") + elided + "\n" + fence + "\n"
	}
	size := make([]int, len(lines)+1) // bytes before each line
	for i, line := range lines {
		size[i+1] = size[i] + len(line) + 1
	}
	// One without the declaration needs room for it.
	w := bestWindow(weights, lines, func(from, to int) bool {
		need := size[to] - size[from]
		if from > first || to <= first {
			need += len(signature) + len(elided) + 1
		}
		return need <= room
	})
	for w.start < w.end && strings.TrimSpace(lines[w.start]) == "" {
		w.start++
	}
	for w.end > w.start && strings.TrimSpace(lines[w.end-1]) == "" {
		w.end--
	}
	var b strings.Builder
	b.WriteString(open)
	if w.start > first {
		b.WriteString(signature)
		if w.start > first+1 {
			b.WriteString(elided + "\n")
		}
	}
	for _, line := range lines[w.start:w.end] {
		b.WriteString(line + "\n")
	}
	if w.end <= first {
		if w.end < first {
			b.WriteString(elided + "\n")
		}
		b.WriteString(signature)
	}
	return b.String() + fence + "\n"
}

// declares is the line that names what the quote is of, below its comment.
func (q quote) declares(lines []string) int {
	name := q.doc.SymbolName
	for i, line := range lines {
		if name != "" && strings.Contains(line, name) && !isComment(line) {
			return i
		}
	}
	if name == "" { // not the line above a title
		return max(slices.IndexFunc(lines, wordOf().MatchString), 0)
	}
	return 0
}

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return slices.ContainsFunc([]string{"//", "#", "*", "/*", "--", `"""`, ";"},
		func(mark string) bool { return strings.HasPrefix(line, mark) })
}

// fence is longer than any run of backticks in text.
func fence(text string) string { return fenceOf(text, "```") }

// fenceOf is fence, with so many backticks at least.
func fenceOf(text, least string) string {
	f := least
	for strings.Contains(text, f) {
		f += "`"
	}
	return f
}
