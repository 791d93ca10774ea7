package repos

import (
	"context"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/remote"
)

// Open opens the files of a registered repository. They are read from its
// folder. Where that is not on this machine, they are read from the clone of
// its URL in the folder of clones, which servers may share and have in
// different places, else from what the index run stored. Without any of these
// it is a fault.PathNotFound.
//
// A file that is missing in a folder that is there is gone: stored content does
// not bring it back.
func (s *Service) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	tree, err := disk.Open(ctx, known.Root)
	if fault.CodeOf(err) == fault.PathNotFound && known.URL != "" && s.reposDir != "" {
		tree, err = remote.OpenClone(ctx, known.URL, s.reposDir)
	}
	switch {
	case err == nil:
		return repo.Tree{Folder: tree}, nil
	case fault.CodeOf(err) != fault.PathNotFound:
		return nil, err
	case known.Stored:
		return repo.OpenStored(s.records, known), nil
	}
	return nil, fault.Wrap(fault.PathNotFound, err,
		"the folder %s of repository %s is gone; put it back, or forget it with `ragnav remove %s`. To serve it without "+
			"the folder, share --repos-dir or index with --content stored",
		known.Root, known.RepoID, known.RepoID)
}
