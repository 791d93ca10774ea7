package jobs

import (
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// The collections of records that servers share.
const (
	jobsCollection   = "jobs"   // job id → Record
	leasesCollection = "leases" // repo_id → leaseRecord
)

// keptFor is how long the record of a job stays that has ended.
const keptFor = 7 * 24 * time.Hour

// A leaseRecord says which job has a repository. It is there for as long as
// the job has not ended.
type leaseRecord struct {
	JobID string `json:"job_id"`
}

// A Record is a job on the board. Only its holder changes it, with three
// exceptions: anybody may set CancelRequested, and when the holder is gone,
// anybody may become the holder or end the job.
type Record struct {
	Job     Job        `json:"job"`
	Created time.Time  `json:"created"`
	Server  string     `json:"server"` // the holder's name, or that of the last one
	Spec    SpecRecord `json:"spec"`
	Removal bool       `json:"removal,omitempty"` // not a run: see job.removal

	pulse
	CancelRequested bool `json:"cancel_requested,omitempty"`
}

// A pulse tells whether a job's holder lives: while it does, Heartbeat goes up.
type pulse struct {
	Holder    string `json:"holder,omitempty"` // random, of a process; empty when the job waits for one, or has ended
	Term      int    `json:"term"`             // how often the job has changed hands
	Heartbeat uint64 `json:"heartbeat"`
}

// held reports whether p and q are of the same holder, who has not let go.
func (p pulse) held(q pulse) bool { return p.Holder == q.Holder && p.Term == q.Term && p.Holder != "" }

// A SpecRecord is what another server needs to run a job.
type SpecRecord struct {
	Target string        `json:"target"` // as it is shown
	URL    string        `json:"url,omitempty"`
	Root   string        `json:"root"`
	RepoID models.RepoID `json:"repo_id"`
	Full   bool          `json:"full,omitempty"`
	// Inferred is the id that the folder itself suggests: a folder with the
	// same path on another machine may be another one.
	Inferred models.RepoID `json:"inferred,omitempty"`
	// Embedder is that of the server that began: only one with the same goes on.
	Embedder embed.Manifest `json:"embedder"`
	// Secret tells that the URL has credentials, which are not here.
	Secret bool `json:"secret,omitempty"`
}

// ended is the record of a job that nobody holds and that came out that way.
func (r Record) ended(state State, message string, now time.Time) Record {
	r.Job.State, r.Job.Error, r.Job.FinishedAt = state, new(message), new(now.UTC())
	r.Job.ETASeconds, r.Holder = 0, ""
	return r
}

// waiting is the record of a job that another server is to go on with.
func (r Record) waiting() Record {
	v := r.Job
	r.Job = Job{ID: v.ID, RepoID: v.RepoID, Target: v.Target, State: Queued, StartedAt: v.StartedAt}
	r.Holder = ""
	r.Heartbeat++
	return r
}
