// Package views prints replies for people, one view a kind of reply.
package views

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	textview "github.com/ragnav/ragnav/internal/view"
)

// How many lines of a result's content are shown: fewer beside lines of its own.
const (
	maxContent  = 4
	besideLines = 2
)

// Search prints numbered results, best first:
//
//  1. golang/go net/http/server.go:2600-2650  ServeMux (symbol)  0.93
func Search(s *term.Screen, resp search.Response) {
	for i, item := range resp.Items {
		if i > 0 {
			s.Printf("\n")
		}
		head(s, i+1, item)
		viewContent(s, item)
		for _, name := range slices.Sorted(maps.Keys(item.Explain)) {
			s.Printf("   %-16s %8.4f\n", name, item.Explain[name])
		}
	}
}

// viewContent prints the beginning of a result's content, then the lines that match.
func viewContent(s *term.Screen, item models.SearchResult) {
	lines, most := textview.ContentLines(item), maxContent
	if len(item.Lines) > 0 {
		most = besideLines
	}
	shown := map[string]bool{}
	for _, line := range lines[:min(len(lines), most)] {
		s.Printf("   %s\n", s.Cut(line, 3))
		shown[textview.Bare(line)] = true
	}
	if more := len(lines) - most; more > 0 && len(item.Lines) == 0 {
		s.Printf("   %s\n", s.Styled(term.Dim, fmt.Sprintf("… %s more", term.Counted(more, "line"))))
	}
	for _, line := range item.Lines {
		if shown[textview.Bare(line.Text)] {
			continue
		}
		number := fmt.Sprintf("%5d  ", line.Line)
		s.Printf("   %s%s\n", s.Styled(term.Dim, number), s.Marked(line.Text, line.Matches, 3+len(number)))
	}
}

// head prints where a result is, and behind or below it what it is. The score is
// left out where that would take a row of its own.
func head(s *term.Screen, n int, item models.SearchResult) {
	place := fmt.Sprintf("%d. %s", n, item.RepoID)
	if item.FilePath != nil {
		place += " " + s.Styled(term.Bold, s.Safe(*item.FilePath)+lineRange(item.StartLine, item.EndLine))
	}
	what := fmt.Sprintf(" (%s)", kindOf(s, item))
	if item.SymbolName != nil {
		what = "  " + s.Styled(term.Green, s.Safe(*item.SymbolName)) + what
	}
	tail := ""
	if item.Uses != nil {
		tail += "  " + term.Counted(*item.Uses, "use")
	}
	if item.Weak {
		tail += "  weak"
	}
	if item.Freshness == models.Stale {
		tail += "  stale"
	}
	score := fmt.Sprintf("  %.3f", item.Score)
	if s.Fits(place+what+tail) && !s.Fits(place+what+score+tail) {
		score = ""
	}
	s.Pair(place, what+score+tail, len("1. "))
}

// kindOf is what a result is: "method of Client", "file"; of a section, its headings.
func kindOf(s *term.Screen, item models.SearchResult) string {
	switch {
	case len(item.HeadingPath) > 0:
		return s.Safe(strings.Join(item.HeadingPath, " > "))
	case item.Kind != "" && item.Container != "":
		return s.Safe(item.Kind + " of " + item.Container)
	case item.Kind != "":
		return s.Safe(item.Kind)
	}
	return string(levelOf(item.DocType))
}

func lineRange(start, end *int) string {
	switch {
	case start == nil || *start == 0:
		return ""
	case end == nil || *end <= *start:
		return fmt.Sprintf(":%d", *start)
	}
	return fmt.Sprintf(":%d-%d", *start, *end)
}

func levelOf(t models.DocType) models.Level {
	for _, l := range models.Levels() {
		if l.DocType() == t {
			return l
		}
	}
	return models.Level(t)
}
