package couchbase

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// A Store is a connection to one scope of a cluster. Its methods may be called
// concurrently, by several processes too.
type Store struct {
	config     driver.Config
	durability gocb.DurabilityLevel
	cluster    *gocb.Cluster
	bucket     *gocb.Bucket
	scope      *gocb.Scope
	documents  *gocb.Collection
	records    *gocb.Collection
	analyser   *fts.Analyser

	live   atomic.Pointer[liveIndex] // see index
	tokens tokens                    // of the documents written and not known to be searchable
	lag    lagWatch                  // see checkLag

	looking sync.RWMutex // held for reading by checks, which may outlive who asked: see checkOf
	closing sync.Once
	stop    context.CancelFunc // of what runs in the background
	done    <-chan error       // of that
	closed  error
}

var (
	_ store.Store   = (*Store)(nil)
	_ store.Shared  = (*Store)(nil)
	_ store.Checker = (*Store)(nil)
)

// Open connects and waits until the services Data and Search answer. A cluster
// that does not, or without the bucket, scope or collections, is
// fault.RAGUnavailable. Without the Query service searches and files work, and
// the checks say what does not. A
// scope without its search index opens: documents and records work, searches
// say that the index is missing until there is one. The same goes for an index
// whose vectors are not of Config.Dims components.
func Open(ctx context.Context, c driver.Config) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c = c.WithDefaults()
	durability, err := c.DurabilityLevel()
	if err != nil {
		return nil, err
	}
	cluster, err := driver.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	bucket := cluster.Bucket(c.Bucket)
	scope := bucket.Scope(c.Scope)
	s := &Store{
		config: c, durability: durability, cluster: cluster, bucket: bucket, scope: scope,
		documents: scope.Collection(driver.DocumentsCollection), records: scope.Collection(driver.RecordsCollection),
		analyser: fts.NewAnalyser(),
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	if err := prepare(ctx, s); err != nil {
		_ = s.Close()
		return nil, err
	}
	s.done = parallel.Start(func() error { keepFresh(background, s); return nil })
	return s, nil
}

// prepare looks at what is in the cluster.
func prepare(ctx context.Context, s *Store) error {
	if err := findCollections(ctx, s); err != nil {
		return err
	}
	return refresh(ctx, s)
}

// findCollections reads from both. To list them takes a right that nobody needs
// who only reads and writes documents.
func findCollections(ctx context.Context, s *Store) error {
	for _, c := range []*gocb.Collection{s.documents, s.records} {
		if _, _, err := s.get(ctx, c, "-"); err != nil {
			return s.config.Failed(ctx, "look for the collection "+c.Name(), err)
		}
	}
	return nil
}

// Close ends the connection. What is under way fails, but for checks, which have
// their time: a ping beside Cluster.Close makes the driver panic (gocb v2.11.1,
// stdConnectionMgr: its WaitGroup is reused). A second Close does nothing.
func (s *Store) Close() error {
	s.closing.Do(func() {
		s.stop()
		if s.done != nil {
			<-s.done //nolint:errcheck // it is over
		}
		select {
		case <-parallel.Start(func() error { s.looking.Lock(); defer s.looking.Unlock(); return nil }): //nolint:errcheck // there is none
		case <-time.After(checkTimeout):
		}
		if err := s.cluster.Close(nil); err != nil {
			s.closed = fmt.Errorf("close the connection to Couchbase: %w", err)
		}
	})
	return s.closed
}

// Checks looks at everything that answers rely on: services, the server's
// version, the search index in use, its definition, and how far it is behind
// the documents. All are looked at side by side, each for at most 3 seconds,
// and always told, in this order. Message says what was found, and what to do
// when it is not right. While the services Data and Search answer, what only the
// Query service could tell or do is degraded rather than failed.
func (s *Store) Checks(ctx context.Context) []models.Check {
	found := make([]models.Check, len(checks))
	all, ctx := parallel.NewGroup(ctx)
	for i, c := range checks {
		all.Go(func() error {
			found[i] = checkOf(ctx, s, c)
			return nil
		})
	}
	_ = all.Wait() // checks tell their errors themselves
	for i := range found {
		found[i].Degraded = found[i].Degraded && found[0].OK
		found[i].OK = found[i].OK || found[i].Degraded
	}
	return found
}

// Settle returns when searches see all documents that this process has written
// or deleted before. How long that takes is up to the Search service, so give
// the context a deadline. After a failover that gave partitions another
// history, the service cannot tell any more; then Settle only makes sure that
// it answers.
func (s *Store) Settle(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	waitFor := s.tokens.list()
	if len(waitFor) == 0 {
		return nil
	}
	for n := uint32(0); ; n++ {
		err := onIndex(ctx, s, func(live liveIndex) error { return seen(ctx, s, live, waitFor) })
		switch {
		case err == nil:
			s.tokens.forget(waitFor)
			return nil
		case errors.Is(err, errOtherHistory) && n >= driver.MaxRetries:
			s.tokens.forget(waitFor)
			waitFor = nil
		case !errors.Is(err, errOtherHistory) && !errors.Is(err, errBehind) && !errors.Is(err, gocb.ErrTimeout):
			return s.config.Failed(ctx, "wait for the search index", err)
		}
		if !driver.Pause(ctx, driver.Backoff(min(n, driver.MaxRetries))) {
			return s.config.Failed(ctx, "wait for the search index", ctx.Err())
		}
	}
}

// index is what is known of the live index.
func (s *Store) index() liveIndex { return *s.live.Load() }

// Scope is the scope of the store as the driver has it, for package setup.
func (s *Store) Scope() *gocb.Scope { return s.scope }

// Version is that of the server: "7.6.5-5704-enterprise"; "" when nobody tells.
func (s *Store) Version() string { return s.index().version }
