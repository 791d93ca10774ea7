package web

import (
	"net/http"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// Status is the page of the server itself.
type Status struct {
	Checks  []models.Check
	Version models.Version
}

func (s *Site) status(r *http.Request) (view, error) {
	return view{Template: "status", Title: "Status", Data: Status{s.Ready(r.Context()), s.Version}}, nil
}
