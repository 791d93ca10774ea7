package main

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// viewNavSearch prints lines as grep does: path:line: text.
func viewNavSearch(s *screen, resp nav.SearchResponse) {
	for _, item := range resp.Items {
		if item.Kind == "file" {
			path := item.FilePath
			if item.RepoID != "" {
				path = string(item.RepoID) + ":" + path
			}
			s.printf("%s\n", s.styled(bold, s.safe(path)))
			continue
		}
		s.printf("%s: %s\n", place(s, item), s.cut(lineOf(item), 0))
	}
}

// viewWhereUsed prints the definitions, then the uses with their edge and the
// symbol that they are in.
func viewWhereUsed(s *screen, resp nav.WhereUsedResponse) {
	for _, d := range resp.Definitions {
		uses := ""
		if d.Uses != nil {
			uses = "  " + counted(*d.Uses, "use")
		}
		s.printf("%s  %s (%s)%s\n", s.styled(bold, s.safe(d.Place())), s.styled(green, s.safe(d.Qualified)), d.Kind, uses)
		for _, item := range resp.Items {
			if item.Definition == d.ID {
				viewUse(s, item)
			}
		}
	}
	for _, item := range resp.Items {
		if item.Definition == "" {
			viewUse(s, item)
		}
	}
}

func viewUse(s *screen, item models.NavItem) {
	s.printf("  %s: %s\n", place(s, item), s.cut(lineOf(item), 2))
	note := item.Edge
	if item.Symbol != "" {
		note += " in " + item.Symbol
	}
	if len(item.Candidates) > 0 {
		note += ", or of " + strings.Join(item.Candidates, ", ")
	}
	s.printf("    %s\n", s.styled(dim, s.safe(note)))
}

// viewDefinition prints each definition with its signature and doc comment.
func viewDefinition(s *screen, resp nav.DefinitionResponse) {
	for _, d := range resp.Items {
		at := d.External
		if d.FilePath != "" {
			at = fmt.Sprintf("%s:%d:%d", d.FilePath, d.Line, d.Column)
		}
		s.printf("%s  %s %s  %s\n", s.styled(bold, s.safe(at)), s.styled(green, s.safe(d.Symbol)), s.safe(d.Kind), s.safe(string(d.RepoID)))
		if d.Signature != "" {
			s.printf("  %s\n", s.safe(d.Signature))
		}
		for line := range strings.Lines(d.Doc) {
			s.printf("  %s\n", s.styled(dim, s.safe(strings.TrimSpace(line))))
		}
	}
}

// viewLineage prints what was reached, indented by hops.
func viewLineage(s *screen, resp nav.LineageResponse) {
	for _, item := range resp.Items {
		hub := ""
		if item.Hub {
			hub = "  (many more behind it)"
		}
		s.printf("%s%s  %s  %s%s\n", strings.Repeat("  ", max(item.Depth-1, 0)), s.styled(green, s.safe(item.Symbol)), item.Edge, place(s, item), hub)
	}
}

// viewImplementations prints declarations, indented by how far they are.
func viewImplementations(s *screen, resp nav.ImplementationsResponse) {
	for _, item := range resp.Items {
		s.printf("%s%s  %s %s  %s\n", strings.Repeat("  ", max(item.Depth-1, 0)), s.styled(green, s.safe(item.Symbol)), item.Edge, item.Kind, place(s, item))
	}
}

func viewNavStatus(s *screen, resp nav.StatusResponse) {
	for _, item := range resp.Items {
		s.printf("%s  %s: %s\n", s.styled(bold, s.safe(string(item.RepoID))), item.Freshness, s.safe(item.Reason))
		if g := item.Graph; g != nil {
			s.printf("graph of %s: %s, %s, %s\n", g.BuiltAt, counted(g.Files, "file"), counted(g.Symbols, "symbol"), counted(g.Edges, "edge"))
		}
		if c := item.Changes; c != nil {
			s.printf("since then: %d changed, %d added, %d deleted\n", c.Changed, c.Added, c.Deleted)
			for _, f := range c.Files {
				s.printf("  %s\n", s.safe(f))
			}
		}
		for _, list := range []struct {
			what string
			ids  []models.RepoID
		}{{"takes modules of", item.DependsOn}, {"its modules are taken by", item.Dependents}} {
			for _, id := range list.ids {
				s.printf("%s %s\n", list.what, s.safe(string(id)))
			}
		}
	}
}

func viewBuilt(s *screen, resp nav.BuildResponse) {
	for _, g := range resp.Items {
		s.printf("%s: %s, %s, %s in %.1f s (%s)\n", s.safe(string(g.RepoID)), counted(g.Files, "file"), counted(g.Symbols, "symbol"),
			counted(g.Edges, "edge"), float64(g.TookMS)/1000, s.safe(g.JSON))
		if g.Exact > 0 {
			s.printf("exact edges of a SCIP index: %s\n", counted(g.Exact, "file"))
		}
	}
}

func place(s *screen, item models.NavItem) string {
	at := fmt.Sprintf("%s:%d", item.FilePath, item.Line)
	if item.RepoID != "" {
		at = string(item.RepoID) + ":" + at
	}
	if item.Column > 0 {
		at += fmt.Sprintf(":%d", item.Column)
	}
	return s.styled(bold, s.safe(at))
}

// lineOf is the line of an item, out of its snippet.
func lineOf(item models.NavItem) string {
	lines := strings.Split(item.Snippet.Text, "\n")
	if i := item.Line - item.Snippet.Location.StartLine; i >= 0 && i < len(lines) {
		return strings.TrimSpace(lines[i])
	}
	return ""
}
