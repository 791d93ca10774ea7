package filefetch

import "github.com/ragnav/ragnav/internal/rag/models"

// A Request reads lines of one file, or several spans of a repository's files.
type Request struct {
	// may be left out with a document_id
	RepoID    models.RepoID `json:"repo_id,omitempty" validate:"max=200"`
	FilePath  string        `json:"file_path,omitempty" validate:"max=4096"`         // "path", "path#Type.Method" or "path:10-20"
	StartLine *int          `json:"start_line,omitempty" validate:"omitempty,gte=1"` // default 1
	// inclusive; default and cap: the last line
	EndLine *int `json:"end_line,omitempty" validate:"omitempty,gte=1"`
	// its lines; without file_path it is looked for in the index
	Symbol     string            `json:"symbol,omitempty" validate:"max=1000"`
	DocumentID models.DocumentID `json:"document_id,omitempty" validate:"max=5400"`
	// lines around what was asked for
	Context int `json:"context,omitempty" validate:"gte=0,lte=200"`
	// goes on behind a reply of one item that was cut, also inside a line
	Cursor    string `json:"cursor,omitempty" validate:"max=200"`
	MaxTokens *int   `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
	// lines as this commit has them: its hexadecimal digits, or the first seven of them or more
	Commit string `json:"commit,omitempty" validate:"max=64"`
	// the bytes of file_path, a picture, in place of lines
	Picture bool   `json:"picture,omitempty"`
	Spans   []Span `json:"spans,omitempty" validate:"max=50,dive"` // in place of the fields above but repo_id, context and commit
}

// A Span is some lines of a file: between two lines, or those of a symbol.
type Span struct {
	FilePath   string            `json:"file_path,omitempty" validate:"max=4096"`
	StartLine  *int              `json:"start_line,omitempty" validate:"omitempty,gte=1"`
	EndLine    *int              `json:"end_line,omitempty" validate:"omitempty,gte=1"`
	Symbol     string            `json:"symbol,omitempty" validate:"max=1000"`
	DocumentID models.DocumentID `json:"document_id,omitempty" validate:"max=5400"`
}

// A Response has an item for each span, in order. A symbol that is defined
// several times has one for each definition.
type Response struct {
	models.Result[models.FileContent]
}
