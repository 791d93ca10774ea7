package app

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// WatchLimits are the limits of index runs that c sets.
func WatchLimits(c config.Config) listing.Limits {
	return listing.Limits{MaxFileSize: c.MaxFileSize, Exclude: ownFolders(c)}
}

// ownFolders are the folders of this program, which change with every index run: to index
// them would never end. A data directory that ignores itself needs no mention, which all
// that is kept of listings would have to agree on.
func ownFolders(c config.Config) []string {
	dir, err := filepath.EvalSymlinks(c.DataDir)
	if err != nil || disk.Hidden(dir) {
		return nil // there is none yet
	}
	return []string{dir}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// FailureOf is the error of a job that has ended, nil of one that is done.
func FailureOf(job index.Job) error {
	switch job.State {
	case index.JobFailed:
		return fault.New(fault.RAGUnavailable, "%s", models.Or(job.Error, "the index run failed"))
	case index.JobCancelled:
		return fault.New(fault.Canceled, "job %s was cancelled", job.ID)
	case index.JobDone:
		return nil
	case index.JobQueued, index.JobListing, index.JobParsing, index.JobEmbedding, index.JobCommitting:
	}
	return fmt.Errorf("job %s has not ended", job.ID)
}
