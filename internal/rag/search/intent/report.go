package intent

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A report is a text that was written for people, as issues are and what is said of
// commits: a title, which says it in one line, and more behind it.
type report struct {
	title string
	prose string // of what is behind it, all but code, headings of a form and addresses
}

// fewestReported are the words of a report. Shorter texts with several lines have few that
// are beside the point.
const fewestReported = 60

var (
	toldToFix = pattern.NewLazy(`(?i)^\W*(?:please\s+)?(?:fix|solve|resolve|address|implement)\s+` +
		`(?:(?:this|the|following|github)\s+)+(?:issue|bug|problem|ticket)(?:\s+report)?\b[\s:.*_-]*`)
	heading   = pattern.NewLazy(`^\s*(?:#{1,6}\s|\*\*[^*]+\*\*\W*$|(?:[-*]\s+)?\[[ xX]{0,2}\])`)
	addresses = pattern.NewLazy(`\bhttps?://\S+`)
	reported  = pattern.NewLazy(`[\p{L}\p{M}\p{N}_]+`)
)

// reportOf takes a text apart that is a report: with a title in words, not code.
func reportOf(text string) (r report, ok bool) {
	if !strings.Contains(text, "\n") {
		return r, false
	}
	text = strings.TrimSpace(toldToFix().ReplaceAllString(text, ""))
	title, body, _ := strings.Cut(text, "\n")
	title = strings.TrimSpace(title)
	if len(strings.Fields(text)) < fewestReported {
		return r, false
	}
	r = report{title, prose(body)}
	goesOn := strings.ContainsAny(title[max(0, len(title)-1):], "{(;,") // as code does
	return r, !goesOn && PlainWords(r.title) > 1 && r.prose != ""
}

// prose is what is left of Markdown without its code, headings, boxes to tick and addresses:
// these are of the form that was filled in, or of the code of who reports.
func prose(text string) string {
	var left strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fenced = !fenced
		case fenced, strings.HasPrefix(line, "    "), strings.HasPrefix(line, "\t"), heading().MatchString(line):
		default:
			left.WriteString(line)
		}
	}
	return strings.TrimSpace(addresses().ReplaceAllString(left.String(), " "))
}

// gist are the words that a report is to be found by: its title twice, as it says the most
// of it, and other words once. What is repeated below it is often a log.
func (r report) gist() string {
	words := []string{r.title, r.title}
	seen := map[string]bool{}
	for _, word := range reported().FindAllString(r.prose, -1) {
		if low := strings.ToLower(word); !seen[low] {
			seen[low] = true
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
