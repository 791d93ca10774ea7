package view

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// statusPage has how graphs stand to their folders, and what their repositories
// take from each other where that was asked.
func statusPage(r *nav.StatusResponse) page {
	var p page
	for _, item := range r.Items {
		var b strings.Builder
		fmt.Fprintf(&b, "%s · %s: %s\n", item.RepoID, item.Freshness, item.Reason)
		if item.Graph != nil {
			b.WriteString("graph: " + made(item.Graph) + ", built " + item.Graph.BuiltAt + "\n")
		}
		if c := item.Changes; c != nil && c.Changed+c.Added+c.Deleted > 0 {
			more := ""
			if c.Changed+c.Added+c.Deleted > len(c.Files) {
				more = ", …"
			}
			fmt.Fprintf(&b, "since then: %d changed, %d added, %d deleted: %s%s\n", c.Changed, c.Added, c.Deleted,
				strings.Join(c.Files, ", "), more)
		}
		listed(&b, "modules", item.Modules)
		listed(&b, "takes modules of", item.DependsOn)
		listed(&b, "its modules are taken by", item.Dependents)
		p.parts = append(p.parts, b.String())
	}
	return p
}

func listed[T ~string](b *strings.Builder, what string, all []T) {
	for i, one := range all {
		sep := ", "
		if i == 0 {
			sep = what + ": "
		}
		b.WriteString(sep + string(one))
	}
	if len(all) > 0 {
		b.WriteString("\n")
	}
}

// buildPage has what builds made.
func buildPage(r *nav.BuildResponse) page {
	p := page{counts: models.Counted(len(r.Items), "graph")}
	for _, g := range r.Items {
		p.parts = append(p.parts, fmt.Sprintf("%s · %s in %.1f s: %s\n", g.RepoID, made(&g), float64(g.TookMS)/1000, g.JSON))
	}
	return p
}

func made(g *models.GraphInfo) string {
	return models.Counted(g.Files, "file") + ", " + models.Counted(g.Symbols, "symbol") + ", " +
		models.Counted(g.Edges, "edge")
}
