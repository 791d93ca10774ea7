package nav

import "github.com/ragnav/ragnav/internal/rag/models"

// Defaults of the limits.
const (
	defaultSearchLimit    = 20
	defaultWhereUsedLimit = 50
	defaultLineageLimit   = 50
	defaultLineageDepth   = 3
	defaultTestDepth      = 10 // of an impact, to tests
)

// A SearchRequest looks for text in the files of a repository, or of all that a
// filter means.
type SearchRequest struct {
	// or a filter: "*", "owner/*"
	RepoID models.RepoID `json:"repo_id" validate:"required,max=200"`
	// a text, or one with the fields of package query
	Query  string `json:"query" validate:"required,max=1000"`
	Regexp bool   `json:"regexp,omitempty"` // RE2 syntax
	// default smart: sensitive when query has an upper-case letter
	Case       string `json:"case,omitempty" validate:"omitempty,oneof=smart sensitive insensitive"`
	Word       bool   `json:"word,omitempty"`                            // whole words
	Names      bool   `json:"names,omitempty"`                           // files whose paths match, in place of lines
	PathFilter string `json:"path_filter,omitempty" validate:"max=1000"` // doublestar glob
	Language   string `json:"language,omitempty" validate:"max=100"`
	Limit      *int   `json:"limit,omitempty" validate:"omitempty,gte=1,lte=1000"` // matching lines; default 20
	Cursor     string `json:"cursor,omitempty" validate:"max=200"`
	MaxTokens  *int   `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
}

// A SearchResponse lists matching lines in order of path and line.
type SearchResponse struct {
	models.Result[models.NavItem]

	Query string `json:"query"`
	// of the page, in its order, each with all its matches
	Files        []models.FileMatches `json:"files,omitempty"`
	FileCount    int                  `json:"file_count"`             // files with matches, of all pages
	Repositories []models.RepoMatches `json:"repositories,omitempty"` // where a filter was given
}

// A DefinitionRequest asks what stands at a place of a file.
type DefinitionRequest struct {
	RepoID   models.RepoID `json:"repo_id" validate:"required,max=200"`
	FilePath string        `json:"file_path" validate:"required,max=4096"`
	Line     int           `json:"line" validate:"required,gte=1"`
	Column   int           `json:"column" validate:"required,gte=1"` // in bytes, from 1; in a name or at its end
}

// A DefinitionResponse lists what the name there stands for: one definition, or
// variants, overloads or a choice of them.
type DefinitionResponse struct {
	models.Result[models.DefinitionItem]

	Symbol string `json:"symbol"` // the name at the place, "" if there is none
}

// A WhereUsedRequest asks where a symbol is used: that of a name, or what
// stands at a column of a line of a file.
type WhereUsedRequest struct {
	RepoID models.RepoID `json:"repo_id" validate:"required,max=200"`
	// name, Type.Method, pkg.Type.Method, path:name, or the id of a definition
	Symbol string `json:"symbol,omitempty" validate:"max=1000"`
	// picks the definition in this file, of several
	File string `json:"file,omitempty" validate:"max=4096"`
	// and at this line: its own, one inside of it, one that binds its name again or uses it
	Line *int `json:"line,omitempty" validate:"omitempty,gte=1"`
	// what stands there, without Symbol
	Column *int `json:"column,omitempty" validate:"omitempty,gte=1"`
	// also comments and strings
	IncludeText bool `json:"include_text,omitempty"`
	// uses in tests, or elsewhere
	Only string `json:"only,omitempty" validate:"omitempty,oneof=tests code"`
	// kinds of uses; default all
	Edges      []string `json:"edges,omitempty" validate:"max=7,dive,oneof=calls uses_type imports extends implements reads writes"`
	PathFilter string   `json:"path_filter,omitempty" validate:"max=1000"`
	Limit      *int     `json:"limit,omitempty" validate:"omitempty,gte=1,lte=1000"` // default 50
	Cursor     string   `json:"cursor,omitempty" validate:"max=200"`
	MaxTokens  *int     `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
}

// A WhereUsedResponse has the uses by definition, in order of path and line.
type WhereUsedResponse struct {
	models.Result[models.NavItem]

	Symbol       string               `json:"symbol"`
	Definitions  []models.Definition  `json:"definitions"`
	Repositories []models.RepoMatches `json:"repositories,omitempty"` // where a filter was given: uses in each
}

