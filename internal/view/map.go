package view

import (
	"cmp"
	"fmt"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// mapPage has folders with what they are for, what most of the rest uses by
// file, where programs begin, and commands.
func mapPage(r *nav.MapResponse) page {
	var p page
	for _, item := range r.Items {
		p.counts = fmt.Sprintf("%s %s · %s, %s", item.RepoID, cmp.Or(item.Path, "/"),
			models.Counted(len(item.Folders), "folder"),
			models.Counted(len(item.Symbols), "symbol"))
		for _, f := range item.Folders {
			line := fmt.Sprintf("%s/ (%s)", f.Path, models.Counted(f.Files, "file"))
			if f.Purpose != "" {
				line += ": " + f.Purpose
			}
			p.parts = append(p.parts, line+"\n")
		}
		for _, s := range item.Symbols {
			p.parts = append(p.parts,
				fmt.Sprintf("%s:%d %s (%s)\n", s.FilePath, s.Line, cmp.Or(s.Signature, s.Symbol),
					models.Counted(s.Uses, "use")))
		}
		for _, e := range item.EntryPoints {
			p.outro += "begins: " + e + "\n"
		}
		for _, c := range item.Commands {
			p.outro += "$ " + c + "\n"
		}
	}
	return p
}
