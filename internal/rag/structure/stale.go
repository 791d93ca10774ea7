package structure

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// compare finds which files and folders that a summary was made of are gone, or
// files that are not as they were.
func (x *explorer) compare(ctx context.Context, children []models.DocumentID) error {
	there := map[string]bool{}
	for _, e := range x.entries {
		there[e.Path] = true
		if e.IsDir {
			continue
		}
		var rec models.FileRecord
		known, err := x.index.Record(ctx, models.FilesCollection(x.known.RepoID), e.Path, &rec)
		if err != nil {
			return fmt.Errorf("read what is known of %s: %w", e.Path, err)
		}
		if known && len(rec.Documents) > 0 && (rec.Size != e.Size || rec.ModTime != e.ModTime) {
			x.stale = append(x.stale, e.Path)
		}
	}
	for _, id := range children {
		if p := x.pathOf(id); p != "" && !there[p] {
			x.stale = append(x.stale, p)
		}
	}
	slices.Sort(x.stale)
	x.stale = slices.Compact(x.stale)
	return nil
}

// pathOf is the file or folder that a child of a module_summary is of.
func (x *explorer) pathOf(id models.DocumentID) string {
	kind, rest, _ := strings.Cut(string(id), ":")
	p, ours := strings.CutPrefix(rest, string(x.known.RepoID)+":")
	if !ours {
		return ""
	}
	if kind == "doc" { // its section follows
		p = p[:max(strings.LastIndexByte(p, '#'), 0)]
	}
	return p
}
