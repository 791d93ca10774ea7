package structure

import (
	"bytes"
	"context"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// countLines finds the language of a file and its lines. What is not text, a secret
// store, larger than what is indexed, or can't be read has none.
func countLines(ctx context.Context, files repo.Files, e disk.Entry) (language string, lines int) {
	if _, secret := filekind.Secret(e.Path); secret || e.Size > listing.DefaultMaxFileSize {
		return filekind.Of(e.Path, nil).Language, 0
	}
	data, _, err := files.Read(ctx, e.Path, listing.DefaultMaxFileSize)
	if err != nil {
		return filekind.Of(e.Path, nil).Language, 0
	}
	language = filekind.Of(e.Path, data).Language
	if reason, _ := filekind.Examine(data); reason == models.SkipBinary || reason == models.SkipSecret {
		return language, 0
	}
	lines = bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		lines++
	}
	return language, lines
}
