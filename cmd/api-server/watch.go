package main

import (
	"context"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// watchFolders keeps the index of registered folders up to date until ctx is
// done. The log tells what stands in the way of that.
func (s server) watchFolders(ctx context.Context) {
	s.log.Info("watching the files of registered folders")
	s.app.Watch(ctx, func(id models.RepoID, message string) {
		s.log.Warn("watch", zap.String("repo_id", string(id)), zap.String("message", message))
	})
}
