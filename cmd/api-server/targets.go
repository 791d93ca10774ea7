package main

import (
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// runPoll is how often a run that was asked for at start is looked at.
const runPoll = 200 * time.Millisecond

// indexTargets starts an index run for each repository that the command line
// named, and for those whose first run was interrupted. They run while the server
// already answers; the log tells how each ends, until ctx is done.
func (s server) indexTargets(ctx context.Context, beside parallel.Group) {
	for _, target := range s.cfg.Index {
		resp, err := op.StartIndex.By(ctx, s.app, index.StartRequest{Targets: []string{app.Target(target)}})
		if err != nil {
			s.log.Error("index run not started", zap.String("target", target), zap.Error(err))
			continue
		}
		for _, job := range resp.Items {
			beside.Go(func() error { s.follow(ctx, job); return nil })
		}
	}
	resumed, err := s.app.Resume(ctx)
	if err != nil {
		s.log.Error("interrupted index runs not taken up", zap.Error(err))
	}
	for _, job := range resumed {
		beside.Go(func() error { s.follow(ctx, job); return nil })
	}
}

// follow logs how a run ends.
func (s server) follow(ctx context.Context, job index.Job) {
	s.log.Info("index run started", zap.String("job", job.ID), zap.String("target", job.Target))
	for !job.State.Final() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(runPoll):
		}
		resp, err := op.Job.By(ctx, s.app, index.JobRequest{ID: job.ID})
		if err != nil {
			s.log.Warn("index run lost", zap.String("job", job.ID), zap.Error(err))
			return
		}
		job = resp.Items[0]
	}
	fields := []zap.Field{
		zap.String("job", job.ID), zap.String("repo_id", string(job.RepoID)), zap.String("state", string(job.State)),
		zap.Int("files", job.Total), zap.Int("changed", job.Changed), zap.Int("skipped", job.Skipped),
		zap.Int("documents", job.Documents),
	}
	if job.StartedAt != nil && job.FinishedAt != nil {
		fields = append(fields, zap.Duration("took", job.FinishedAt.Sub(*job.StartedAt)))
	}
	if job.State != index.JobFailed { // see logFailure
		s.log.Info("index run ended", fields...)
	}
}

// watchFolders keeps the index of registered folders up to date until ctx is
// done. The log tells what stands in the way of that.
func (s server) watchFolders(ctx context.Context) {
	s.log.Info("watching the files of registered folders")
	s.app.Watch(ctx, func(id models.RepoID, message string) {
		s.log.Warn("watch", zap.String("repo_id", string(id)), zap.String("message", message))
	})
}
