package views

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// NavSearch prints lines as grep does: path:line: text.
func NavSearch(s *term.Screen, resp nav.SearchResponse) {
	for _, item := range resp.Items {
		if item.Kind == "file" {
			path := item.FilePath
			if item.RepoID != "" {
				path = string(item.RepoID) + ":" + path
			}
			s.Printf("%s\n", s.Styled(term.Bold, s.Safe(path)))
			continue
		}
		s.Printf("%s\n", s.Row(fmt.Sprintf("%s: %s", Place(s, item), strings.ReplaceAll(s.Safe(lineOf(item)), "\t", "    "))))
	}
}

// Definition prints each definition with its signature and doc comment.
func Definition(s *term.Screen, resp nav.DefinitionResponse) {
	for _, d := range resp.Items {
		at := d.External
		if d.FilePath != "" {
			at = fmt.Sprintf("%s:%d:%d", d.FilePath, d.Line, d.Column)
		}
		s.Pair(s.Styled(term.Bold, s.Safe(at)), fmt.Sprintf("  %s %s  %s", s.Styled(term.Green, s.Safe(d.Symbol)),
			s.Safe(d.Kind), s.Safe(string(d.RepoID))), 2)
		if d.Signature != "" {
			s.Wrapped("  "+s.Safe(d.Signature), 4)
		}
		for line := range strings.Lines(d.Doc) {
			s.Wrapped("  "+s.Styled(term.Dim, s.Safe(strings.TrimSpace(line))), 2)
		}
	}
}

// Implementations prints declarations, indented by how far they are.
func Implementations(s *term.Screen, resp nav.ImplementationsResponse) {
	for _, item := range resp.Items {
		indent := 2 * max(item.Depth-1, 0)
		s.Pair(fmt.Sprintf("%s%s  %s", strings.Repeat(" ", indent), s.Styled(term.Green, s.Safe(item.Symbol)),
			s.Styled(term.Dim, item.Edge+" "+item.Kind)), "  "+Place(s, item), indent+4)
	}
}

// NavStatus shows how a graph stands to its folder.
func NavStatus(s *term.Screen, resp nav.StatusResponse) {
	for _, item := range resp.Items {
		s.Printf("%s  %s: %s\n", s.Styled(term.Bold, s.Safe(string(item.RepoID))), item.Freshness, s.Safe(item.Reason))
		if g := item.Graph; g != nil {
			s.Printf("graph of %s: %s, %s, %s\n", g.BuiltAt, term.Counted(g.Files, "file"), term.Counted(g.Symbols, "symbol"),
				term.Counted(g.Edges, "edge"))
		}
		if c := item.Changes; c != nil {
			s.Printf("since then: %d changed, %d added, %d deleted\n", c.Changed, c.Added, c.Deleted)
			for _, f := range c.Files {
				s.Printf("  %s  %s\n", s.Safe(f), s.Styled(term.Dim, cmp.Or(c.Since[f], "gone")))
			}
		}
		for _, list := range []struct {
			what string
			ids  []models.RepoID
		}{{"takes modules of", item.DependsOn}, {"its modules are taken by", item.Dependents}} {
			for _, id := range list.ids {
				s.Printf("%s %s\n", list.what, s.Safe(string(id)))
			}
		}
	}
}

// Exported prints what was written, and where.
func Exported(s *term.Screen, resp nav.ExportResponse, output string) {
	for _, x := range resp.Items {
		s.Printf("%s: %s, %s, %s (%s)\n", s.Safe(string(x.RepoID)), term.Counted(x.Documents, "document"),
			term.Counted(x.Occurrences, "occurrence"),
			term.Counted(x.Symbols, "symbol"), s.Safe(cmp.Or(output, x.File)))
	}
}

// Built says what a build has made.
func Built(s *term.Screen, resp nav.BuildResponse) {
	for _, g := range resp.Items {
		s.Wrapped(fmt.Sprintf("%s: %s, %s, %s in %.1f s (%s)", s.Safe(string(g.RepoID)), term.Counted(g.Files, "file"),
			term.Counted(g.Symbols, "symbol"),
			term.Counted(g.Edges, "edge"), float64(g.TookMS)/1000, s.Safe(g.JSON)), 2)
		if g.Exact > 0 {
			s.Printf("exact edges of a SCIP index: %s\n", term.Counted(g.Exact, "file"))
		}
	}
}

// Place is where a definition stands.
func Place(s *term.Screen, item models.NavItem) string {
	at := fmt.Sprintf("%s:%d", item.FilePath, item.Line)
	if item.RepoID != "" {
		at = string(item.RepoID) + ":" + at
	}
	if item.Column > 0 {
		at += fmt.Sprintf(":%d", item.Column)
	}
	return s.Styled(term.Bold, s.Safe(at))
}

// lineOf is the line of an item without its indentation.
func lineOf(item models.NavItem) string { return strings.TrimSpace(wholeLine(item)) }
