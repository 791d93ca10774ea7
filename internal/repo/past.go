package repo

import (
	"context"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/history"
)

// A Past is the Files of a repository as a commit has them.
type Past struct {
	*history.Tree

	Now Files // as they are; closed with it
}

// At opens the files of a repository as a commit has them, beside those that it
// has now. Errors are those of history.OpenTree; files that are not in a folder
// here have no commits.
func At(ctx context.Context, now Files, id models.RepoID, commit string) (Past, error) {
	folder, ok := now.(Tree)
	if !ok {
		return Past{}, fault.New(fault.InvalidRequest,
			"the folder of %s is not on this machine, so its commits can't be read; leave commit out for what was stored", id)
	}
	tree, err := history.OpenTree(ctx, folder.Folder, commit)
	return Past{tree, now}, err
}

// Caveats implements Files: what git keeps is whole.
func (Past) Caveats(int) []models.Warning { return nil }

// Close implements Files.
func (p Past) Close() error { return p.Now.Close() }

// Changed are the paths of files that differ between the commit and the files as
// they are, in no order.
func (p Past) Changed(ctx context.Context) ([]string, error) {
	return history.Differing(ctx, p.Now.(Tree).Folder, p.Commit, "")
}
