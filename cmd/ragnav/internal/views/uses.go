package views

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// WhereUsed prints the definitions, below each its uses by file: the line, and
// how and in what it is used.
func WhereUsed(s *term.Screen, resp nav.WhereUsedResponse) {
	for i, d := range resp.Definitions {
		if i > 0 {
			s.Printf("\n")
		}
		defined(s, d)
		usesBelow(s, d.Name, of(resp.Items, d.ID))
	}
	usesBelow(s, resp.Symbol, of(resp.Items, ""))
}

// of are the items of a definition.
func of(items []models.NavItem, id string) []models.NavItem {
	return slices.DeleteFunc(slices.Clone(items), func(item models.NavItem) bool { return item.Definition != id })
}

// defined prints where and what a definition is, and how often it is used.
func defined(s *term.Screen, d models.Definition) {
	uses := ""
	if d.Uses != nil {
		uses = "  " + term.Counted(*d.Uses, "use")
	}
	if d.Tests > 0 {
		uses += ", " + term.Thousands(d.Tests) + " in tests"
	}
	s.Pair(s.Styled(term.Bold, s.Safe(d.Place())),
		fmt.Sprintf("  %s (%s)%s", s.Styled(term.Green, s.Safe(d.Qualified)), d.Kind, uses), 2)
}

func usesBelow(s *term.Screen, name string, items []models.NavItem) {
	file, last := "", ""
	for _, item := range items {
		if in := fileOf(item); in != file {
			file, last = in, ""
			test := ""
			if item.Test {
				test = s.Styled(term.Dim, "  (test)")
			}
			s.Printf("  %s%s\n", s.Safe(file), test)
		}
		note := item.Edge
		if item.Symbol != "" {
			note += " in " + item.Symbol
		}
		if len(item.Candidates) > 0 && !item.OfOverloads() {
			note += ", or of " + strings.Join(item.Candidates, ", ")
		}
		if same := fmt.Sprint(item.Line, note); same != last { // else twice on a line
			last = same
			use(s, name, item, note)
		}
	}
}

// narrow is a terminal that has no room for a line and a note beside each other.
const narrow = 64

// use prints a line that uses a name, and behind it a note, which gets at most
// half of the width; below it where a narrow terminal has no room for both.
func use(s *term.Screen, name string, item models.NavItem, note string) {
	number := fmt.Sprintf("%9s  ", fmt.Sprintf("%d:%d", item.Line, item.Column))
	if s.Width < narrow && !s.Fits(number+strings.TrimSpace(wholeLine(item))+"  "+note) {
		s.Printf("%s%s\n", s.Styled(term.Dim, number), s.Marked(wholeLine(item), marks(item, name), len(number)))
		s.Wrapped(strings.Repeat(" ", len(number))+s.Styled(term.Dim, s.Safe(note)), len(number))
		return
	}
	note = "  " + s.Cut(note, s.Width/2)
	line := s.Marked(wholeLine(item), marks(item, name), len(number)+term.Columns(note))
	s.Printf("%s%s%s\n", s.Styled(term.Dim, number), line, s.Styled(term.Dim, note))
}

// marks is where the name stands in the line of an item, in characters.
func marks(item models.NavItem, name string) [][2]int {
	line, at := wholeLine(item), item.Column-1
	if at < 0 || at > len(line) || name == "" || !strings.HasPrefix(line[at:], name) {
		return nil
	}
	from := utf8.RuneCountInString(line[:at])
	return [][2]int{{from, from + utf8.RuneCountInString(name)}}
}

// fileOf is the file of an item, behind its repository where several were asked.
func fileOf(item models.NavItem) string {
	if item.RepoID != "" {
		return string(item.RepoID) + ":" + item.FilePath
	}
	return item.FilePath
}

// Lineage prints the definitions, below each what was reached as a tree: what
// is indented stands below that by which it was reached.
func Lineage(s *term.Screen, resp nav.LineageResponse) {
	for i, d := range resp.Definitions {
		if i > 0 {
			s.Printf("\n")
		}
		defined(s, d)
		steps(s, of(resp.Items, d.ID))
	}
	steps(s, of(resp.Items, ""))
}

func steps(s *term.Screen, items []models.NavItem) {
	for _, item := range tree(items) {
		note := ""
		if item.Hub {
			note = "  (many more behind it)"
		}
		if item.Test {
			note += s.Styled(term.Dim, "  (test)")
		}
		indent := 2 * item.Depth
		s.Pair(strings.Repeat(" ", indent)+s.Styled(term.Green, s.Safe(item.Symbol)),
			fmt.Sprintf("  %s  %s%s", s.Styled(term.Dim, item.Edge), Place(s, item), note), indent+4)
	}
}

// tree has each item behind that by which it was reached, else in the order they
// have.
func tree(items []models.NavItem) []models.NavItem {
	rank := map[string]int{}
	for i, item := range items {
		if n := len(item.Path); n > 0 {
			rank[item.Path[n-1]] = i
		}
	}
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(a, b models.NavItem) int {
		return slices.CompareFunc(a.Path, b.Path, func(x, y string) int { return rank[x] - rank[y] })
	})
	return sorted
}

// wholeLine is the line of an item, out of its snippet.
func wholeLine(item models.NavItem) string {
	lines := strings.Split(item.Snippet.Text, "\n")
	if i := item.Line - item.Snippet.Location.StartLine; i >= 0 && i < len(lines) {
		return lines[i]
	}
	return ""
}
