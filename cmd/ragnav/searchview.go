package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// maxContent is how many lines of a result's content are shown.
const maxContent = 4

// viewSearch prints numbered results, best first:
//
//  1. golang/go net/http/server.go:2600-2650  ServeMux (symbol)  0.93
func viewSearch(s *screen, resp search.Response) {
	for i, item := range resp.Items {
		if i > 0 {
			s.printf("\n")
		}
		s.printf("%s\n", resultHead(s, i+1, item))
		lines := contentLines(item.Content)
		for _, line := range lines[:min(len(lines), maxContent)] {
			s.printf("   %s\n", s.cut(line, 3))
		}
		if more := len(lines) - maxContent; more > 0 {
			s.printf("   %s\n", s.styled(dim, fmt.Sprintf("… %s more", counted(more, "line"))))
		}
		for _, name := range slices.Sorted(maps.Keys(item.Explain)) {
			s.printf("   %-16s %8.4f\n", name, item.Explain[name])
		}
	}
}

func resultHead(s *screen, n int, item models.SearchResult) string {
	head := fmt.Sprintf("%d. %s", n, item.RepoID)
	if item.FilePath != nil {
		head += " " + s.styled(bold, s.safe(*item.FilePath)+lineRange(item.StartLine, item.EndLine))
	}
	if item.SymbolName != nil {
		head += "  " + s.styled(green, s.safe(*item.SymbolName))
	}
	head += fmt.Sprintf(" (%s)  %.3f", levelOf(item.DocType), item.Score)
	if item.Weak {
		head += "  weak"
	}
	if item.Freshness == models.Stale {
		head += "  stale"
	}
	return head
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

// contentLines are the lines of content that say something.
func contentLines(content string) []string {
	var lines []string
	for line := range strings.Lines(content) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
