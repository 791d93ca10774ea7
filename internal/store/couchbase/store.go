package couchbase

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/parallel"
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
	if err := s.prepare(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	s.done = parallel.Start(func() error { s.keepFresh(background); return nil })
	return s, nil
}

// prepare looks at what is in the cluster.
func (s *Store) prepare(ctx context.Context) error {
	if err := s.findCollections(ctx); err != nil {
		return err
	}
	return s.refresh(ctx)
}

// findCollections reads from both. To list them takes a right that nobody needs
// who only reads and writes documents.
func (s *Store) findCollections(ctx context.Context) error {
	for _, c := range []*gocb.Collection{s.documents, s.records} {
		if _, _, err := s.get(ctx, c, "-"); err != nil {
			return s.config.Failed(ctx, "look for the collection "+c.Name(), err)
		}
	}
	return nil
}

// Close ends the connection. What is under way fails. A second Close does nothing.
func (s *Store) Close() error {
	s.closing.Do(func() {
		s.stop()
		if s.done != nil {
			<-s.done //nolint:errcheck // it is over
		}
		if err := s.cluster.Close(nil); err != nil {
			s.closed = fmt.Errorf("close the connection to Couchbase: %w", err)
		}
	})
	return s.closed
}
