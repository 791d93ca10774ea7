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
func (r lineReader) Lines(ctx context.Context, repo models.RepoID, path string, start, end int) (string,
	[]models.Warning, error,
) {
	content, warnings, err := r.files.Lines(ctx, repo, path, start, end)
	if err != nil {
		return "", nil, err
	}
	for content.Truncated && content.EndLine >= content.StartLine && content.EndLine < end {
		more, _, err := r.files.Lines(ctx, repo, path, content.EndLine+1, end)
		if err != nil {
			return "", nil, err
		}
		content.Code, content.EndLine, content.Truncated = content.Code+more.Code, more.EndLine, more.Truncated
	}
	return parse.Chomp(content.Code), warnings, nil
}
