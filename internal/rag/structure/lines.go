package structure

import (
	"bytes"
	"context"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// count finds the language of a file and its lines. What is not text, a secret
// store, larger than what is indexed, or can't be read has none.
func (x *explorer) count(ctx context.Context, e repo.Entry) (language string, lines int) {
	if _, secret := repo.Secret(e.Path); secret || e.Size > repo.DefaultMaxFileSize {
		return repo.Classify(e.Path, nil).Language, 0
	}
	data, _, err := x.files.Read(ctx, e.Path, repo.DefaultMaxFileSize)
	if err != nil {
		return repo.Classify(e.Path, nil).Language, 0
	}
	language = repo.Classify(e.Path, data).Language
	if reason, _ := repo.Examine(data); reason == models.SkipBinary || reason == models.SkipSecret {
		return language, 0
	}
	lines = bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		lines++
	}
	return language, lines
}
