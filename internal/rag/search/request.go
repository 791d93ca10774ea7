package search

import "github.com/ragnav/ragnav/internal/rag/models"

// The modes of a search: which legs run.
const (
	ModeHybrid   = "hybrid"
	ModeSemantic = "semantic"
	ModeLexical  = "lexical"
)

// A Request asks for the documents of one level that answer Query.
type Request struct {
	Query      string       `json:"query" validate:"required,max=2000"`
	Level      models.Level `json:"level,omitempty" validate:"omitempty,oneof=symbol file module repo doc auto"` // default file
	RepoFilter string       `json:"repo_filter,omitempty" validate:"max=200"`                                    // see filter.Repositories
	PathFilter string       `json:"path_filter,omitempty" validate:"max=1000"`                                   // see filter.ParsePath
	Language   string       `json:"language,omitempty" validate:"max=60"`                                        // see filter.ParseLanguage
	Limit      *int         `json:"limit,omitempty" validate:"omitempty,gte=1,lte=100"`                          // default 5
	Cursor     string       `json:"cursor,omitempty" validate:"max=200"`
	Preview    bool         `json:"preview,omitempty"` // cut content to 200 characters
	Mode       string       `json:"mode,omitempty" validate:"omitempty,oneof=hybrid semantic lexical"`
	Explain    bool         `json:"explain,omitempty"`
}

// A Response lists results, best first; ties are broken by path, then line.
type Response struct {
	models.Result[models.SearchResult]

	Query string       `json:"query"`
	Level models.Level `json:"level"` // the level searched; tells what auto chose
}
