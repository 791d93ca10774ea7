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

// maxFileSize bounds what is read to count lines.
const maxFileSize = listing.DefaultMaxFileSize

// countLines finds the language of a file and its lines. What is not text, a secret
// store, larger than what is indexed, or can't be read has none.
func countLines(ctx context.Context, files repo.Files, e disk.Entry) (language string, lines int) {
	if _, secret := filekind.Secret(e.Path); secret || e.Size > maxFileSize {
		return filekind.Of(e.Path, nil).Language, 0
	}
	data, _, err := files.Read(ctx, e.Path, maxFileSize)
	if err != nil {
		return filekind.Of(e.Path, nil).Language, 0
	}
	return linesOf(e.Path, data)
}

// linesOf is the language of a text and its lines, if it is one.
func linesOf(name string, data []byte) (language string, lines int) {
	language = filekind.Of(name, data).Language
	if reason, _ := filekind.Examine(data); reason == models.SkipBinary || reason == models.SkipSecret {
		return language, 0
	}
	lines = bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		lines++
	}
	return language, lines
}
