package structure

import (
	"context"
	"encoding/json"
	"path"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// maxManifest bounds what is read of a file that gives commands.
const maxManifest = 1 << 20

// Commands are how to build and test a repository, as files of it say that index runs
// list: what was made in its folder says nothing.
func (s *Service) Commands(ctx context.Context, id models.RepoID) ([]depend.Command, error) {
	known, err := s.repos.Repository(ctx, id)
	if err != nil {
		return nil, err
	}
	files, err := s.repos.Open(ctx, known)
	if err != nil {
		return nil, err
	}
	defer func() { _ = files.Close() }()
	paths, err := outermost(ctx, files)
	if err != nil {
		return nil, err
	}
	return depend.Commands(paths, func(name string) (*string, error) {
		var rec json.RawMessage
		listed, err := s.index.Record(ctx, models.FilesCollection(known.RepoID), name, &rec)
		if err != nil || !listed {
			return nil, err
		}
		data, _, err := files.Read(ctx, name, maxManifest)
		switch {
		case fault.CodeOf(err) == fault.PathNotFound, len(data) > maxManifest:
			return nil, nil
		case err != nil:
			return nil, err
		}
		return new(string(data)), nil
	})
}

// outermost are the files in the root of a repository and in the folders there.
func outermost(ctx context.Context, files repo.Files) (paths []string, err error) {
	root, err := files.ReadDir(ctx, "")
	if err != nil {
		return nil, err
	}
	for _, e := range root {
		if !e.IsDir {
			paths = append(paths, e.Name)
			continue
		}
		below, err := files.ReadDir(ctx, e.Name)
		if err != nil {
			continue // what can't be read gives no command
		}
		for _, file := range below {
			if !file.IsDir {
				paths = append(paths, path.Join(e.Name, file.Name))
			}
		}
	}
	return paths, ctx.Err()
}
