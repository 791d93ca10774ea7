package couchbase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// checkTimeout caps each check: readiness is asked for every few seconds, and a
// cluster that hangs must not make it hang.
const checkTimeout = 3 * time.Second

// A check looks at one thing. An error is a check that failed, an errQuery one
// that could not be made because the Query service does not answer.
type check struct {
	name string
	look func(ctx context.Context, s *Store) (message string, err error)
}

// An errQuery is what was not found out without the Query service, with which
// searches go on.
type errQuery struct{ error }

func (e errQuery) Unwrap() error { return e.error }

// checks in the order they are told.
var checks = []check{
	{"couchbase", checkServices},
	{"couchbase_query", checkQuery},
	{"couchbase_version", checkServer},
	{"search_index", checkIndex},
	{"search_index_definition", checkDefinition},
	{"search_index_lag", checkLag},
}

func checkOf(ctx context.Context, s *Store, c check) models.Check {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	found := make(chan string, 1)
	done := parallel.Start(func() error {
		s.looking.RLock()
		defer s.looking.RUnlock()
		message, err := c.look(ctx, s)
		found <- message
		return err
	})
	// The driver does not end every call with the context.
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		default:
			err = ctx.Err()
		}
	}
	if err != nil {
		_, degraded := errors.AsType[errQuery](err)
		return models.Check{Name: c.name, Degraded: degraded, Message: explain(err)}
	}
	return models.Check{Name: c.name, OK: true, Message: <-found}
}

// explain is an error as the person in charge of the cluster may see it.
func explain(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("Couchbase did not answer within %v; look whether the cluster is up and not short of memory",
			checkTimeout)
	case errors.Is(err, context.Canceled):
		return "the check was cancelled before Couchbase answered"
	}
	return fault.MessageOf(err)
}

func checkServices(ctx context.Context, s *Store) (string, error) {
	// Ended by its own timeout: in the driver, a ping that is cancelled races
	// with itself.
	if silent := driver.Ask(context.WithoutCancel(ctx), s.bucket, driver.Needed).Services; len(silent) > 0 {
		return "", driver.ErrSilent(s.config, silent, nil)
	}
	return fmt.Sprintf("the services Data and Search of %s answer", s.config.ConnStr), nil
}

func checkQuery(ctx context.Context, s *Store) (string, error) {
	if silent := driver.Ask(context.WithoutCancel(ctx), s.bucket,
		[]gocb.ServiceType{gocb.ServiceTypeQuery}); len(silent.Services) > 0 {
		return "", errQuery{fault.New(fault.RAGUnavailable,
			"the Couchbase cluster at %s does not answer as Query: searches and files go on; indexing, coverage and lists of "+
				"jobs fail until it does", s.config.ConnStr)}
	}
	return "the Query service answers", nil
}

func checkServer(ctx context.Context, s *Store) (string, error) {
	version, err := versionOf(ctx, s)
	if err != nil {
		return "", errQuery{err}
	}
	if err := driver.CheckVersion(version); err != nil {
		return "", err
	}
	switch {
	case !driver.AtLeast(version, 7, 6, 4):
		return "Couchbase " + version +
			" works, but cannot filter before it looks for neighbours: searches by meaning take more and may miss some; " +
			"upgrade to 7.6.4 or later", nil
	case !driver.AtLeast(version, 8, 0):
		return "Couchbase " + version + "; it scores words by tf-idf, from 8.0 by BM25", nil
	}
	return "Couchbase " + version, nil
}

func checkIndex(ctx context.Context, s *Store) (string, error) {
	name, _, err := liveDefinition(ctx, s)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s of %s.%s", name, s.config.Bucket, s.config.Scope), nil
}

func checkDefinition(ctx context.Context, s *Store) (string, error) {
	name, live, err := liveDefinition(ctx, s)
	if err != nil {
		return "", err
	}
	version, err := versionOf(ctx, s)
	if err != nil {
		version = s.index().version
	}
	want, err := definition.New(definition.Options{
		Bucket: s.config.Bucket, Scope: s.config.Scope, Dims: s.config.Dims,
		BM25: driver.AtLeast(version, 8, 0),
	})
	if err != nil {
		return "", err
	}
	want.PlanParams = nil // how it is spread is up to who set it up
	list := definition.Differences(want, live)
	if slices.ContainsFunc(list, func(d definition.Difference) bool { return d.Bad }) {
		todo := "run `ragnav setup couchbase`, which builds another beside it"
		if dims := live.Vectors(s.config.Scope).Dims; dims > 0 && dims != s.config.Dims {
			todo = "use the embedder that the index was made for, or run `ragnav setup couchbase`, which builds another " +
				"beside it, and index again"
		}
		return "", fault.New(fault.RAGUnavailable, "%s is not as this program needs it: %s; %s", name,
			definition.Words(list), todo)
	}
	if len(list) > 0 {
		return fmt.Sprintf("%s can be used, but %s; `ragnav setup couchbase` mends that", name, definition.Words(list)), nil
	}
	return fmt.Sprintf("vectors of %d components, %s, and all fields", s.config.Dims, definition.Similarity), nil
}

// liveDefinition is the index in use as the server has it now.
func liveDefinition(ctx context.Context, s *Store) (name string, d definition.Index, err error) {
	name, _, err = definition.Live(ctx, s)
	if err != nil {
		return name, d, err
	}
	index, err := s.scope.SearchIndexes().GetIndex(name,
		&gocb.GetSearchIndexOptions{Timeout: s.config.OpTimeout, Context: ctx})
	switch {
	case driver.IsNoIndex(err):
		return name, d, driver.ErrNoIndex(name)
	case driver.IsForbidden(err):
		return name, d, driver.Refused(s.config, err)
	case err != nil:
		return name, d, s.config.Failed(ctx, "read the definition of the search index", err)
	}
	d, err = definition.Of(*index)
	return name, d, err
}
