package index

import (
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A StartRequest starts index jobs, one a target.
type StartRequest struct {
	// folders of this machine or git URLs
	Targets []string `json:"targets,omitempty" validate:"omitempty,min=1,max=100,dive,required,max=4096"`
	// only with one target, else inferred; without targets that repository is indexed again
	RepoID models.RepoID `json:"repo_id,omitempty" validate:"max=200"`
	Full   bool          `json:"full,omitempty"` // read every file again, changed or not

	// Each makes the targets folders in which to look for repositories. One that
	// can't be indexed doesn't stop the others: a warning tells of it.
	Each bool `json:"each,omitempty"`

	// Summarise has the language model write summaries of files, symbols without a
	// comment, folders and the repository: those that it has not written of the same
	// content before, within so many tokens, default 2,000,000.
	Summarise     bool `json:"summarise,omitempty"`
	SummaryTokens int  `json:"summary_tokens,omitempty" validate:"omitempty,gte=1000"`

	// Reembed makes all vectors of the index again, by the configured embedder,
	// beside those in use, and then replaces these. It has no targets.
	Reembed bool `json:"reembed,omitempty"`

	// NoGraph leaves the navigation graph as it is. Else a server builds it in the
	// background once the job is done, unless it is up to date.
	NoGraph bool `json:"no_graph,omitempty"`
	// GraphNext says that the caller has the graph built once the job is done: what
	// files say about names is then kept for that, and they are parsed once.
	GraphNext bool `json:"graph_next,omitempty"`

	DryRun bool   `json:"dry_run,omitempty"`                                         // start nothing: see Preview
	Only   string `json:"only,omitempty" validate:"omitempty,oneof=indexed skipped"` // of a preview
	Limit  *int   `json:"limit,omitempty" validate:"omitempty,gte=1,lte=1000"`       // of a preview; default 100
	Cursor string `json:"cursor,omitempty" validate:"max=200"`                       // of a preview

	// Settled says that folders among the targets are what symlinks were resolved to,
	// and allowed as such: where a path leads elsewhere by now, it is refused.
	Settled bool `json:"-"`
}

// A JobsRequest lists jobs, newest first.
type JobsRequest struct {
	RepoID models.RepoID `json:"repo_id,omitempty" validate:"max=200"`
	Limit  *int          `json:"limit,omitempty" validate:"omitempty,gte=1,lte=1000"` // default 100
	Cursor string        `json:"cursor,omitempty" validate:"max=200"`
}

// A JobRequest names one job, to look at or to cancel.
type JobRequest struct {
	ID string `json:"id" validate:"required,max=100"`
}

// A JobsResponse lists jobs.
type JobsResponse struct {
	models.Result[jobs.Job]
}

// A CoverageRequest asks what the index knows of a repository's files.
type CoverageRequest struct {
	RepoID    models.RepoID `json:"repo_id" validate:"required,max=200"`
	Path      string        `json:"path,omitempty" validate:"max=4096"` // one file, or a folder; "" lists all
	Only      string        `json:"only,omitempty" validate:"omitempty,oneof=indexed skipped"`
	Limit     *int          `json:"limit,omitempty" validate:"omitempty,gte=1,lte=1000"` // default 100
	Cursor    string        `json:"cursor,omitempty" validate:"max=200"`
	MaxTokens *int          `json:"max_tokens,omitempty" validate:"omitempty,gte=200,lte=20000"` // of the reply
}

// A CoverageItem says whether one file is indexed, and if not why.
type CoverageItem struct {
	FilePath  string            `json:"file_path"`
	Indexed   bool              `json:"indexed"`
	Reason    models.SkipReason `json:"reason,omitempty"`
	Detail    string            `json:"detail,omitempty"` // rule, limit or detected type behind Reason
	Language  string            `json:"language,omitempty"`
	Method    string            `json:"method,omitempty"` // how symbols were found
	Size      int64             `json:"size"`
	Documents int               `json:"documents"`
	Masked    int               `json:"masked,omitempty"`  // credentials that asterisks stand for in what is stored
	Pending   int               `json:"pending,omitempty"` // documents that wait for their vectors
}

// A CoverageResponse lists files in path order, with totals beside them.
type CoverageResponse struct {
	models.Result[CoverageItem]
	models.MaskCount

	Indexed int                       `json:"indexed"`
	Skipped map[models.SkipReason]int `json:"skipped"` // files by reason
	// documents that wait for their vectors, summaries included
	Pending int `json:"pending,omitempty"`
}

// A PreviewItem says what a run would make of one file, in the words that
// coverage uses once the run has ended. A folder that a rule excludes is one
// item, whose path ends in "/".
type PreviewItem struct {
	RepoID models.RepoID `json:"repo_id"`
	CoverageItem

	Changed bool `json:"changed"` // documents would be made, or removed
	Tokens  int  `json:"tokens"`  // to embed, estimated
}

// Previewed is what a run would make of one repository.
type Previewed struct {
	RepoID    models.RepoID             `json:"repo_id"`
	Target    string                    `json:"target"`
	Commit    string                    `json:"commit,omitempty"`
	Indexed   int                       `json:"indexed"`             // files
	Skipped   map[models.SkipReason]int `json:"skipped"`             // files by reason; excluded folders count as one
	Changed   int                       `json:"changed"`             // files that would be indexed again
	Removed   int                       `json:"removed"`             // files whose documents would be removed
	Bytes     int64                     `json:"bytes"`               // of the indexed files
	Documents int                       `json:"documents"`           // of files, and the summaries
	Tokens    int                       `json:"tokens"`              // to embed, estimated; summaries come on top
	Summaries *Telling                  `json:"summaries,omitempty"` // where a model is to write them
	Renewed   bool                      `json:"renewed,omitempty"`   // every file would be read again, see Job

	models.MaskCount // credentials that asterisks would stand for
}

// A Telling is what it costs to have a model write the summaries that are missing,
// at most: tokens are estimated, and so is the price if that of a token is set.
type Telling struct {
	Requests     int     `json:"requests"`
	PromptTokens int     `json:"prompt_tokens"`
	ReplyTokens  int     `json:"reply_tokens"`
	Price        float64 `json:"price,omitempty"`
}

// A PreviewResponse lists files by target and path, with totals of all pages beside them.
type PreviewResponse struct {
	models.Result[PreviewItem]

	Repositories []Previewed `json:"repositories"`
}

// A RemoveRequest removes a repository with everything that belongs to it.
type RemoveRequest struct {
	RepoID models.RepoID `json:"repo_id" validate:"required,max=200"`
}

// Removed is the item of a RemoveResponse.
type Removed struct {
	RepoID    models.RepoID `json:"repo_id"`
	Documents int           `json:"documents"` // how many were removed
	Clone     bool          `json:"clone"`     // its folder was ragnav's own clone of a URL, and was deleted
}

// A RemoveResponse has exactly one item.
type RemoveResponse struct {
	models.Result[Removed]
}

const defaultLimit = 100
