package httpapi

import (
	"context"
	"net/http"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// startIndex starts index jobs, or tells what they would do.
func startIndex(log *zap.Logger, ops Operations) http.HandlerFunc {
	call := func(ctx context.Context, req index.StartRequest) (models.Envelope, error) {
		if req.DryRun {
			resp, err := ops.Preview(ctx, req)
			return &resp, err
		}
		resp, err := ops.Start(ctx, req)
		return &resp, err
	}
	return func(w http.ResponseWriter, r *http.Request) {
		resp, err := invoke(w, r, body, call)
		answer(w, r, log, resp, err)
	}
}
