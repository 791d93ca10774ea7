// Package setup makes on a cluster what a store needs there.
package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// Options say how a cluster is set up. The zero value is right for a
// cluster of one's own. What is zero, and is there already, is left as it is.
type Options struct {
	Dims       int    // components of the vectors; 0: Config.Dims
	Similarity string // of vectors; "": l2_norm, the only one that searches take
	Partitions int    // of the search index; 0: as it has now, 1 for the first
	// of the indexes; 0: of the search index as it has now, none for the first; of new query indexes one where two nodes
	// have them
	Replicas       int
	BucketRAMMiB   int  // memory quota of a new bucket on each data node; 0: 512
	DropOld        bool // drop the search indexes of this scope that are not in use
	ExistingBucket bool // the bucket is made by hand, as in Capella: never make one
	Pace           Pace // the zero Pace is right for a real cluster
}

// A Pace says how often Run looks at what it waits for.
type Pace struct {
	Poll    time.Duration // between two looks
	Tell    time.Duration // between two lines about the same thing
	Stall   time.Duration // without progress, until that is told
	Passing time.Duration // how long what is new may still be refused, because a service has not heard of it
}

// minFailures are those that show that a failure does not pass, however long each
// takes on a busy machine.
const minFailures = 10

// over reports whether what has failed so often, and since then, does not pass.
func (p Pace) over(failures int, since time.Time) bool {
	return failures >= minFailures && time.Since(since) > p.Passing
}

var normalPace = Pace{
	Poll: 500 * time.Millisecond, Tell: 10 * time.Second, Stall: 2 * time.Minute,
	Passing: time.Minute,
}

// Run makes what a store needs: bucket, scope, collections, query indexes and
// the search index. It may be run again at any time: what is there and right is
// left alone.
//
// A search index that differs from what is asked (in dims, similarity, fields,
// analysers or scoring) keeps answering while its successor is built beside it
// under the next name; when that has every document, the record search_index
// names it, and all servers move over within half a minute. DropOld then drops
// what is not used any more, so it must not run beside another Run.
//
// Run waits as long as ctx lets it. Each line of progress, which may be nil,
// tells what was found or done. Errors are *fault.Error and say what to do, or
// the context's.
func Run(ctx context.Context, c driver.Config, o Options, progress func(line string)) error {
	if progress == nil {
		progress = func(string) {}
	}
	o.Pace = cmp.Or(o.Pace, normalPace)
	u := setup{config: c.WithDefaults(), options: o, progress: progress}
	return u.run(ctx)
}

// A setup is one Run.
type setup struct {
	config   driver.Config
	options  Options
	progress func(line string)
	nodes    driver.Pool // empty until makeCollections, and where the user may not see them
}

func (u *setup) say(format string, args ...any) { u.progress(fmt.Sprintf(format, args...)) }

func (u *setup) run(ctx context.Context) error {
	u.config.Dims = cmp.Or(u.options.Dims, u.config.Dims)
	if _, err := definition.New(definitionOptions(u.config, u.options, "8.0.0")); err != nil {
		return err
	}
	server, err := u.makeCollections(ctx)
	if err != nil {
		return err
	}
	s, err := couchbase.Open(ctx, u.config)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	server = cmp.Or(server, s.Version())
	if err := driver.CheckVersion(server); err != nil {
		return err
	}
	if err := makeQueryIndexes(ctx, u, s); err != nil {
		return err
	}
	return u.makeSearchIndex(ctx, s, server)
}

// makeCollections makes bucket, scope and collections over a connection of its
// own, for a store cannot be opened without them. It returns the version of the
// oldest server, "" when it may not be seen.
func (u *setup) makeCollections(ctx context.Context) (server string, err error) {
	cluster, err := connectReady(ctx, u.config)
	if err != nil {
		return "", err
	}
	defer func() { _ = cluster.Close(nil) }()
	if u.nodes, err = u.inspect(ctx); err != nil {
		return "", err
	}
	if err := makeBucket(ctx, u, cluster); err != nil {
		return "", err
	}
	return u.nodes.Version(), makeScope(ctx, u, cluster.Bucket(u.config.Bucket))
}

// connectReady connects and waits until the services answer that work without a
// bucket. It does not trust one connection for long: the driver can miss the
// configuration of the cluster when that comes before it listens for it, and
// then waits for the next change.
func connectReady(ctx context.Context, c driver.Config) (*gocb.Cluster, error) {
	services := []gocb.ServiceType{gocb.ServiceTypeManagement, gocb.ServiceTypeQuery, gocb.ServiceTypeSearch}
	end := time.Now().Add(c.ReadyTimeout)
	for patience := time.Second; ; patience *= 2 {
		cluster, err := driver.Connect(c)
		if err != nil {
			return nil, err
		}
		left := time.Until(end)
		attempt := c
		attempt.ReadyTimeout = min(patience, left)
		err = driver.AwaitReady(ctx, attempt, cluster, services)
		if err == nil {
			return cluster, nil
		}
		_ = cluster.Close(nil)
		if ctx.Err() != nil || patience >= left || errors.Is(err, gocb.ErrAuthenticationFailure) {
			return nil, err
		}
	}
}

// inspect tells what the cluster is and refuses one that cannot do.
func (u *setup) inspect(ctx context.Context) (driver.Pool, error) {
	p, err := driver.ReadPool(ctx, u.config)
	if err != nil {
		if ctx.Err() != nil {
			return driver.Pool{}, fmt.Errorf("look at the cluster: %w", ctx.Err())
		}
		u.say("the nodes of the cluster at %s and their quotas cannot be seen as user %q; going on without", u.config.ConnStr,
			u.config.Username)
		return driver.Pool{}, nil
	}
	u.say("cluster %s: %s, Couchbase %s", u.config.ConnStr, models.Counted(len(p.Nodes), "node"), p.Version())
	if err := driver.CheckVersion(p.Version()); err != nil {
		return driver.Pool{}, err
	}
	for _, service := range []struct{ name, is string }{
		{"kv", "Data"},
		{"n1ql", "Query"},
		{"index", "Index"},
		{"fts", "Search"},
	} {
		if p.Count(service.name) == 0 {
			return driver.Pool{},
				fault.New(fault.RAGUnavailable,
					"no node of the cluster at %s runs the %s service; ragnav needs the services Data, Query, Index and Search: add "+
						"a node with it, and rebalance",
					u.config.ConnStr, service.is)
		}
	}
	if p.SearchQuotaMiB > 0 && p.SearchQuotaMiB < minSearchQuota {
		u.say("warning: the Search service may use %d MiB of memory; vectors need %d or more, else searches and the index "+
			"run are refused (429): couchbase-cli setting-cluster --cluster-fts-ramsize 1024, or Settings in the console",
			p.SearchQuotaMiB, minSearchQuota)
	}
	for _, kind := range []struct{ index, service, is string }{
		{"a search index", "fts", "Search"},
		{"a query index", "index", "Index"},
	} {
		if have := p.Count(kind.service); u.options.Replicas >= have {
			u.say("warning: %s with %s needs %d nodes with the %s service; there are %d",
				kind.index, models.Counted(u.options.Replicas, "replica"), u.options.Replicas+1, kind.is, have)
		}
	}
	return p, nil
}

// minSearchQuota is the memory, in MiB, below which vectors are known to be a
// trouble. The server's default is half of it.
const minSearchQuota = 512
