package view

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func linesPage(r *nav.SearchResponse) page {
	what := "line"
	if len(r.Items) > 0 && r.Items[0].Kind == "file" {
		what = "file"
	}
	p := page{counts: counted(len(r.Items), &r.Meta, what)}
	if what == "line" && r.FileCount > 1 {
		p.counts += " in " + models.Counted(r.FileCount, "file")
	}
	if n := len(r.Repositories); n > 0 {
		p.counts += fmt.Sprintf(" (%d repositories)", n)
	}
	file := ""
	for _, item := range r.Items {
		head := ""
		if in := inRepository(item); in != file {
			file = in
			head = file + stale(item) + "\n"
		}
		if item.Kind == "file" {
			p.parts = append(p.parts, head)
			continue
		}
		p.parts = append(p.parts, fmt.Sprintf("%s %d: %s\n", head, item.Line, clip(lineOf(item), 300)))
	}
	return p
}

// inRepository is the path of an item, behind its repository where several were
// asked.
func inRepository(item models.NavItem) string {
	if item.RepoID == "" {
		return item.FilePath
	}
	return string(item.RepoID) + ": " + item.FilePath
}

// usesPage has the definitions, then the uses of each by file.
func usesPage(r *nav.WhereUsedResponse) page {
	p := page{counts: fmt.Sprintf("%s of %s", counted(len(r.Items), &r.Meta, "use"), definitions(r.Definitions))}
	named := map[string]string{}
	for _, d := range r.Definitions {
		head := fmt.Sprintf("%s %s %s", d.Place(), d.Kind, d.Qualified)
		if d.Uses != nil {
			head += " (" + models.Counted(*d.Uses, "use")
			if d.Tests > 0 {
				head += fmt.Sprintf(", %d in tests", d.Tests)
			}
			head += ")"
		}
		if d.Signature != "" {
			head += "\n  " + d.Signature
		}
		if named[d.ID] = head; len(r.Definitions) == 1 {
			p.intro += head + "\n"
			named[d.ID] = ""
		}
	}
	file, definition, last := "", "", ""
	for _, item := range r.Items {
		head := ""
		if item.Definition != definition {
			definition, file = item.Definition, ""
			if named[definition] != "" {
				head = named[definition] + "\n"
			}
		}
		if in := inRepository(item); in != file {
			file = in
			head += " " + file + inTest(item) + stale(item) + "\n"
		}
		text := use(item, len(r.Definitions))
		if head == "" && text == last { // twice on a line
			p.parts = append(p.parts, "")
			continue
		}
		last = text
		p.parts = append(p.parts, head+text)
	}
	return p
}

// definitions counts them; prototypes are none.
func definitions(all []models.Definition) string {
	prototypes := 0
	for _, d := range all {
		if d.Prototype {
			prototypes++
		}
	}
	text := models.Counted(len(all)-prototypes, "definition")
	if prototypes > 0 {
		text += " (" + models.Counted(prototypes, "prototype") + ")"
	}
	return text
}

// use is a use on a line. What else it may be of is left out where that is overloads
// of one symbol, or all definitions of the name, and surely one of them.
func use(item models.NavItem, definitions int) string {
	what := item.Edge
	if item.Symbol != "" {
		what += " in " + item.Symbol
	}
	sure := fmt.Sprintf("%.0f%%", 100*item.Confidence)
	switch all, overloads := len(item.Candidates) == definitions, item.OfOverloads(); {
	case len(item.Candidates) == 0 || (all || overloads) && sure == "100%":
	case overloads:
		what += " (" + sure + ")"
	case all:
		what += " (" + sure + ", or of another of them)"
	default:
		what += " (" + sure + ", or of " + strings.Join(item.Candidates, ", ") + ")"
	}
	return fmt.Sprintf("  %d %s: %s\n", item.Line, what, clip(lineOf(item), 200))
}

// definitionPage has for each definition its place, signature and doc comment.
func definitionPage(r *nav.DefinitionResponse) page {
	p := page{counts: counted(len(r.Items), &r.Meta, "definition") + " of " + r.Symbol}
	for _, item := range r.Items {
		if item.FilePath == "" {
			p.parts = append(p.parts, fmt.Sprintf("%s is of %s\n", item.Symbol, item.External))
			continue
		}
		var text strings.Builder
		fmt.Fprintf(&text, "%s:%d:%d %s %s in %s\n", item.FilePath, item.Line, item.Column, item.Kind, item.Symbol,
			item.RepoID)
		if item.External != "" {
			text.WriteString("  of " + item.External + "\n")
		}
		if item.Signature != "" {
			text.WriteString("  " + item.Signature + "\n")
		}
		for line := range strings.Lines(item.Doc) {
			text.WriteString("  // " + strings.TrimSpace(line) + "\n")
		}
		p.parts = append(p.parts, text.String())
	}
	return p
}

func kinPage(r *nav.ImplementationsResponse) page {
	p := page{counts: counted(len(r.Items), &r.Meta, "implementation") + " of " + r.Symbol}
	if r.Direction == "up" {
		p.counts = counted(len(r.Items), &r.Meta, "symbol") + " above " + r.Symbol
	}
	for _, d := range r.Definitions {
		p.intro += fmt.Sprintf("%s %s %s\n", d.Place(), d.Kind, d.Qualified)
	}
	for _, item := range r.Items {
		what := strings.Join(strings.Fields(item.Kind+" "+item.Symbol+" "+item.Edge), " ") // some have no name
		p.parts = append(p.parts, fmt.Sprintf("%s%s %s:%d%s%s\n",
			strings.Repeat(" ", item.Depth), what, inRepository(item), item.Line, inTest(item), stale(item)))
	}
	return p
}

func inTest(item models.NavItem) string {
	if item.Test {
		return " (test)"
	}
	return ""
}

func stale(item models.NavItem) string {
	if item.Freshness == models.Stale {
		return " (changed since)"
	}
	return ""
}

// lineOf is the line of an item, out of its snippet.
func lineOf(item models.NavItem) string {
	all := strings.Split(item.Snippet.Text, "\n")
	if i := item.Line - item.Snippet.Location.StartLine; i >= 0 && i < len(all) {
		return strings.TrimSpace(all[i])
	}
	return ""
}
