package repos

import "github.com/ragnav/ragnav/internal/rag/models"

// A Request lists repositories.
type Request struct {
	Limit  *int   `json:"limit,omitempty" validate:"omitempty,gte=1,lte=1000"` // default 100
	Cursor string `json:"cursor,omitempty" validate:"max=200"`
}

// A Response lists repositories in order of their ids.
type Response struct {
	models.Result[models.RepoInfo]
}
