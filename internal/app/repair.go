package app

import (
	"context"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/backup"
)

// Verify reads all that is kept in the data directory, whoever has it open. Each
// damage is a check that failed.
func Verify(ctx context.Context, c config.Config) []models.Check {
	const name = "data_directory_read"
	configured, err := newEmbedder(c)
	if err != nil {
		return []models.Check{failed(name, "%s", reason(err))}
	}
	dims, err := dimsOf(ctx, c, Reader, configured)
	if err != nil {
		return []models.Check{failed(name, "%s", reason(err))}
	}
	found, err := backup.Verify(ctx, c.DataDir, dims)
	if err != nil {
		return []models.Check{failed(name, "%v; nothing is known to be damaged", err)}
	}
	if len(found.Damages) == 0 {
		return []models.Check{passed(name, "%d files, %d bytes, are as they were written", found.Files, found.Bytes)}
	}
	var checks []models.Check
	for _, d := range found.Damages {
		checks = append(checks,
			failed(name, "%v; run `ragnav doctor --repair`, after a server that has it open was stopped", d))
	}
	return checks
}
