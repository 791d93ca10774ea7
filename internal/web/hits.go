package web

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/web/address"
	"github.com/ragnav/ragnav/internal/web/markup"

	"github.com/ragnav/ragnav/internal/highlight"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Group is the results in one file, best first, at the place of the best.
type Group struct {
	RepoID   models.RepoID
	Path     string // "" of a repository
	URL      string
	Language string
	Hits     []Hit
}

// A Hit is one result.
type Hit struct {
	Name            string // of a symbol or heading
	Kind, Container string // that a symbol is, and is in
	URL             string
	Uses            string // address with what uses it, of a symbol
	Used            string // how often it is
	Start           int    // lines; 0 for none
	End             int
	Text            string // in place of lines
	Lines           []Line
	Weak            bool
	Freshness       models.Freshness // when it is not that of the reply
	Score           float64
	Parts           []Part
}

// A Line is one line of a file.
type Line struct {
	N    int
	URL  string
	HTML template.HTML
	More int  // bytes of the line that are not shown
	Gap  bool // there are lines between this and the one before
}

// A Part is what one reason adds to a score.
type Part struct {
	Name  string
	Value float64
	From  float64 // where it begins and how long it is, of a bar of 100
	Share float64
}

// groups gathers results by file.
func groups(items []models.SearchResult) []Group {
	var groups []Group
	at := map[string]int{}
	for _, item := range items {
		key := string(item.RepoID) + "\n" + deref(item.FilePath)
		g, ok := at[key]
		if !ok {
			g = len(groups)
			at[key] = g
			groups = append(groups, newGroup(item))
		}
		groups[g].Hits = append(groups[g].Hits, newHit(item))
	}
	return groups
}

func newGroup(item models.SearchResult) Group {
	g := Group{RepoID: item.RepoID, Path: deref(item.FilePath), Language: item.Language}
	switch item.DocType {
	case models.TypeRepo:
		g.URL = address.Repo(item.RepoID)
	case models.TypeModule:
		if g.URL = address.Repo(item.RepoID); g.Path != "." {
			g.URL = address.File(item.RepoID, g.Path+"/")
		}
	case models.TypeSymbol, models.TypeFile, models.TypeDocument:
		g.URL = address.File(item.RepoID, g.Path)
		if best := bestLine(item.Lines); best > 0 && item.DocType == models.TypeFile {
			g.URL = address.Lines(item.RepoID, g.Path, best, best)
		}
	}
	return g
}

func newHit(item models.SearchResult) Hit {
	h := Hit{
		Kind: item.Kind, Container: cmp.Or(item.Container,
			strings.Join(item.HeadingPath[:max(0, len(item.HeadingPath)-1)], " › ")), Lines: matched(item),
		Name: deref(item.SymbolName), Start: deref(item.StartLine), End: deref(item.EndLine),
		Used: used(item), Weak: item.Weak, Freshness: item.Freshness, Score: item.Score, Parts: parts(item.Explain),
	}
	if item.FilePath != nil && h.Start > 0 {
		h.URL = address.Lines(item.RepoID, *item.FilePath, h.Start, h.End)
	}
	if item.DocType == models.TypeSymbol && h.Start > 0 && h.Kind != "chunk" {
		h.Uses = address.Uses(item.RepoID, *item.FilePath, h.Name, h.Start)
	}
	if item.DocType == models.TypeFile {
		h.Start, h.End = 0, 0 // its lines are there, and its name is above
	}
	if len(h.Lines) == 0 {
		h.Text = beginning(item.Content)
	}
	return h
}

// used is how often a symbol is used: "uses" where that is not known.
func used(item models.SearchResult) string {
	switch {
	case item.Uses == nil:
		return "uses"
	case *item.Uses == 1:
		return "1 use"
	case deref(item.Tests) == 0:
		return fmt.Sprintf("%d uses", *item.Uses)
	}
	return fmt.Sprintf("%d uses, %d in tests", *item.Uses, *item.Tests)
}

// bestLine is the number of the line with most matches, 0 if there is none.
func bestLine(lines []models.MatchLine) (n int) {
	most := 0
	for _, l := range lines {
		if len(l.Matches) > most {
			n, most = l.Line, len(l.Matches)
		}
	}
	return n
}

// matched shows the lines of a result, each in the colours that it has alone.
func matched(item models.SearchResult) []Line {
	var lines []Line
	for i, m := range item.Lines {
		line := Line{N: m.Line, URL: address.Lines(item.RepoID, *item.FilePath, m.Line, m.Line), Gap: i > 0 &&
			item.Lines[i-1].Line < m.Line-1}
		if colours := highlight.Lines(*item.FilePath, item.Language, m.Text); len(colours) == 1 {
			line.HTML = markup.Line(colours[0], markup.Places(m))
		}
		lines = append(lines, line)
	}
	return lines
}

// parts are the reasons of a score, largest first, as parts of a bar.
func parts(explain map[string]float64) []Part {
	var all []Part
	sum := 0.0
	for name, value := range explain {
		if name != "penalty" {
			sum += max(value, 0)
		}
		all = append(all, Part{Name: strings.ReplaceAll(name, "_", " "), Value: value})
	}
	slices.SortFunc(all, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), strings.Compare(a.Name, b.Name))
	})
	from := 0.0
	for i := range all {
		if p := &all[i]; p.Name != "penalty" && p.Value > 0 && sum > 0 {
			p.From, p.Share = from, 100*p.Value/sum
			from += p.Share
		}
	}
	return all
}

// beginning is the first lines of a summary.
func beginning(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); strings.TrimSpace(line) != "" {
			kept = append(kept, firstRunes(line, 300))
		}
		if len(kept) == 5 {
			break
		}
	}
	return strings.Join(kept, "\n")
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
