package outline

import "github.com/ragnav/ragnav/internal/rag/models"

// A Request asks for the symbols of one file.
type Request struct {
	RepoID   models.RepoID `json:"repo_id" validate:"required,max=200"`
	FilePath string        `json:"file_path" validate:"required,max=4096"`
	Depth    *int          `json:"depth,omitempty" validate:"omitempty,gte=1,lte=20"` // levels of nesting; default all
	// also symbols that are not exported
	Private   bool   `json:"private,omitempty"`
	Limit     *int   `json:"limit,omitempty" validate:"omitempty,gte=1,lte=5000"`
	Cursor    string `json:"cursor,omitempty" validate:"max=200"`
	MaxTokens *int   `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
	// the file as this commit has it: its hexadecimal digits, or the first seven of them or more
	Commit string `json:"commit,omitempty" validate:"max=64"`
}

// A Response has an item a symbol, or a heading, in order: what is in another
// comes behind it.
type Response struct {
	models.Result[models.OutlineItem]

	RepoID     models.RepoID `json:"repo_id"`
	FilePath   string        `json:"file_path"`
	Language   string        `json:"language"`
	TotalLines int           `json:"total_lines"`
	Commit     string        `json:"commit,omitempty"` // whose file it is, by its full name
}
