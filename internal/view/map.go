package view

import (
	"cmp"
	"fmt"
	"strings"

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
		p.parts = append(p.parts, foldersOf(item.Folders)...)
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

// mostOnLine is how many folders share a line.
const mostOnLine = 20

// foldersOf are lines of folders: one each, but for those that nothing is said of, which
// share lines.
func foldersOf(all []models.MapFolder) (lines []string) {
	var bare []string
	end := func() {
		if len(bare) > 0 {
			lines = append(lines, strings.Join(bare, ", ")+"\n")
		}
		bare = nil
	}
	for _, f := range all {
		if f.Purpose != "" || len(bare) == mostOnLine {
			end()
		}
		at := fmt.Sprintf("%s/ (%s)", f.Path, models.Counted(f.Files, "file"))
		switch {
		case f.Purpose != "":
			lines = append(lines, at+": "+f.Purpose+"\n")
		case len(bare) > 0: // what is counted is said before it
			bare = append(bare, fmt.Sprintf("%s/ (%d)", f.Path, f.Files))
		default:
			bare = []string{at}
		}
	}
	end()
	return lines
}
