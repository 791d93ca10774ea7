package setup

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

const searchRoles = "Search Admin"

// makeSearchIndex makes the search index, or a successor of one that is not as
// it should be, and verifies what the server has made of it.
func (u *setup) makeSearchIndex(ctx context.Context, s *couchbase.Store, server string) error {
	want, err := definition.New(definitionOptions(u.config, u.options, server))
	if err != nil {
		return err
	}
	want.PlanParams = &definition.PlanParams{IndexPartitions: u.options.Partitions, NumReplicas: u.options.Replicas}
	if by := want.Vectors(u.config.Scope).Similarity; by != definition.Similarity {
		u.say("warning: vectors compared by %s rank wrongly together with a filter; searches refuse them", by)
	}
	name, version, err := definition.Live(ctx, s)
	if err != nil {
		return err
	}
	have, err := u.searchIndexes(ctx, s)
	if err != nil {
		return err
	}
	live, exists := have[name]
	wrong := definition.Differences(want, live)
	switch {
	case !exists:
		err = u.buildIndex(ctx, s, want.As(name, definition.PlanParams{}))
	case len(wrong) == 0:
		u.say("search index %s: there, and as it should be", name)
	default:
		u.say("search index %s is not as it should be: %s", name, definition.Words(wrong))
		err = u.replaceIndex(ctx, s, want, replaced{name, version, have})
	}
	if err != nil {
		return err
	}
	if err := dropOld(ctx, u, s, exists && len(wrong) > 0); err != nil {
		return err
	}
	return u.verify(ctx, s, want)
}

// definitionOptions are those of the index for a server of that version.
func definitionOptions(config driver.Config, options Options, server string) definition.Options {
	return definition.Options{
		Bucket: config.Bucket, Scope: config.Scope, Dims: config.Dims, Similarity: options.Similarity,
		Partitions: options.Partitions, Replicas: options.Replicas, BM25: server != "" && driver.AtLeast(server, 8, 0),
	}
}

// searchIndexes are the indexes of the scope by name.
func (u *setup) searchIndexes(ctx context.Context, s *couchbase.Store) (map[string]definition.Index, error) {
	all, err := s.Scope().SearchIndexes().GetAllIndexes(&gocb.GetAllSearchIndexOptions{
		Timeout: u.config.OpTimeout,
		Context: ctx,
	})
	if err != nil {
		return nil, failed(ctx, u.config, "list the search indexes", searchRoles, err)
	}
	have := map[string]definition.Index{}
	for _, index := range all {
		d, err := definition.Of(index)
		if err != nil {
			return nil, failed(ctx, u.config, "read the search index "+index.Name, searchRoles, err)
		}
		// Some servers give the whole name, bucket.scope.name.
		have[strings.TrimPrefix(index.Name, u.config.Bucket+"."+u.config.Scope+".")] = d
	}
	return have, nil
}

// replaced is the index that is not as it should be.
type replaced struct {
	name    string
	version uint64 // of the record that names it
	have    map[string]definition.Index
}

// replaceIndex builds the successor of an index and lets servers move over.
func (u *setup) replaceIndex(ctx context.Context, s *couchbase.Store, want definition.Index, old replaced) error {
	name, there := successor(want, old)
	var err error
	if there {
		u.say("search index %s: there, from an earlier run", name)
		err = awaitIndexed(ctx, u, s, name)
	} else {
		u.say("search index %s: being built beside it; %s goes on answering", name, old.name)
		err = u.buildIndex(ctx, s, want.As(name, *cmp.Or(old.have[old.name].PlanParams, &definition.PlanParams{})))
	}
	if err != nil {
		return err
	}
	_, err = s.Swap(ctx, store.CollectionMeta, definition.LiveIndexKey, old.version, definition.LiveRecord{Name: name}, 0)
	if fault.CodeOf(err) == fault.Conflict {
		return fault.Wrap(fault.Conflict, err,
			"another run of `ragnav setup couchbase` has changed the search index meanwhile; run this again")
	}
	if err == nil {
		u.say("search index %s: in use from now on; servers move over within %v", name, u.config.RefreshEvery)
		tellVectors(u, want, old.have[old.name])
	}
	return err
}

// tellVectors tells what a new index does not have: documents keep the vectors
// that they were written with.
func tellVectors(u *setup, want, old definition.Index) {
	if now, before := want.Vectors(u.config.Scope).Dims, old.Vectors(u.config.Scope).Dims; now != before && before > 0 {
		u.say("vectors of %d components are not searched any more: start the servers with the embedder that makes %d, and "+
			"index all repositories again; until then searches go by words", before, now)
	}
}

// buildIndex makes an index and waits until it has all documents.
func (u *setup) buildIndex(ctx context.Context, s *couchbase.Store, d definition.Index) error {
	index, err := d.ForServer()
	if err != nil {
		return failed(ctx, u.config, "make the search index "+d.Name, searchRoles, err)
	}
	err = insist(ctx, u.options.Pace, isUnknownCollection, func() error {
		return s.Scope().SearchIndexes().UpsertIndex(index,
			&gocb.UpsertSearchIndexOptions{Timeout: max(u.config.OpTimeout, time.Minute), Context: ctx})
	})
	if err != nil && !isExisting(err) {
		return failed(ctx, u.config, "make the search index "+d.Name, searchRoles, err)
	}
	u.say("search index %s: made; waiting until it has every document", d.Name)
	return awaitIndexed(ctx, u, s, d.Name)
}

// isUnknownCollection reports whether the Search service has not yet heard of a
// new collection.
func isUnknownCollection(err error) bool {
	text := said(err)
	return strings.Contains(text, "doesn't belong to scope") || strings.Contains(text, "not found in bucket")
}

// verify looks at what the server has made of the definition in use.
func (u *setup) verify(ctx context.Context, s *couchbase.Store, want definition.Index) error {
	name, _, err := definition.Live(ctx, s)
	if err != nil {
		return err
	}
	index, err := s.Scope().SearchIndexes().GetIndex(name,
		&gocb.GetSearchIndexOptions{Timeout: u.config.OpTimeout, Context: ctx})
	var live definition.Index
	if err == nil {
		live, err = definition.Of(*index)
	}
	if err != nil {
		return failed(ctx, u.config, "read the search index "+name, searchRoles, err)
	}
	if wrong := definition.Differences(want, live); len(wrong) > 0 {
		return fault.New(fault.RAGUnavailable,
			"the server did not take the search index %s as it was asked to: %s; look whether all nodes run the same version",
			name, definition.Words(wrong))
	}
	plan, vectors := cmp.Or(live.PlanParams, &definition.PlanParams{}), live.Vectors(u.config.Scope)
	u.say("verified: search index %s.%s.%s with vectors of %d components, %s, %s, %s, words scored by %s",
		u.config.Bucket, u.config.Scope, name, vectors.Dims, vectors.Similarity,
		models.Counted(plan.IndexPartitions, "partition"), models.Counted(plan.NumReplicas, "replica"),
		cmp.Or(live.Params.Mapping.ScoringModel, "tf-idf"))
	return nil
}
