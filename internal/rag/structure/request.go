package structure

import "github.com/ragnav/ragnav/internal/rag/models"

// A Request explores one folder of a repository.
type Request struct {
	RepoID models.RepoID `json:"repo_id" validate:"required,max=200"`
	Path   string        `json:"path,omitempty" validate:"max=4096"` // "" is the root
	// doublestar glob below Path: without a slash of what is in Path itself, "**" descends
	Pattern          string `json:"pattern,omitempty" validate:"max=1000"`
	IncludeSummaries bool   `json:"include_summaries,omitempty"`
	// files and folders a page; default 1000
	Limit     *int   `json:"limit,omitempty" validate:"omitempty,gte=1,lte=5000"`
	Cursor    string `json:"cursor,omitempty" validate:"max=200"`
	MaxTokens *int   `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
	// the folder as this commit has it: its hexadecimal digits, or the first seven of them or more
	Commit string `json:"commit,omitempty" validate:"max=64"`
}

// A Response has exactly one item.
type Response struct {
	models.Result[models.StructureInfo]
}

// Shown implements models.Envelope: the folders and files of the item.
func (r *Response) Shown() int {
	shown := 0
	for _, item := range r.Items {
		shown += len(item.Directories) + len(item.Files)
	}
	return shown
}
