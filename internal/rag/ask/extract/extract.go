// Package extract writes answers without a language model: what was found where, then the
// lines that fit a question best, quoted, within a number of tokens.
package extract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/ask/inert"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	label      = "Extractive answer, without a language model: "
	maxOutro   = 100
	maxIntro   = 3   // the first sentences may have a third of the room
	leastQuote = 100 // bytes of a quote, with its fence, below which its place is left out
	maxNearest = 3   // files that are told of when nothing fits
)

// A Verdict says whether a question is about what was searched.
type Verdict struct {
	Out     bool          // it is about something else
	Other   models.RepoID // outside of the filter, that it rather is about; may be empty
	Unclear bool          // it is not in English, and nothing has a word of it
}

// An Answer is what the text of one is written from.
type Answer struct {
	Quotes    []Quote
	Summaries []models.SearchResult
	Verdict   Verdict
	None      string   // why nothing was found by what was searched
	Absent    []string // words of the question that nothing has
	Left      int      // files, or neighbours, that are not quoted
	Room      int      // bytes
	Weights   map[string]float64
	Uses      string // who uses the first
	Folders   string // of the project, if it is asked about
	says      string // what the first quote says that the project is
	Both      string // what the first two are, if it is asked how they differ
	Told      string // how it begins when the quotes are neighbours of something
	Also      int    // the quotes told before others that say so too; 0 if there is no such difference
	brief     int    // what the first sentences leave out: 1, who uses the first; 2, its doc line too
}

// Text is the answer in Markdown: what was found where, then the quotes, each
// with its mark, and what was left out.
func (a *Answer) Text() string {
	switch {
	case a.Verdict.Unclear:
		return label + "nothing that was searched has a word of this question, which seems not to be in English. " +
			"Ask in English, or with names from the code." + a.nearest()
	case a.Verdict.Out:
		other := ""
		if a.Verdict.Other != "" {
			other = " It seems rather to be about " + string(a.Verdict.Other) + "."
		}
		missing := a.missing()
		if missing != "" {
			missing += ", and "
		}
		return label + missing + "nothing that was searched seems to fit this question." + other + a.nearest()
	case a.None != "":
		return label + "nothing was found: " + inert.Prose(a.None) + ".\n"
	case len(a.Quotes) == 0 && a.Left == 0:
		return label + "nothing was searched; the gaps say why.\n"
	case len(a.Quotes) == 0:
		return label + "files were found, but none could be quoted; the gaps say why.\n"
	}
	several := slices.ContainsFunc(a.Quotes, func(q Quote) bool { return q.Doc.RepoID != a.Quotes[0].Doc.RepoID })
	heads := make([]string, len(a.Quotes))
	need := 0
	for i, q := range a.Quotes {
		heads[i] = "\n" + q.head(i+1, several) + "\n"
		need += len(heads[i]) + leastQuote
	}
	for a.brief < 2 && len(label)+len(a.found()) > a.Room/maxIntro { // lines say more
		a.brief++
	}
	intro := label + a.found() + "\n" + a.Folders
	for need > max(a.Room-len(intro)-maxOutro, 0) && len(a.Quotes) > 1 { // places that don't fit are left out
		last := len(a.Quotes) - 1
		need -= len(heads[last]) + leastQuote
		if a.Told != "" || Files(a.Quotes[:last]) < Files(a.Quotes) {
			a.Left++
		}
		a.Quotes = a.Quotes[:last]
		intro = label + a.found() + "\n" + a.Folders
	}
	outro := a.leftOut()
	room := a.Room - len(intro) - len(outro) - need // beyond the least
	var b strings.Builder
	b.WriteString(intro)
	for i, q := range a.Quotes {
		body := q.body(a.Weights, leastQuote+share(room, i, len(a.Quotes)))
		room -= len(body) - leastQuote
		b.WriteString(heads[i] + body)
	}
	return b.String() + outro
}

// nearest tells of the places that are the least unlike the question.
func (a *Answer) nearest() string {
	if len(a.Quotes) == 0 {
		return "\n"
	}
	var b strings.Builder
	b.WriteString(" The nearest places, which are little like it:\n")
	for i, q := range a.Quotes {
		b.WriteString("\n- " + q.head(i+1, true))
	}
	return b.String() + "\n"
}

// share is the part of the room that quote i of n may take: the first ones more
// than the last.
func share(room, i, n int) int {
	weight := func(i int) int { return max(6-2*i, 1) }
	sum := 0
	for k := i; k < n; k++ {
		sum += weight(k)
	}
	return room * weight(i) / sum
}

