package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// The indexes of the Query service, for the statements of this package. There
// is no primary index: the service counts all documents of a collection
// without an index.
const (
	recordsIndex   = "ragnav_records_ck"     // on records(c, k): lists in key order
	documentsIndex = "ragnav_documents_repo" // on documents(repo_id): what a repository has
)

// A queryIndex is one of them.
type queryIndex struct {
	name, collection string
	keys             []string
}

var queryIndexes = []queryIndex{
	{recordsIndex, driver.RecordsCollection, []string{"c", "k"}},
	{documentsIndex, driver.DocumentsCollection, []string{fts.FieldRepo}},
}

const queryRoles = "Query Manage Index"

// makeQueryIndexes makes those that are not there, and waits until all answer.
func makeQueryIndexes(ctx context.Context, u *setup, s *couchbase.Store) error {
	for _, index := range queryIndexes {
		if err := makeQueryIndex(ctx, u, s.Scope().Collection(index.collection).QueryIndexes(), index); err != nil {
			return err
		}
	}
	return nil
}

// makeQueryIndex makes the index without its content, and has that built
// afterwards: a statement that builds lasts longer than any timeout.
func makeQueryIndex(ctx context.Context, u *setup, manager *gocb.CollectionQueryIndexManager, index queryIndex) error {
	have, err := queryIndexOf(ctx, u, manager, index)
	if err != nil {
		return err
	}
	if have != nil && have.State == "online" {
		u.say("query index %s: there", index.name)
		return nil
	}
	if have == nil {
		if err := createQueryIndex(ctx, u, manager, index); err != nil {
			return err
		}
	}
	if err := buildQueryIndex(ctx, u, manager, index); err != nil {
		return err
	}
	u.say("query index %s: made, %s", index.name, models.Counted(queryReplicas(u.options, u.nodes), "replica"))
	return nil
}

// queryReplicas is how many replicas a new query index gets: as many as asked
// for and possible. Nobody has asked: one, where there are nodes for it; the
// indexes are small, and lists fail while the only node with them is away.
func queryReplicas(options Options, nodes driver.Pool) int {
	return min(max(options.Replicas, 1), max(nodes.Count("index")-1, 0))
}

// queryIndexOf looks for the index; nil means that there is none.
func queryIndexOf(ctx context.Context, u *setup, manager *gocb.CollectionQueryIndexManager,
	index queryIndex,
) (*gocb.QueryIndex, error) {
	var all []gocb.QueryIndex
	err := insist(ctx, u.options.Pace, isUnknownKeyspace, func() (err error) {
		all, err = manager.GetAllIndexes(&gocb.GetAllQueryIndexesOptions{Timeout: u.config.OpTimeout, Context: ctx})
		return err
	})
	if err != nil {
		return nil, failed(ctx, u.config, "list the query indexes of "+index.collection, queryRoles, err)
	}
	i := slices.IndexFunc(all, func(have gocb.QueryIndex) bool { return have.Name == index.name })
	if i < 0 {
		return nil, nil
	}
	keys := strings.ReplaceAll(strings.Join(all[i].IndexKey, ","), "`", "")
	if want := strings.Join(index.keys, ","); keys != want || all[i].Condition != "" {
		return nil, fault.New(fault.Conflict,
			"the query index %s is on (%s), not on (%s); drop it and run this again: DROP INDEX `%s` ON `%s`.`%s`.`%s`",
			index.name, keys, want, index.name, u.config.Bucket, u.config.Scope, index.collection)
	}
	return &all[i], nil
}

func createQueryIndex(ctx context.Context, u *setup, manager *gocb.CollectionQueryIndexManager,
	index queryIndex,
) error {
	err := insist(ctx, u.options.Pace, isUnknownKeyspace, func() error {
		return manager.CreateIndex(index.name, index.keys, &gocb.CreateQueryIndexOptions{
			IgnoreIfExists: true, Deferred: true, NumReplicas: queryReplicas(u.options, u.nodes),
			Timeout: u.config.OpTimeout, Context: ctx,
		})
	})
	if err != nil && !inBackground(err) {
		return failed(ctx, u.config, "make the query index "+index.name, queryRoles, err)
	}
	return nil
}

// buildQueryIndex waits until the index is online, and has it built when
// nobody has done so.
func buildQueryIndex(ctx context.Context, u *setup, manager *gocb.CollectionQueryIndexManager,
	index queryIndex,
) error {
	told, began := time.Now(), time.Now()
	for {
		have, err := queryIndexOf(ctx, u, manager, index)
		if err != nil {
			return err
		}
		state := "not there yet"
		if have != nil {
			state = have.State
		}
		switch state {
		case "online":
			return nil
		case "deferred":
			_, err := manager.BuildDeferredIndexes(&gocb.BuildDeferredQueryIndexOptions{
				Timeout: u.config.OpTimeout,
				Context: ctx,
			})
			if err != nil && !inBackground(err) && !errors.Is(err, gocb.ErrTimeout) {
				return failed(ctx, u.config, "build the query index "+index.name, queryRoles, err)
			}
		}
		if time.Since(told) >= u.options.Pace.Tell {
			told = time.Now()
			u.say("query index %s: %s, for %v", index.name, state, time.Since(began).Round(time.Second))
		}
		if !driver.Pause(ctx, u.options.Pace.Poll) {
			return fmt.Errorf("wait for the query index %s: %w", index.name, ctx.Err())
		}
	}
}

// isUnknownKeyspace reports whether the Query service has not yet heard of a
// new collection.
func isUnknownKeyspace(err error) bool {
	query, ok := errors.AsType[*gocb.QueryError](err)
	if !ok {
		return false
	}
	return slices.ContainsFunc(query.Errors, func(e gocb.QueryErrorDesc) bool {
		return e.Code == 12003 || e.Code == 12021 || strings.Contains(e.Message, "not found in CB datastore")
	})
}

// inBackground reports whether the Index service goes on by itself, although
// it answered with an error: it is busy with another index.
func inBackground(err error) bool {
	text := strings.ToLower(said(err))
	return strings.Contains(text, "background") || strings.Contains(text, "already in progress")
}
