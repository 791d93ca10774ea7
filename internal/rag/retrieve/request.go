package retrieve

import (
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/plan"
)

// A Request asks for context: by a question, for which a plan is made, or by a plan.
type Request struct {
	Query      string     `json:"query,omitempty" validate:"max=8000"`
	Plan       *plan.Plan `json:"plan,omitempty"`
	RepoFilter string     `json:"repo_filter,omitempty" validate:"max=200"`
	Limit      *int       `json:"limit,omitempty" validate:"omitempty,gte=1,lte=50"`            // items; default 10
	MaxTokens  *int       `json:"max_tokens,omitempty" validate:"omitempty,gte=100,lte=100000"` // default 8000
	Explain    bool       `json:"explain,omitempty"`
}

// A Response lists what was found, at most one item a file, best first.
type Response struct {
	models.Result[Item]

	Plan           plan.Plan    `json:"plan"`
	Planner        string       `json:"planner,omitempty"` // what made the plan; empty where it was given
	ResponseFormat string       `json:"response_format"`
	Explain        *Explanation `json:"explain,omitempty"`
}

// An Item is a section of a document, or a symbol. In the form metadata_only it has
// id, title, heading and tags; in the form selective_context it has id, title,
// content and metadata.
type Item struct {
	ID       models.DocumentID `json:"id"`
	Title    string            `json:"title"` // of the document; of code its path
	Heading  *string           `json:"heading,omitempty"`
	Tags     *[]string         `json:"tags,omitempty"`
	Content  *string           `json:"content,omitempty"`
	Metadata *Metadata         `json:"metadata,omitempty"`
}

// Metadata is what is known of an item.
type Metadata struct {
	RepoID       models.RepoID `json:"repo_id"`
	FilePath     string        `json:"file_path"`
	StartLine    int           `json:"start_line"` // of the content
	EndLine      int           `json:"end_line"`
	Heading      string        `json:"heading,omitempty"`
	Level        int           `json:"level,omitempty"` // of the heading
	HeaderPath   []string      `json:"header_path,omitempty"`
	Aliases      []string      `json:"aliases,omitempty"`
	Tags         []string      `json:"tags"`
	Wikilinks    []string      `json:"wikilinks,omitempty"`
	Backlinks    []string      `json:"backlinks,omitempty"` // files of the repository with a wikilink to this one
	CreatedDate  string        `json:"created_date,omitempty"`
	ModifiedDate string        `json:"modified_date,omitempty"`
	Language     string        `json:"language,omitempty"`
	Kind         string        `json:"kind,omitempty"`
	Symbol       string        `json:"symbol,omitempty"`
	Truncated    bool          `json:"truncated,omitempty"` // the content was cut to the budget
}

// An Explanation tells how a plan became items.
type Explanation struct {
	Filter  *filter.Condition `json:"filter"` // that all hits fit; null for none
	Levels  []models.Level    `json:"levels"` // that were searched
	Hits    []Hit             `json:"hits"`   // in order, before any was dropped
	Dropped []Dropped         `json:"dropped"`
}

// A Hit is a document that was found.
type Hit struct {
	ID       models.DocumentID `json:"id"`
	Level    models.Level      `json:"level"`
	FilePath string            `json:"file_path"`
	Score    float64           `json:"score"` // comparable within a level
	Weak     bool              `json:"weak,omitempty"`
}

// A Dropped hit is one that is no item, and why.
type Dropped struct {
	ID  models.DocumentID `json:"id"`
	Why string            `json:"why"`
}
