package extract

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/inert"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	// MaxWhole is how many lines a span may have to be cited whole.
	MaxWhole = 80
	// partial is how many lines of a longer one are cited.
	partial = 40
)

// A Quote is a run of lines that is cited, as it is in the file now.
type Quote struct {
	Doc        models.Document
	Start, End int // line numbers in the file
	Text       string
	Of         string // what it is a part of, if that is known
}

// NewQuote quotes a document: the whole span, or of a long one the lines that have most of the
// weighted terms.
func NewQuote(d models.Document, text string, weights map[string]float64) Quote {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	q := Quote{Doc: d, Start: d.StartLine, End: d.StartLine + len(lines) - 1, Text: strings.Join(lines, "\n")}
	if len(lines) > MaxWhole {
		from := bestWindow(weights, lines, func(from, to int) bool { return to-from <= partial })
		to := min(from.end, len(lines))
		q.Start, q.End = d.StartLine+from.start, d.StartLine+to-1
		q.Text = strings.Join(lines[from.start:to], "\n")
	}
	return q
}

// Copied reports whether another repository, such as a fork, or a file of the same
// name elsewhere, has the same text.
func (q Quote) Copied(other Quote) bool {
	return q.Text == other.Text &&
		(q.Doc.RepoID != other.Doc.RepoID || path.Base(q.Doc.FilePath) == path.Base(other.Doc.FilePath))
}

// Overlaps reports whether another quote has some of the same lines.
func (q Quote) Overlaps(other Quote) bool {
	return q.sameFile(other) && q.Start <= other.End && other.Start <= q.End
}

func (q Quote) sameFile(other Quote) bool {
	return q.Doc.RepoID == other.Doc.RepoID && q.Doc.FilePath == other.Doc.FilePath
}

// Files is how many files are quoted.
func Files(quotes []Quote) int {
	different := map[models.DocumentID]bool{}
	for _, q := range quotes {
		different[models.FileID(q.Doc.RepoID, q.Doc.FilePath)] = true
	}
	return len(different)
}

// Nearest are the first quotes of a few files. When nothing fits, another file may
// be what was meant rather than more of the first.
func Nearest(quotes []Quote) []Quote {
	var some []Quote
	for _, q := range quotes {
		if len(some) < maxNearest && !slices.ContainsFunc(some, q.sameFile) {
			some = append(some, q)
		}
	}
	return some
}

// Name is what a quote is of.
func (q Quote) Name() string {
	switch {
	case q.Doc.Heading != "":
		return "“" + inert.Prose(Cut(q.Doc.Heading, 60)) + "”"
	case q.Doc.QualifiedName != "" && q.Doc.Kind != models.KindChunk:
		return inert.Code(Cut(q.Doc.QualifiedName, 80))
	case q.Of != "":
		return "a part of " + inert.Code(Cut(q.Of, 80))
	}
	return "a part"
}

// head is the line above a quote: its mark and its place.
func (q Quote) head(n int, several bool) string {
	repo := ""
	if several {
		repo = string(q.Doc.RepoID) + " "
	}
	lines := strconv.Itoa(q.Start)
	if q.End > q.Start {
		lines += "-" + strconv.Itoa(q.End)
	}
	return fmt.Sprintf("[%d] %s%s %s", n, repo, inert.Code(q.Doc.FilePath+":"+lines), q.Name())
}

// DocLine is the first sentence of the author's own doc comment.
func (q Quote) DocLine() string {
	if q.Doc.SummarySource != models.SummaryDocstring {
		return ""
	}
	_, doc, _ := strings.Cut(q.Doc.Content, "\n\n")
	doc = inlineTag().ReplaceAllString(brief().ReplaceAllString(doc, ""), "$1")
	if at := fieldsOf().FindStringIndex(doc); at != nil {
		doc = doc[:at[0]]
	}
	doc = inert.Prose(strings.TrimPrefix(strings.Join(strings.Fields(doc), " "), ": ")) // Sphinx marks comments by "#:"
	doc = sentence(doc)
	if short := Cut(doc, 200); short != doc {
		return short + "…"
	}
	return strings.TrimRight(doc, ".")
}

// sentence is the first one of a text.
func sentence(text string) string {
	for _, at := range sentenceEnd().FindAllStringIndex(text, -1) {
		if first := text[:at[0]+1]; !shortened().MatchString(first) {
			return first
		}
	}
	return text
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
func (q Quote) body(weights map[string]float64, room int) string {
	fence := inert.Fence(q.Text, "```")
	open := fence + strings.ToLower(strings.ReplaceAll(q.Doc.Language, " ", "-")) + "\n"
	room -= len(open) + len(fence) + 1
	lines := strings.Split(q.Text, "\n")
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
func (q Quote) declares(lines []string) int {
	name := q.Doc.SymbolName
	for i, line := range lines {
		if name != "" && strings.Contains(line, name) && !IsComment(line) {
			return i
		}
	}
	if name == "" { // not the line above a title
		return max(slices.IndexFunc(lines, wordOf().MatchString), 0)
	}
	return 0
}

// IsComment reports whether a line of code begins as comments do.
func IsComment(line string) bool {
	line = strings.TrimSpace(line)
	return slices.ContainsFunc([]string{"//", "#", "*", "/*", "--", `"""`, ";"},
		func(mark string) bool { return strings.HasPrefix(line, mark) })
}

// Cut is a text of so many runes at most.
func Cut(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n])
	}
	return s
}
