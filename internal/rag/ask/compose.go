package ask

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	label        = "Extractive answer, without a language model: "
	maxSummaries = 2
	maxOutro     = 100
	maxIntro     = 3   // the first sentences may have a third of the room
	leastQuote   = 100 // bytes of a quote, with its fence, below which its place is left out
	maxNearest   = 3   // files that are told of when nothing fits
)

// A composition is what an answer is written from.
type composition struct {
	quotes    []quote
	summaries []models.SearchResult
	verdict   verdict
	none      string   // why nothing was found by what was searched
	absent    []string // words of the question that nothing has
	left      int      // files, or neighbours, that are not quoted
	room      int      // bytes
	weights   map[string]float64
	uses      string // who uses the first
	folders   string // of the project, if it is asked about
	says      string // what the first quote says that the project is
	both      string // what the first two are, if it is asked how they differ
	told      string // how it begins when the quotes are neighbours of something
	also      int    // the quotes told before others that say so too; 0 if there is no such difference
	brief     int    // what the first sentences leave out: 1, who uses the first; 2, its doc line too
}

// text is the answer in Markdown: what was found where, then the quotes, each
// with its mark, and what was left out.
func (c *composition) text() string {
	switch {
	case c.verdict.unclear:
		return label + "nothing that was searched has a word of this question, which seems not to be in English. " +
			"Ask in English, or with names from the code." + c.nearest()
	case c.verdict.out:
		other := ""
		if c.verdict.other != "" {
			other = " It seems rather to be about " + string(c.verdict.other) + "."
		}
		missing := c.missing()
		if missing != "" {
			missing += ", and "
		}
		return label + missing + "nothing that was searched seems to fit this question." + other + c.nearest()
	case c.none != "":
		return label + "nothing was found: " + Inert(c.none) + ".\n"
	case len(c.quotes) == 0 && c.left == 0:
		return label + "nothing was searched; the gaps say why.\n"
	case len(c.quotes) == 0:
		return label + "files were found, but none could be quoted; the gaps say why.\n"
	}
	several := slices.ContainsFunc(c.quotes, func(q quote) bool { return q.doc.RepoID != c.quotes[0].doc.RepoID })
	heads := make([]string, len(c.quotes))
	need := 0
	for i, q := range c.quotes {
		heads[i] = "\n" + q.head(i+1, several) + "\n"
		need += len(heads[i]) + leastQuote
	}
	for c.brief < 2 && len(label)+len(c.found()) > c.room/maxIntro { // lines say more
		c.brief++
	}
	intro := label + c.found() + "\n" + c.folders
	for need > max(c.room-len(intro)-maxOutro, 0) && len(c.quotes) > 1 { // places that don't fit are left out
		last := len(c.quotes) - 1
		need -= len(heads[last]) + leastQuote
		if c.told != "" || files(c.quotes[:last]) < files(c.quotes) {
			c.left++
		}
		c.quotes = c.quotes[:last]
		intro = label + c.found() + "\n" + c.folders
	}
	outro := c.leftOut()
	room := c.room - len(intro) - len(outro) - need // beyond the least
	var b strings.Builder
	b.WriteString(intro)
	for i, q := range c.quotes {
		body := q.body(c.weights, leastQuote+share(room, i, len(c.quotes)))
		room -= len(body) - leastQuote
		b.WriteString(heads[i] + body)
	}
	return b.String() + outro
}

// nearest tells of the places that are the least unlike the question.
func (c *composition) nearest() string {
	if len(c.quotes) == 0 {
		return "\n"
	}
	var b strings.Builder
	b.WriteString(" The nearest places, which are little like it:\n")
	for i, q := range c.quotes {
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
func (c *composition) found() string {
	var b strings.Builder
	for i, s := range c.summaries {
		if i == 0 && c.says != "" {
			fmt.Fprintf(&b, "%s: %s [1].\n", s.RepoID, strings.TrimRight(Inert(cutRunes(c.says, 300)), ".:"))
			continue
		}
		fmt.Fprintf(&b, "%s.\n", strings.TrimSuffix(Inert(cutRunes(gist(s.Content), 200)), "."))
	}
	if c.told != "" {
		return c.told + c.list() + "."
	}
	if c.both != "" && len(c.quotes) > 1 {
		b.WriteString(c.both)
		if n := len(c.quotes); n > 2 {
			fmt.Fprintf(&b, " Beside them, %d more places.", n-2)
		}
		return b.String()
	}
	q, fits := c.quotes[0], "fits best"
	if missing := c.missing(); missing != "" {
		b.WriteString(missing + ". ")
		fits = "fits the rest best"
	}
	fmt.Fprintf(&b, "%s in %s %s %s [1]", q.name(), q.doc.RepoID, Code(q.doc.FilePath), fits)
	if doc := q.docLine(); doc != "" && c.brief < 2 {
		fmt.Fprintf(&b, ": “%s”", doc)
	}
	b.WriteString(".")
	if c.brief < 1 {
		b.WriteString(c.uses)
	}
	if n := len(c.quotes); n > 1 {
		next := c.quotes[1]
		where := ""
		if next.doc.RepoID != q.doc.RepoID {
			where = string(next.doc.RepoID) + " "
		}
		fmt.Fprintf(&b, " Then %s in %s%s [2]", next.name(), where, Code(next.doc.FilePath))
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

// folders are those that the summary of a project lists, for who asks about the whole.
func folders(summaries []models.SearchResult) string {
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
		fmt.Fprintf(&b, "- %s: %s\n", Code(cutRunes(name, maxFolder)), Inert(cutRunes(says, maxFolder)))
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
func (c *composition) list() string {
	var named []string
	for i, q := range c.quotes[:min(maxListed, len(c.quotes))] {
		named = append(named, fmt.Sprintf("%s [%d]", q.name(), i+1))
	}
	text := strings.Join(named, ", ")
	if c.also > 0 && c.also < len(named) {
		text = strings.Join(named[:c.also], ", ") + "; see also " + strings.Join(named[c.also:], ", ")
	}
	if more := len(c.quotes) + max(c.left, 0) - len(named); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (c *composition) leftOut() string {
	if c.left <= 0 {
		return ""
	}
	if c.told != "" {
		return fmt.Sprintf("\n%d more were left out; where_used lists them.\n", c.left)
	}
	return fmt.Sprintf("\n%d more files are like the question and were left out; a search lists them.\n", c.left)
}

func (c *composition) citations() []models.Citation {
	cs := make([]models.Citation, len(c.quotes))
	for i, q := range c.quotes {
		cs[i] = models.Citation{
			N: i + 1, RepoID: q.doc.RepoID, FilePath: q.doc.FilePath, StartLine: q.start, EndLine: q.end,
			Verified: true,
		}
	}
	return cs
}
