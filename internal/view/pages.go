package view

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/ask/inert"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/plan"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/retrieve"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

// pageOf is the view of a reply. A reply without one is its head alone.
func pageOf(env models.Envelope) page {
	switch r := env.(type) {
	case *repos.Response:
		return reposPage(r)
	case *structure.Response:
		return structurePage(r)
	case *search.Response:
		return searchPage(r)
	case *filefetch.Response:
		return filePage(r)
	case *outline.Response:
		return outlinePage(r)
	case *ask.Response:
		return answerPage(r)
	case *plan.Response:
		return planPage(r)
	case *retrieve.Response:
		return contextPage(r)
	case *nav.SearchResponse:
		return linesPage(r)
	case *nav.WhereUsedResponse:
		return usesPage(r)
	case *nav.LineageResponse:
		return lineagePage(r)
	case *nav.ImplementationsResponse:
		return kinPage(r)
	case *nav.MapResponse:
		return mapPage(r)
	case *nav.ImpactResponse:
		return impactPage(r)
	case *nav.DefinitionResponse:
		return definitionPage(r)
	case *nav.StatusResponse:
		return statusPage(r)
	case *nav.BuildResponse:
		return buildPage(r)
	}
	return page{}
}

func reposPage(r *repos.Response) page {
	p := page{counts: counted(len(r.Items), &r.Meta, "indexed repo")}
	for _, item := range r.Items {
		indexed := "never indexed"
		if item.FileCount > 0 {
			indexed = "indexed in part"
		}
		if at := value(item.LastIndexedAt); at != "" {
			indexed = "indexed " + at
		}
		if c := value(item.LastIndexedCommit); c != "" {
			indexed += " at " + c[:min(len(c), 10)]
		}
		languages := strings.Join(item.Languages[:min(3, len(item.Languages))], ", ")
		p.parts = append(p.parts, fmt.Sprintf("%s · %s · %s, %s · %s · %s\n", item.RepoID, cmp.Or(languages, "-"),
			models.Counted(item.FileCount, "file"),
			models.Counted(item.DocCount, "document"), item.FreshnessState, indexed))
	}
	return p
}

func structurePage(r *structure.Response) page {
	var p page
	for _, item := range r.Items {
		p.counts = fmt.Sprintf("%s %s · %s, %s", item.RepoID, cmp.Or(item.Path, "/"),
			models.Counted(len(item.Directories), "folder"),
			models.Counted(len(item.Files), "file"))
		if r.Meta.Total != nil {
			p.counts += fmt.Sprintf(" of %d in all", *r.Meta.Total)
		}
		if s := strings.TrimSpace(value(item.Summary)); s != "" {
			p.intro += s + "\n"
		}
		for _, dir := range item.Directories {
			p.parts = append(p.parts, dir+"\n")
		}
		for _, f := range item.Files {
			p.parts = append(p.parts, f.Path+"  "+aboutFile(f, item.Commit != "")+"\n")
		}
		for _, kind := range slices.Sorted(maps.Keys(item.KeyFiles)) {
			p.outro += fmt.Sprintf("%s: %s\n", kind, item.KeyFiles[kind])
		}
	}
	return p
}

// aboutFile is the language of a file and its lines, where they are known. Nothing of
// a commit is indexed.
func aboutFile(f models.FileInfo, ofCommit bool) string {
	var about []string
	if f.Language != "" {
		about = append(about, f.Language)
	}
	if f.Language != "" || f.LineCount > 0 {
		about = append(about, models.Counted(f.LineCount, "line"))
	}
	if !f.HasSummary && !ofCommit {
		about = append(about, "not indexed")
	}
	return strings.Join(about, ", ")
}

// How many lines of a hit's content are shown: fewer beside lines of its own.
const (
	contentLines = 8
	besideLines  = 4
)

