package filefetch

import "github.com/ragnav/ragnav/internal/rag/models"

// A Request reads lines of one file.
type Request struct {
	RepoID    models.RepoID `json:"repo_id" validate:"required,max=200"`
	FilePath  string        `json:"file_path" validate:"required,max=4096"`
	StartLine *int          `json:"start_line,omitempty" validate:"omitempty,gte=1"` // default 1
	EndLine   *int          `json:"end_line,omitempty" validate:"omitempty,gte=1"`   // inclusive; default and cap: the last line
}

// A Response has exactly one item.
type Response struct {
	models.Result[models.FileContent]
}
