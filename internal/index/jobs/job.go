package jobs

import (
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A State is where a job stands.
type State string

// The states of a job, in order; the last three are final.
const (
	Queued     State = "queued"
	Listing    State = "listing"
	Parsing    State = "parsing"    // file by file: parse, compose, embed, and put aside or commit
	Embedding  State = "embedding"  // the summaries of folders and of the repository
	Committing State = "committing" // the end result; of a run over a usable index all of it
	Done       State = "done"
	Cancelled  State = "cancelled"
	Failed     State = "failed"
)

// Final reports whether a job in that state will not change any more.
func (s State) Final() bool { return s == Done || s == Cancelled || s == Failed }

// A Job is one index run as the outside sees it.
type Job struct {
	ID        string        `json:"id"`
	RepoID    models.RepoID `json:"repo_id"` // empty until it is known (a clone under way)
	Target    string        `json:"target"`
	WaitsFor  string        `json:"waits_for,omitempty"` // target of a job before it, whose state and counts are shown
	State     State         `json:"state"`
	Total     int           `json:"total"`     // files to look at; fixed once listed
	Done      int           `json:"done"`      // files looked at
	Changed   int           `json:"changed"`   // files indexed again
	Removed   int           `json:"removed"`   // files whose documents were removed
	Skipped   int           `json:"skipped"`   // files left out, with a reason in coverage
	Embedded  int           `json:"embedded"`  // texts that the embedder was given
	Reused    int           `json:"reused"`    // documents with an embedding that was there already
	Documents int           `json:"documents"` // of the repository that can be searched

	models.MaskCount // of the repository, when done

	Rate       float64    `json:"rate"` // files per second, of those that had to be looked into
	ETASeconds float64    `json:"eta_seconds"`
	Committed  float64    `json:"committed,omitempty"` // share of committing that is done, in that state
	StartedAt  *time.Time `json:"started_at"`
	FinishedAt *time.Time `json:"finished_at"`
	Error      *string    `json:"error"`
	Server     string     `json:"server,omitempty"` // that has the job, where several share a store

	// Pending counts the documents that wait for their vectors, from a server that
	// makes them: words are searched already. When the job has ended the reason
	// says why some still wait.
	Pending       int    `json:"pending,omitempty"`
	PendingReason string `json:"pending_reason,omitempty"`

	// Unparsed counts the files whose parser could not be asked, as where no process
	// can be started: their symbols are by patterns, and the next run looks again.
	// The reason is that of one of them.
	Unparsed       int    `json:"unparsed,omitempty"`
	UnparsedReason string `json:"unparsed_reason,omitempty"`

	// Summaries counts what the language model wrote, and the tokens that took;
	// the reason says why it did not write all that is missing.
	Summaries     int    `json:"summaries,omitempty"`
	SummaryTokens int    `json:"summary_tokens,omitempty"`
	SummaryReason string `json:"summary_reason,omitempty"`

	// Renewed tells that every file is read again, because the documents of the
	// last run were made by the rules of another version.
	Renewed bool `json:"renewed,omitempty"`

	// Covered is what Coverage counts of the whole repository, for who waits in
	// the same process for the run to end; else nil.
	Covered *Covered `json:"-"`
}

// Covered counts the files of a repository. It does not change.
type Covered struct {
	models.MaskCount

	Indexed int
	Skipped map[models.SkipReason]int // by reason
}
