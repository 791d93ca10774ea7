package ask

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const quoteLines = 30

// A quote is a run of lines of a document.
type quote struct {
	doc        models.Document
	start, end int // line numbers in the file
	text       string
}

// newQuote takes the whole span, or of a long one the window of quoteLines
// lines that holds the most different words of the question.
func newQuote(question string, d models.Document, text string) quote {
	lines := strings.Split(text, "\n")
	if len(lines) <= quoteLines {
		return quote{d, d.StartLine, d.EndLine, text}
	}
	from := bestWindow(question, lines)
	window := lines[from : from+quoteLines]
	return quote{d, d.StartLine + from, d.StartLine + from + quoteLines - 1, strings.Join(window, "\n")}
}

// bestWindow is the start of the window with the most question words; the first
// of equals, so a span without any is quoted from its head.
func bestWindow(question string, lines []string) int {
	want := map[string]bool{}
	for _, t := range fts.Analyze(question) {
		want[t] = true
	}
	inWindow := map[string]int{}
	best, bestCount := 0, -1
	for i, line := range lines {
		count(inWindow, want, line, 1)
		if i >= quoteLines {
			count(inWindow, want, lines[i-quoteLines], -1)
		}
		if from := i - quoteLines + 1; from >= 0 && len(inWindow) > bestCount {
			best, bestCount = from, len(inWindow)
		}
	}
	return best
}

func count(seen map[string]int, want map[string]bool, line string, by int) {
	for _, t := range fts.Analyze(line) {
		if !want[t] {
			continue
		}
		if seen[t] += by; seen[t] == 0 {
			delete(seen, t)
		}
	}
}

const label = "Extractive answer (no language model is configured): "

// minShared is the share of the question's words that a span must have to count
// as speaking of it. Below that, nearness of meaning alone is a guess.
const minShared = 1.0 / 3

// speaksOf reports whether the quote, its names or its path have enough of the
// question's words.
func (q quote) speaksOf(question string) bool {
	have := map[string]bool{}
	for _, t := range fts.Analyze(strings.Join([]string{q.text, q.doc.QualifiedName, q.doc.Heading, q.doc.Content, q.doc.FilePath}, "\n")) {
		have[t] = true
	}
	want, shared := map[string]bool{}, 0
	for _, t := range fts.Analyze(question) {
		if !want[t] && have[t] {
			shared++
		}
		want[t] = true
	}
	return shared > 0 && float64(shared) >= minShared*float64(len(want))
}

// compose writes the answer in Markdown, one marked quote after another; gaps
// is how many spans there were that could not be quoted.
func compose(quotes []quote, gaps int) string {
	switch {
	case len(quotes)+gaps == 0:
		return label + "nothing in the index fits this question."
	case len(quotes) == 0:
		return label + "spans were found, but none could be quoted; the gaps say why."
	}
	var b strings.Builder
	b.WriteString(label + "the spans that fit the question best, quoted as they are.\n")
	for i, q := range quotes {
		name := q.doc.QualifiedName
		if name == "" {
			name = q.doc.Heading
		}
		fmt.Fprintf(&b, "\n**%s** in %s `%s:%d-%d` [%d]\n\n", name, q.doc.RepoID, q.doc.FilePath, q.start, q.end, i+1)
		fence := fence(q.text)
		fmt.Fprintf(&b, "%s%s\n%s\n%s\n", fence, strings.ToLower(strings.ReplaceAll(q.doc.Language, " ", "-")), q.text, fence)
	}
	return b.String()
}

// fence is longer than any run of backticks in text.
func fence(text string) string {
	f := "```"
	for strings.Contains(text, f) {
		f += "`"
	}
	return f
}

func citations(quotes []quote) []models.Citation {
	cs := make([]models.Citation, len(quotes))
	for i, q := range quotes {
		cs[i] = models.Citation{
			N: i + 1, RepoID: q.doc.RepoID, FilePath: q.doc.FilePath, StartLine: q.start, EndLine: q.end, Verified: true,
		}
	}
	return cs
}
