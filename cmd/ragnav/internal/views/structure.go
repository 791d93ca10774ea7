package views

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

// Structure prints a folder as a tree of one level: folders, then files
// with language and lines. A file that is not indexed says so.
func Structure(s *term.Screen, resp structure.Response) {
	for _, item := range resp.Items {
		head := strings.TrimSpace(string(item.RepoID) + " " + item.Path)
		if item.Commit != "" {
			head += fmt.Sprintf("  in commit %.12s", item.Commit)
		}
		s.Printf("%s\n", s.Styled(term.Bold, s.Safe(head)))
		if item.Summary != nil {
			for line := range strings.Lines(strings.TrimRight(*item.Summary, "\n")) {
				s.Printf("│ %s\n", s.Styled(term.Dim, s.Cut(strings.TrimRight(line, "\r\n"), 2)))
			}
		}
		viewTree(s, item)
		for _, kind := range slices.Sorted(maps.Keys(item.KeyFiles)) {
			s.Printf("%-12s %s\n", kind+":", s.Safe(item.KeyFiles[kind]))
		}
	}
}

func viewTree(s *term.Screen, item models.StructureInfo) {
	var rows [][]string
	for _, dir := range item.Directories {
		rows = append(rows, []string{"├── " + below(item.Path, dir)})
	}
	for _, f := range item.Files {
		rows = append(rows, []string{"├── " + below(item.Path, f.Path), f.Language, fileNote(f, item.Commit != "")})
	}
	if len(rows) > 0 {
		last := rows[len(rows)-1]
		last[0] = strings.Replace(last[0], "├", "└", 1)
	}
	s.Table(rows...)
}

// fileNote is what is told of a file; one of a commit is not the one that the index has.
func fileNote(f models.FileInfo, then bool) string {
	if !f.HasSummary && !then {
		return "not indexed"
	}
	return term.Counted(f.LineCount, "line")
}

// below is path as seen from the folder dir.
func below(dir, path string) string {
	if dir = strings.Trim(dir, "/"); dir == "" {
		return path
	}
	return strings.TrimPrefix(path, dir+"/")
}
