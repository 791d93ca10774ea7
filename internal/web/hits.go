package web

import (
	"cmp"
	"context"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	excerptLines = 4   // of a result
	searchedFor  = 250 // lines of a result among which they are chosen
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
	Name      string // of a symbol or heading
	URL       string
	Start     int // lines; 0 for none
	End       int
	Text      string // in place of lines
	Lines     []Line
	Weak      bool
	Freshness models.Freshness // when it is not that of the reply
	Score     float64
	Parts     []Part
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
func (s *Site) groups(ctx context.Context, q Query, items []models.SearchResult) []Group {
	lines := s.excerpts(ctx, items)
	words := wordsOf(q.Text)
	var groups []Group
	at := map[string]int{}
	for i, item := range items {
		key := string(item.RepoID) + "\n" + deref(item.FilePath)
		g, ok := at[key]
		if !ok {
			g = len(groups)
			at[key] = g
			groups = append(groups, newGroup(item))
		}
		groups[g].Hits = append(groups[g].Hits, newHit(item, lines[i], words))
	}
	return groups
}

func newGroup(item models.SearchResult) Group {
	g := Group{RepoID: item.RepoID, Path: deref(item.FilePath), Language: item.Language}
	switch item.DocType {
	case models.TypeRepo:
		g.URL = repoURL(item.RepoID)
	case models.TypeModule:
		g.URL = fileURL(item.RepoID, strings.Trim(g.Path, "./"))
	case models.TypeSymbol, models.TypeFile, models.TypeDocument:
		g.URL = fileURL(item.RepoID, g.Path)
	}
	return g
}

func newHit(item models.SearchResult, code string, words []string) Hit {
	h := Hit{
		Name: deref(item.SymbolName), Start: deref(item.StartLine), End: deref(item.EndLine),
		Weak: item.Weak, Freshness: item.Freshness, Score: item.Score, Parts: parts(item.Explain),
	}
	if item.FilePath != nil && h.Start > 0 {
		h.URL = linesURL(item.RepoID, *item.FilePath, h.Start, h.End)
		if item.DocType == models.TypeFile {
			h.URL = fileURL(item.RepoID, *item.FilePath)
		}
	}
	if code == "" || item.DocType == models.TypeDocument {
		h.Text = beginning(item.Content)
		return h
	}
	h.Lines = excerpt(item, strings.Split(strings.TrimSuffix(code, "\n"), "\n"), words)
	return h
}

// excerpt is the lines of a result with most of the words, in order, or its
// first ones.
func excerpt(item models.SearchResult, code, words []string) []Line {
	var chosen []int
	score := make([]int, len(code))
	for i, text := range code {
		lower := strings.ToLower(text)
		for _, w := range words {
			if strings.Contains(lower, w) {
				score[i]++
			}
		}
		if strings.TrimSpace(text) != "" {
			chosen = append(chosen, i)
		}
	}
	slices.SortStableFunc(chosen, func(a, b int) int { return score[b] - score[a] })
	chosen = chosen[:min(len(chosen), excerptLines)]
	slices.Sort(chosen)
	var lines []Line
	for n, i := range chosen {
		colours := coloured(*item.FilePath, item.Language, code[i])
		if len(colours) == 0 {
			continue
		}
		shown, more := cutLine(colours[0])
		number := *item.StartLine + i
		lines = append(lines, Line{
			number, linesURL(item.RepoID, *item.FilePath, number, number), markup(shown, words), more, n > 0 && chosen[n-1] < i-1,
		})
	}
	return lines
}

// excerpts reads the lines of results, by one operation a repository. What
// can't be read is shown by its summary.
func (s *Site) excerpts(ctx context.Context, items []models.SearchResult) []string {
	code := make([]string, len(items))
	byRepo := map[models.RepoID][]int{}
	for i, item := range items {
		if item.FilePath != nil && item.StartLine != nil && item.DocType != models.TypeDocument {
			byRepo[item.RepoID] = append(byRepo[item.RepoID], i)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(byRepo)) {
		req := filefetch.Request{RepoID: id}
		for _, i := range byRepo[id] {
			item := items[i]
			end := min(*item.EndLine, *item.StartLine+searchedFor)
			req.Spans = append(req.Spans, filefetch.Span{FilePath: *item.FilePath, StartLine: item.StartLine, EndLine: &end})
		}
		resp, err := do(ctx, s, op.File, req)
		if err != nil {
			continue
		}
		for n, i := range byRepo[id] {
			if n < len(resp.Items) {
				code[i] = resp.Items[n].Code
			}
		}
	}
	return code
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
	slices.SortFunc(all, func(a, b Part) int { return cmp.Or(cmp.Compare(b.Value, a.Value), strings.Compare(a.Name, b.Name)) })
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
