package index

import "github.com/ragnav/ragnav/internal/index/jobs"

// A Job is one index run as operations tell of it.
type Job = jobs.Job

// A JobState is where a job stands.
type JobState = jobs.State

// Covered counts the files of a repository.
type Covered = jobs.Covered

// The states of a job, in order; the last three are final.
const (
	JobQueued     = jobs.Queued
	JobListing    = jobs.Listing
	JobParsing    = jobs.Parsing
	JobEmbedding  = jobs.Embedding
	JobCommitting = jobs.Committing
	JobDone       = jobs.Done
	JobCancelled  = jobs.Cancelled
	JobFailed     = jobs.Failed
)