func searchPage(r *search.Response) page {
	p := page{counts: fmt.Sprintf("%s at level %s", counted(len(r.Items), &r.Meta, "hit"), r.Level)}
	only := onlyRepository(r.Items)
	if only != "" {
		p.counts += " in " + string(only)
	}
	named := slices.ContainsFunc(r.Items, func(hit models.SearchResult) bool { return isNamed(hit, r.Query) })
	weak := !slices.ContainsFunc(r.Items, func(hit models.SearchResult) bool { return !hit.Weak })
	for i, hit := range r.Items {
		var b strings.Builder
		fmt.Fprintf(&b, "%d.", i+1)
		if only == "" {
			fmt.Fprintf(&b, " %s", hit.RepoID)
		}
		if hit.FilePath != nil {
			fmt.Fprintf(&b, " %s%s", *hit.FilePath, lines(value(hit.StartLine), value(hit.EndLine)))
		}
		b.WriteString(symbolOf(hit))
		b.WriteString(usesOf(hit))
		if hit.Freshness == models.Stale {
			b.WriteString(" (changed since)")
		}
		if hit.Weak {
			b.WriteString(" (weak)")
		}
		b.WriteString("\n")
		if !named || isNamed(hit, r.Query) {
			writeContent(&b, hit, weak)
		}
		for _, name := range slices.Sorted(maps.Keys(hit.Explain)) {
			fmt.Fprintf(&b, "   %s %.4f\n", name, hit.Explain[name])
		}
		p.parts = append(p.parts, b.String())
	}
	return p
}

// onlyRepository is the one that all hits are in; "" where they are of several, or
// are repositories.
func onlyRepository(hits []models.SearchResult) models.RepoID {
	for _, hit := range hits {
		if hit.FilePath == nil || hit.RepoID != hits[0].RepoID {
			return ""
		}
	}
	if len(hits) == 0 {
		return ""
	}
	return hits[0].RepoID
}

// isNamed reports whether a query is the name of a hit's symbol. Beside such
// hits others are shown by their places only.
func isNamed(hit models.SearchResult, query string) bool {
	name := value(hit.SymbolName)
	return name != "" && (query == name || strings.HasSuffix(query, "."+name) || strings.HasSuffix(query, "::"+name))
}

// usesOf is how often a symbol is used, where that is known.
func usesOf(hit models.SearchResult) string {
	switch {
	case hit.Uses == nil:
		return ""
	case value(hit.Tests) == 0:
		return fmt.Sprintf(", %s", models.Counted(*hit.Uses, "use"))
	}
	return fmt.Sprintf(", %s, %d in tests", models.Counted(*hit.Uses, "use"), *hit.Tests)
}

// symbolOf is what a symbol is and where, or the headings above a section.
func symbolOf(hit models.SearchResult) string {
	name := value(hit.SymbolName)
	switch {
	case len(hit.HeadingPath) > 0:
		return " " + clip(strings.Join(hit.HeadingPath, " > "), 120)
	case name == "" || hit.Kind == "":
		return strings.TrimRight(" "+name, " ")
	case hit.Container != "":
		return fmt.Sprintf(" %s (%s of %s)", name, hit.Kind, hit.Container)
	}
	return fmt.Sprintf(" %s (%s)", name, hit.Kind)
}

// writeContent writes the beginning of a hit's content, then the lines that match. Of
// a reply in which all is weak a line must do: it says that nothing fits.
func writeContent(b *strings.Builder, hit models.SearchResult, weak bool) {
	most, width := contentLines, 300
	if weak {
		most, width = 1, 120
	} else if len(hit.Lines) > 0 {
		most = besideLines
		if hit.DocType == models.TypeFile { // of which the lines say more
			most, width = 2, 120
		}
	}
	shown, indent, first := map[string]bool{}, "", ""
	for _, line := range ContentLines(hit) {
		if len(shown) == 0 {
			first = unspaced(line)
			indent = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		}
		line = strings.TrimPrefix(line, indent)
		if len(shown) == most {
			b.WriteString("   …\n")
			break
		}
		shown[Bare(line)] = true
		b.WriteString("   " + clip(line, width) + "\n")
	}
	for _, line := range hit.Lines {
		if !shown[Bare(line.Text)] && !strings.HasPrefix(first, unspaced(line.Text)) { // as a part of a signature
			fmt.Fprintf(b, "   %d: %s\n", line.Line, strings.TrimSpace(line.Text))
		}
	}
}

