package repos

import "github.com/ragnav/ragnav/internal/rag/models"

// A Request lists repositories.
type Request struct {
	Limit     *int   `json:"limit,omitempty" validate:"omitempty,gte=1,lte=1000"` // default 100
	Cursor    string `json:"cursor,omitempty" validate:"max=200"`
	MaxTokens *int   `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
}

// A Response lists repositories in order of their ids.
type Response struct {
	models.Result[models.RepoInfo]
}
