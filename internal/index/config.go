package index

import (
	"context"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/index/tell"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/run"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

const (
	defaultWorkers   = 2
	defaultHeartbeat = 500 * time.Millisecond
	defaultLeaseTTL  = 10 * time.Second
	defaultSettleFor = 5 * time.Minute
)

// Config is how a Service works. Zero fields mean the defaults.
type Config struct {
	ReposDir    string           // absolute folder for clones; "" refuses git URLs
	Exclude     []string         // absolute folders that are never indexed: the data directory
	Workers     int              // that parse and embed, of each job; default 2
	MaxFileSize int64            // bytes of the largest file to index; default 1 MiB
	Now         func() time.Time // default time.Now

	// Failed is told of jobs that failed, and why: what Job.Error doesn't say.
	Failed func(j jobs.Job, err error)

	// Outliner reads the languages that it speaks; nil leaves all to the
	// patterns of package parse.
	Outliner parse.Outliner

	// StoreContent keeps the text of files, credentials masked, for servers
	// that don't have the folders. Switched on or off, it takes effect on a
	// repository with its next run.
	StoreContent bool

	// ReadOnly leaves the store as it is: there are no jobs, and what was cut off
	// stays so.
	ReadOnly bool

	// GoOn is after how long the service first looks for vectors that a run had to
	// leave because the embedder was away; 0 leaves them to the next run.
	GoOn time.Duration

	// Summariser writes summaries where a run is asked for them; nil for none.
	// Price is that of a million tokens that it is sent, and writes.
	Summariser tell.Summariser
	Price      [2]float64

	// Beside opens an index for vectors of the configured embedder, where that is
	// not the one in use; nil where the store can't have one.
	Beside func(ctx context.Context) (*Beside, error)

	revision func() string // of what is read out of files; tests have others
	batch    int           // documents that fill a batch; tests have fewer

	// The rest counts for a Shared store only.

	// HandOver is set in servers. Such a process leaves its jobs to the other
	// servers when it is closed, and goes on with those of servers that are
	// gone. Any other cancels its jobs, for good.
	HandOver  bool
	Heartbeat time.Duration // how often a job shows that its process lives; default 500 ms
	LeaseTTL  time.Duration // how long a process may be silent before its jobs are taken over; default 10 s
	SettleFor time.Duration // how long a run waits for searches to see what it wrote; default 5 min
}

// options is what runs need of c, which has its defaults.
func (c Config) options() run.Options {
	return run.Options{
		Exclude: c.Exclude, Workers: c.Workers, MaxFileSize: c.MaxFileSize, Now: c.Now, Outliner: c.Outliner,
		StoreContent: c.StoreContent, Summariser: c.Summariser, SettleFor: c.SettleFor, Revision: c.revision, Batch: c.batch,
	}
}

// withDefaults is c with values for the fields that are not set.
func (c Config) withDefaults() Config {
	c.Workers = positive(c.Workers, defaultWorkers)
	c.MaxFileSize = positive(c.MaxFileSize, listing.DefaultMaxFileSize)
	c.Heartbeat = positive(c.Heartbeat, defaultHeartbeat)
	c.LeaseTTL = positive(c.LeaseTTL, defaultLeaseTTL)
	c.SettleFor = positive(c.SettleFor, defaultSettleFor)
	if c.revision == nil {
		c.revision = sync.OnceValue(revision) // which compiles the rules of masking
	}
	if c.Failed == nil {
		c.Failed = func(jobs.Job, error) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

func positive[T int | int64 | time.Duration](n, otherwise T) T {
	if n > 0 {
		return n
	}
	return otherwise
}
