package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

type health struct {
	Status string `json:"status"`
}

func healthz(context.Context) models.Result[health] { return about(health{Status: "ok"}) }

// readyz reports all checks, RAG_UNAVAILABLE when one of them fails, and what is
// degraded as warnings.
func readyz(ready func(context.Context) []models.Check) func(context.Context) models.Result[models.Check] {
	return func(ctx context.Context) models.Result[models.Check] {
		res := about(ready(ctx)...)
		var failed []string
		for _, c := range res.Items {
			switch {
			case !c.OK:
				failed = append(failed, c.Name+": "+c.Message)
			case c.Degraded:
				res.Meta.Warnings = append(res.Meta.Warnings, models.Warning{Code: "DEGRADED", Message: c.Name + ": " + c.Message})
			}
		}
		if failed != nil {
			res.Meta.Status = models.StatusError
			res.Meta.ErrorCode = models.Opt(string(fault.RAGUnavailable))
			res.Meta.Message = models.Opt("not ready: " + strings.Join(failed, "; "))
		}
		return res
	}
}

// about is a reply about the server itself: it comes from no index.
func about[T any](items ...T) models.Result[T] {
	res := models.OKResult(items)
	res.Meta.Source = models.SourceNone
	return res
}

// document serves the API's description.
func document(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write([]byte(text))
	}
}
