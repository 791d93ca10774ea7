package search

import (
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// The modes of a search: which legs run.
const (
	ModeHybrid   = "hybrid"
	ModeSemantic = "semantic"
	ModeLexical  = "lexical"
)

// A Request asks for the documents of one level that answer Query.
type Request struct {
	Query string `json:"query" validate:"required,max=8000"`
	// default file
	Level      models.Level `json:"level,omitempty" validate:"omitempty,oneof=symbol file module repo doc auto"`
	RepoFilter string       `json:"repo_filter,omitempty" validate:"max=200"`           // see filter.Repositories
	PathFilter string       `json:"path_filter,omitempty" validate:"max=1000"`          // see filter.ParsePath
	Language   string       `json:"language,omitempty" validate:"max=60"`               // see filter.ParseLanguage
	Limit      *int         `json:"limit,omitempty" validate:"omitempty,gte=1,lte=100"` // default 5
	Cursor     string       `json:"cursor,omitempty" validate:"max=200"`
	MaxTokens  *int         `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
	// cut content to 200 characters
	Preview bool   `json:"preview,omitempty"`
	Mode    string `json:"mode,omitempty" validate:"omitempty,oneof=hybrid semantic lexical"`
	Explain bool   `json:"explain,omitempty"`

	// Where is what documents must fit beside, at level symbol or doc; with it the
	// query may be empty. It is for callers in process.
	Where fts.Query `json:"-"`
	// AsRanked leaves a reranker out, likewise.
	AsRanked bool `json:"-"`
}

// A Response lists results, best first; ties are broken by path, then line.
type Response struct {
	models.Result[models.SearchResult]

	Query string       `json:"query"`
	Level models.Level `json:"level"` // the level searched; tells what auto chose

	// For callers in this process: what is known of each item, and of the query.
	Likeness map[models.DocumentID]Likeness `json:"-"`
	Words    []Word                         `json:"-"` // the first ones; none in a search by meaning alone
}

// A Likeness is how like the query an item was measured to be.
type Likeness struct {
	Cosine float64 // its own, or that of the best symbol that speaks for it
	Words  float64 // what BM25 gives, as a share of what it would give, by order of magnitude, for all words
	Named  bool    // the query names it, or its path
	// Speakers are the symbols of a file, folder or repository that are most like
	// the query, best first.
	Speakers []Speaker
}

// A Speaker is a symbol that speaks for what holds it.
type Speaker struct {
	models.Header

	Score float64 // comparable within one reply, higher is better
}

// A Word of the query is in some of the documents of the level.
type Word struct {
	Text   string
	In, Of int // documents that have a part of it, of all
	Whole  int // that have all of it
}