// ContentLines are the lines of a hit's content that say something that its head
// doesn't: of a file without its path, and beside lines that match without the
// list of what it declares; a signature that is written over several lines once.
func ContentLines(hit models.SearchResult) []string {
	var lines []string
	for line := range strings.Lines(hit.Content) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "" || line == "<p>":
			continue
		case hit.DocType != models.TypeFile:
		case len(lines) == 0 && strings.HasPrefix(line, value(hit.FilePath)):
			continue
		case line == "Declares:" && len(hit.Lines) > 0:
			return lines
		case line == "Declares:":
			continue
		}
		lines = append(lines, line)
	}
	if len(lines) > 1 {
		n := written(lines[0], lines[1:])
		return slices.Delete(lines, 1, 1+n)
	}
	return lines
}

// written is how many of the lines behind a signature say it once more, as it is written.
func written(signature string, lines []string) int {
	text, sought := "", unspaced(signature)
	for i, line := range lines {
		if text += unspaced(line); len(text) > len(sought)+1 {
			return 0
		}
		if strings.TrimRight(text, "{:") == strings.TrimRight(sought, "{:") {
			return i + 1
		}
	}
	return 0
}

func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }

// Bare is a line without indentation, marks of comments and the opening of a
// block, which content has lost.
func Bare(line string) string { return strings.Trim(line, "/*#;%- \t{:") }

// outlinePage puts neighbours of one kind on a line: names and lines are what
// most questions need, and a file's outline is asked for before all others.
func outlinePage(r *outline.Response) page {
	p := page{counts: fmt.Sprintf("%s, %s", counted(len(r.Items), &r.Meta, "symbol"),
		models.Counted(r.TotalLines, "line"))}
	kind, depth := "", -1
	for i, item := range r.Items {
		nested := i+1 < len(r.Items) && r.Items[i+1].Depth > item.Depth
		switch {
		case item.Kind == kind && item.Depth == depth && kind != "section":
			p.parts = append(p.parts, fmt.Sprintf(", %s %d", item.Symbol, item.Line))
		default:
			newline := "\n"
			if i == 0 {
				newline = ""
			}
			p.parts = append(p.parts,
				fmt.Sprintf("%s%s%s %s %d", newline, strings.Repeat(" ", item.Depth), kindOf(item), item.Symbol, item.Line))
		}
		if kind, depth = item.Kind, item.Depth; nested {
			kind = ""
		}
	}
	return p
}

func kindOf(item models.OutlineItem) string {
	if item.Kind == "section" {
		return "#"
	}
	return item.Kind
}

func answerPage(r *ask.Response) page {
	var p page
	for _, a := range r.Items {
		p.counts = models.Counted(len(a.Citations), "citation")
		if in := citedIn(a.Citations); in != "" {
			p.counts += " in " + string(in)
		}
		if a.OutOfScope {
			p.counts += ", out of scope"
		}
		p.parts = append(p.parts, strings.TrimRight(a.Answer, "\n")+"\n")
		for _, c := range a.Citations {
			checked := ""
			if !c.Verified {
				checked = " (NOT confirmed by the file)"
			}
			place := c.FilePath + lines(c.StartLine, c.EndLine)
			if checked == "" && strings.Contains(a.Answer, inert.Code(place)) { // an extractive answer says it above each quote
				continue
			}
			p.outro += fmt.Sprintf("[%d] %s %s%s\n", c.N, c.RepoID, place, checked)
		}
		for _, gap := range a.Gaps {
			p.outro += "gap: " + gap + "\n"
		}
	}
	return p
}

// citedIn is the one repository that all citations are of, or "".
func citedIn(all []models.Citation) models.RepoID {
	if len(all) == 0 || slices.ContainsFunc(all, func(c models.Citation) bool { return c.RepoID != all[0].RepoID }) {
		return ""
	}
	return all[0].RepoID
}
