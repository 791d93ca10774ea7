package app

import (
	"context"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A lineReader reads lines as package index hashed them: without the newline
// of the last one.
type lineReader struct{ files *filefetch.Service }

// Lines implements ask.LineReader.
func (r lineReader) Lines(ctx context.Context, repo models.RepoID, path string, start, end int) (string, []models.Warning, error) {
	content, warnings, err := r.files.Lines(ctx, repo, path, start, end)
	if err != nil {
		return "", nil, err
	}
	return parse.Slice(content.Code, 1, parse.Lines(content.Code)), warnings, nil
}