// A LineageRequest asks what reaches a symbol, or what it reaches, in a repository
// or across all that a filter means.
type LineageRequest struct {
	RepoID models.RepoID `json:"repo_id" validate:"required,max=200"`
	Symbol string        `json:"symbol,omitempty" validate:"max=1000"`
	// picks the definition in this file, of several
	File string `json:"file,omitempty" validate:"max=4096"`
	// and at this line: its own, one inside of it, one that binds its name again or uses it
	Line      *int   `json:"line,omitempty" validate:"omitempty,gte=1"`
	Column    *int   `json:"column,omitempty" validate:"omitempty,gte=1"` // what stands there, without Symbol
	Direction string `json:"direction" validate:"required,max=20"`
	// hops; default 3
	Depth *int `json:"depth,omitempty" validate:"omitempty,gte=1,lte=20"`
	// kinds that are followed; default all. Without implements no call through an interface is
	Edges []string `json:"edges,omitempty" validate:"max=7,dive,oneof=calls uses_type imports extends implements reads writes"`
	// tests that are reached, or what is none
	Only       string `json:"only,omitempty" validate:"omitempty,oneof=tests code"`
	MaxResults *int   `json:"max_results,omitempty" validate:"omitempty,gte=1,lte=1000"` // default 50
	Cursor     string `json:"cursor,omitempty" validate:"max=200"`
	MaxTokens  *int   `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
}

// A LineageResponse lists what was reached, nearest first.
type LineageResponse struct {
	models.Result[models.NavItem]

	Symbol       string               `json:"symbol"`
	Direction    string               `json:"direction"` // upstream or downstream
	Definitions  []models.Definition  `json:"definitions"`
	Repositories []models.RepoMatches `json:"repositories,omitempty"` // where a filter was given: places in each
}

// An ImplementationsRequest asks what implements, extends or overrides a symbol:
// that of a name, or what stands at a column of a line of a file.
type ImplementationsRequest struct {
	RepoID models.RepoID `json:"repo_id" validate:"required,max=200"`
	Symbol string        `json:"symbol,omitempty" validate:"max=1000"`
	File   string        `json:"file,omitempty" validate:"max=4096"`
	Line   *int          `json:"line,omitempty" validate:"omitempty,gte=1"`
	Column *int          `json:"column,omitempty" validate:"omitempty,gte=1"`
	// down, the default: what implements it; up: what it implements
	Direction string `json:"direction,omitempty" validate:"omitempty,oneof=down up"`
	Limit     *int   `json:"limit,omitempty" validate:"omitempty,gte=1,lte=1000"` // default 50
	Cursor    string `json:"cursor,omitempty" validate:"max=200"`
	MaxTokens *int   `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
}

// An ImplementationsResponse lists declarations, nearest first.
type ImplementationsResponse struct {
	models.Result[models.NavItem]

	Symbol       string               `json:"symbol"`
	Direction    string               `json:"direction"`
	Definitions  []models.Definition  `json:"definitions"`
	Repositories []models.RepoMatches `json:"repositories,omitempty"` // where a filter was given: symbols in each
}

// An ImpactRequest asks what an edit does: of the files as they are against a
// commit, of a range of commits, or of a diff.
type ImpactRequest struct {
	RepoID models.RepoID `json:"repo_id" validate:"required,max=200"`
	// a commit that the files as they are are compared with; default HEAD
	Base  string `json:"base,omitempty" validate:"max=200"`
	Range string `json:"range,omitempty" validate:"max=400"` // two commits: v1..v2, main...topic
	// as git diff writes it, of files as they are before or behind it
	Diff   string `json:"diff,omitempty" validate:"max=900000"`
	Depth  *int   `json:"depth,omitempty" validate:"omitempty,gte=1,lte=20"`   // hops; default 3, to tests 10
	Limit  *int   `json:"limit,omitempty" validate:"omitempty,gte=1,lte=1000"` // changed symbols; default 50
	Cursor string `json:"cursor,omitempty" validate:"max=200"`
	// tests that are named, those that come first; default all, or what max_tokens has room for
	MaxTests  *int `json:"max_tests,omitempty" validate:"omitempty,gte=1,lte=10000"`
	MaxTokens *int `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
}

// An ImpactResponse lists changed symbols, those first that break most.
type ImpactResponse struct {
	models.Result[models.ImpactItem]

	// that reach what changed or are named like it: the nearest first, of these the surest, then those whose names and
	// texts are alike
	Tests      []models.TestToRun `json:"tests"`
	TestsTotal int                `json:"tests_total"`
	// lines of a shell that run them, in their order, in the root of the repository; none for several
	Commands     []string             `json:"commands"`
	Repositories []models.RepoMatches `json:"repositories,omitempty"` // where a filter was given: changed symbols in each
}

// A MapRequest asks for a repository, or a folder of it, on one page.
type MapRequest struct {
	RepoID models.RepoID `json:"repo_id" validate:"required,max=200"`
	// a folder; default the root
	Path      string `json:"path,omitempty" validate:"max=4096"`
	MaxTokens int    `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // default 2000
}

// A MapResponse has one item.
type MapResponse struct {
	models.Result[models.RepoMap]
}

// A StatusRequest asks how fresh the graph of a repository is.
type StatusRequest struct {
	RepoID  models.RepoID `json:"repo_id" validate:"required,max=200"`
	Modules bool          `json:"modules,omitempty"` // also which repositories take modules of each other
}

// A StatusResponse has one item.
type StatusResponse struct {
	models.Result[models.NavStatus]
}

// A BuildRequest builds the graph of a repository.
type BuildRequest struct {
	RepoID models.RepoID `json:"repo_id" validate:"required,max=200"`
	Full   bool          `json:"full,omitempty"` // take nothing over from the graph before
	// resolve Go by its type checker, where the go command is
	Precise bool `json:"precise,omitempty"`
	// take exact edges from this SCIP index in the repository; "none" forgets them
	SCIP  string `json:"scip,omitempty" validate:"max=4096"`
	Index []byte `json:"-"` // take them from this one, in place of one in the repository
}

// An ExportRequest writes the graph of a repository as a SCIP index.
type ExportRequest struct {
	RepoID models.RepoID `json:"repo_id" validate:"required,max=200"`
}

// An ExportResponse has one item.
type ExportResponse struct {
	models.Result[models.SCIPIndex]
}

// A BuildResponse has one item.
type BuildResponse struct {
	models.Result[models.GraphInfo]
}
