package app

import (
	"context"
	"fmt"
	"os"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/watch"
)

// Update brings the index of a registered folder up to date, see
// index.Service.Update.
func (a *App) Update(ctx context.Context, req index.UpdateRequest) (index.Job, error) {
	return a.jobs.Update(ctx, req)
}

// Watch keeps the index of all registered folders up to date until ctx ends.
// Say tells a person what becomes of that; it may be called concurrently.
func (a *App) Watch(ctx context.Context, say func(id models.RepoID, message string)) {
	watch.Run(ctx, watch.Config{
		Repos: a.Watchable,
		Update: func(ctx context.Context, r watch.Repo, paths []string) error {
			job, err := a.Update(ctx, index.UpdateRequest{RepoID: r.ID, Paths: paths})
			if err != nil {
				return err
			}
			return FailureOf(job)
		},
		Say:    func(r watch.Repo, message string) { say(r.ID, message) },
		Limits: WatchLimits(a.cfg),
	})
}

// WatchLimits are the limits of index runs that c sets.
func WatchLimits(c config.Config) listing.Limits { return listing.Limits{MaxFileSize: c.MaxFileSize} }

// Watchable are the registered folders. Clones are left out: they change when
// they are indexed. So are, on a store that machines share, folders of others.
func (a *App) Watchable(ctx context.Context) ([]watch.Repo, error) {
	all, err := a.jobs.Registered(ctx)
	if err != nil {
		return nil, err
	}
	var found []watch.Repo
	for _, r := range all {
		if r.URL == "" && (a.cfg.Embedded() || isFolder(r.Root)) {
			found = append(found, watch.Repo{ID: r.RepoID, Root: r.Root})
		}
	}
	return found, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// FailureOf is the error of a job that has ended, nil of one that is done.
func FailureOf(job index.Job) error {
	switch job.State {
	case index.JobFailed:
		message := "the index run failed"
		if job.Error != nil {
			message = *job.Error
		}
		return fault.New(fault.RAGUnavailable, "%s", message)
	case index.JobCancelled:
		return fault.New(fault.Canceled, "job %s was cancelled", job.ID)
	case index.JobDone:
		return nil
	case index.JobQueued, index.JobListing, index.JobParsing, index.JobEmbedding, index.JobCommitting:
	}
	return fmt.Errorf("job %s has not ended", job.ID)
}