// found says in one or two sentences what was found where.
func (a *Answer) found() string {
	var b strings.Builder
	for i, s := range a.Summaries {
		if i == 0 && a.says != "" {
			fmt.Fprintf(&b, "%s: %s [1].\n", s.RepoID, strings.TrimRight(inert.Prose(Cut(a.says, 300)), ".:"))
			continue
		}
		fmt.Fprintf(&b, "%s.\n", strings.TrimSuffix(inert.Prose(Cut(gist(s.Content), 200)), "."))
	}
	if a.Told != "" {
		return a.Told + a.list() + "."
	}
	if a.Both != "" && len(a.Quotes) > 1 {
		b.WriteString(a.Both)
		if n := len(a.Quotes); n > 2 {
			fmt.Fprintf(&b, " Beside them, %d more places.", n-2)
		}
		return b.String()
	}
	q, fits := a.Quotes[0], "fits best"
	if missing := a.missing(); missing != "" {
		b.WriteString(missing + ". ")
		fits = "fits the rest best"
	}
	fmt.Fprintf(&b, "%s in %s %s %s [1]", q.Name(), q.Doc.RepoID, inert.Code(q.Doc.FilePath), fits)
	if doc := q.DocLine(); doc != "" && a.brief < 2 {
		fmt.Fprintf(&b, ": “%s”", doc)
	}
	b.WriteString(".")
	if a.brief < 1 {
		b.WriteString(a.Uses)
	}
	if n := len(a.Quotes); n > 1 {
		next := a.Quotes[1]
		where := ""
		if next.Doc.RepoID != q.Doc.RepoID {
			where = string(next.Doc.RepoID) + " "
		}
		fmt.Fprintf(&b, " Then %s in %s%s [2]", next.Name(), where, inert.Code(next.Doc.FilePath))
		if n > 2 {
			fmt.Fprintf(&b, ", and %d more", n-2)
		}
		b.WriteString(".")
	}
	return b.String()
}

// How many folders of a project are listed, and how much is said of each.
const (
	maxFolders = 8
	maxFolder  = 90
)

// Folders are those that the summary of a project lists, for who asks about the whole.
func Folders(summaries []models.SearchResult) string {
	if len(summaries) != 1 {
		return ""
	}
	_, list, _ := strings.Cut(summaries[0].Content, "\nFolders:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var b strings.Builder
	for line := range strings.SplitSeq(list, "\n") {
		name, says, ok := strings.Cut(line, ": ")
		if n := strings.Count(b.String(), "\n"); !ok || n == maxFolders || strings.HasPrefix(name, ".") {
			continue
		}
		fmt.Fprintf(&b, "- %s: %s\n", inert.Code(Cut(name, maxFolder)), inert.Prose(Cut(says, maxFolder)))
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nIts folders:\n\n" + b.String()
}

// gist is the head of a summary and, where there is one, the line below it that says
// what the thing is.
func gist(summary string) string {
	head, rest, _ := strings.Cut(summary, "\n")
	says, _, _ := strings.Cut(rest, "\n")
	if says = strings.TrimSpace(says); says == "" || strings.HasSuffix(head, ".") {
		return head
	}
	return head + ": " + says
}

// maxListed is how many quotes a sentence lists.
const maxListed = 5

// list names the quotes.
func (a *Answer) list() string {
	var named []string
	for i, q := range a.Quotes[:min(maxListed, len(a.Quotes))] {
		named = append(named, fmt.Sprintf("%s [%d]", q.Name(), i+1))
	}
	text := strings.Join(named, ", ")
	if a.Also > 0 && a.Also < len(named) {
		text = strings.Join(named[:a.Also], ", ") + "; see also " + strings.Join(named[a.Also:], ", ")
	}
	if more := len(a.Quotes) + max(a.Left, 0) - len(named); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (a *Answer) leftOut() string {
	if a.Left <= 0 {
		return ""
	}
	if a.Told != "" {
		return fmt.Sprintf("\n%d more were left out; where_used lists them.\n", a.Left)
	}
	return fmt.Sprintf("\n%d more files are like the question and were left out; a search lists them.\n", a.Left)
}

// Citations are the places of the quotes, in their order.
func (a *Answer) Citations() []models.Citation {
	cs := make([]models.Citation, len(a.Quotes))
	for i, q := range a.Quotes {
		cs[i] = models.Citation{
			N: i + 1, RepoID: q.Doc.RepoID, FilePath: q.Doc.FilePath, StartLine: q.Start, EndLine: q.End,
			Verified: true,
		}
	}
	return cs
}

// missing says which words nothing has, or is "".
func (a *Answer) missing() string {
	if len(a.Absent) == 0 {
		return ""
	}
	marked := make([]string, len(a.Absent))
	for i, w := range a.Absent {
		marked[i] = "“" + inert.Prose(w) + "”"
	}
	return "nothing was found that has " + strings.Join(marked, " or ")
}
