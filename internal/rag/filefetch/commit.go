package filefetch

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// differs reports whether a file that the commit has is another one now, or gone.
func differs(ctx context.Context, p repo.Past, name string, then []byte) (bool, error) {
	data, _, err := readText(ctx, p.Now, name, nil)
	switch fault.CodeOf(err) {
	case fault.PathNotFound, fault.InvalidPath, fault.BinaryFile, fault.Forbidden, fault.InvalidRequest:
		return true, nil
	}
	return !bytes.Equal(data, then), err
}

// maxStaleFiles is how many stale files a reply names.
const maxStaleFiles = 5

// ofCommit says how lines of a commit stand to the files as they are.
func (g *gathering) ofCommit(m *models.Meta) {
	var stale []string
	commit := ""
	for _, item := range g.items {
		commit = cmp.Or(commit, item.Commit)
		if item.Freshness == models.Stale && !slices.Contains(stale, item.FilePath) {
			stale = append(stale, item.FilePath)
		}
	}
	switch {
	case commit == "":
	case len(stale) == 0:
		g.said = append(g.said, fmt.Sprintf("lines of commit %.12s, the same as now", commit))
	default:
		m.FreshnessState, m.StaleFileCount = models.Stale, len(stale)
		m.StaleFiles = stale[:min(len(stale), maxStaleFiles)]
		what := fmt.Sprintf("%q has", stale[0])
		if len(stale) > 1 {
			what = fmt.Sprintf("%d files have", len(stale))
		}
		g.said = append(g.said, fmt.Sprintf("lines of commit %.12s; %s changed since, leave commit out for the lines now",
			commit, what))
	}
}

// openAt opens a repository's files as they are, or if commit isn't "" as that
// has them.
func openAt(ctx context.Context, s *Service, id models.RepoID, commit string) (openRepository, error) {
	r, err := s.openAlone(ctx, id)
	if err != nil || commit == "" {
		return r, err
	}
	then, err := repo.At(ctx, r.files, r.record.RepoID, commit)
	if err != nil {
		_ = r.files.Close()
		return r, err
	}
	r.files, r.near, r.commit = then, &pathFinder{files: then}, string(then.Commit)
	return r, nil
}
