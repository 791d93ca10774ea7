package index

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/index/run"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Beside is an index with vectors of another embedder, made beside the one in
// use. It outlives a process that dies over it.
type Beside struct {
	Store    records.Store
	Embedder run.Embedder
	// Adopt puts it in the place of the one in use and closes it.
	Adopt func(ctx context.Context) error
	// Close closes it for another time, unless it was adopted.
	Close func() error
}

const reembedTarget = "all repositories"

// startReembed starts the job that makes all vectors again by the configured
// embedder.
func (s *Service) startReembed(req StartRequest) (JobsResponse, error) {
	switch {
	case len(req.Targets) > 0 || req.RepoID != "" || req.Full || req.Each:
		return JobsResponse{}, fault.New(fault.InvalidRequest, "reembed makes all vectors of the index again; give it alone")
	case s.config.Beside == nil:
		return JobsResponse{}, fault.New(fault.InvalidRequest,
			"vectors on a cluster are not made again in place: set up another scope for the other embedder, index there, and "+
				"move the servers over (docs/couchbase.md)")
	case s.queue.Running("") != nil:
		return JobsResponse{},
			fault.New(fault.Conflict, "a job that makes vectors again, or clones, is under way; wait for it (`ragnav jobs`)")
	}
	j := jobs.New(jobs.Spec{Target: reembedTarget, Reembed: true}, s.config.Now)
	if err := s.queue.Launch([]*jobs.Handle{j}); err != nil {
		return JobsResponse{}, err
	}
	return oneJob(j.Snapshot()), nil
}

// reembed indexes all repositories into an index beside, and has that take the
// place of the one in use. Until then searches and runs go on in this one; what
// runs change meanwhile the next one changes again.
func (s *Service) reembed(ctx context.Context, j *jobs.Handle) error {
	j.Enter(jobs.Listing)
	b, err := s.config.Beside(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }() // what counts is committed
	c := s.config
	c.GoOn, c.Beside, c.HandOver = 0, nil, false
	inner, err := Open(ctx, b.Store, b.Embedder, c)
	if err != nil {
		return err
	}
	defer func() { _ = inner.Close() }()
	if err := s.reembedAll(ctx, j, inner); err != nil {
		return err
	}
	release, err := s.queue.Slot(ctx) // no other run may be under way when the index changes
	if err != nil {
		return err
	}
	defer release()
	s.starting.Lock()
	defer s.starting.Unlock()
	if err := s.reembedAll(ctx, j, inner); err != nil { // what came meanwhile
		return err
	}
	j.Enter(jobs.Committing)
	if err := inner.Close(); err != nil {
		return err
	}
	if err := b.Adopt(ctx); err != nil {
		return err
	}
	s.memory.Clear()
	return nil
}

// reembedAll brings the index beside to where this one is.
func (s *Service) reembedAll(ctx context.Context, j *jobs.Handle, inner *Service) error {
	here, err := records.Repositories(ctx, s.store)
	if err != nil {
		return err
	}
	there, err := records.Repositories(ctx, inner.store)
	if err != nil {
		return err
	}
	for id := range there {
		if _, ok := here[id]; !ok { // removed meanwhile
			if _, err := inner.Remove(ctx, RemoveRequest{RepoID: id}); err != nil {
				return err
			}
		}
	}
	for n, id := range slices.Sorted(maps.Keys(here)) {
		j.Update(func(v *jobs.Job) { v.Target = fmt.Sprintf("%s (%d of %d of %s)", id, n+1, len(here), reembedTarget) })
		if err := s.reembedOne(ctx, j, inner, here[id], there[id]); err != nil {
			return err
		}
	}
	j.Update(func(v *jobs.Job) { v.Target = reembedTarget })
	return nil
}

// reembedOne brings one repository there to where it is here.
func (s *Service) reembedOne(ctx context.Context, j *jobs.Handle, inner *Service, here, there models.Repository) error {
	if there.State == models.StateFresh && there.Pending == 0 && there.LastIndexedAt.After(here.LastIndexedAt) {
		return nil
	}
	if there.RepoID == "" {
		there = models.Repository{
			RepoID: here.RepoID, Root: here.Root, URL: here.URL, State: models.StateNever,
			SchemaVersion: models.SchemaVersion, Runs: here.Runs + 1, Summaries: here.Summaries,
		}
		if err := inner.store.Apply(ctx,
			models.Batch{PutRecords: []models.Record{records.RepositoryRecord(there)}}); err != nil {
			return err
		}
		if err := s.copySummaries(ctx, inner, here.RepoID); err != nil {
			return err
		}
	}
	if here.State != models.StateFresh {
		return nil // it has nothing to be searched
	}
	one := jobs.New(jobs.Spec{Target: here.Root, ID: here.RepoID, Root: here.Root, Update: true}, s.config.Now)
	if _, err := inner.submit(ctx, []*jobs.Handle{one}, false); err != nil {
		return err
	}
	ended, err := inner.Wait(ctx, one.ID, func(v jobs.Job) { j.Update(func(mine *jobs.Job) { follows(mine, v) }) })
	switch {
	case err != nil:
		return err
	case ended.State != jobs.Done:
		return fault.New(fault.Conflict, "%s: %s; the index is as it was, and `ragnav index --reembed` goes on from here",
			here.RepoID, *ended.Error)
	}
	if e, ok := inner.embed.(waker); ok && ended.Pending > 0 {
		if e.Ping(ctx); e.Away() != nil {
			return fault.New(fault.EmbedderUnavailable,
				"%s: %d vectors are missing: %s; the index is as it was, and `ragnav index --reembed` goes on from here",
				here.RepoID, ended.Pending, ended.PendingReason)
		}
	}
	return nil
}

// copySummaries takes what a model has written to the other index.
func (s *Service) copySummaries(ctx context.Context, inner *Service, id models.RepoID) error {
	var b models.Batch
	err := records.Each(ctx, s.store, records.SummariesCollection(id), func(key string, what records.Summary) {
		b.PutRecords = append(b.PutRecords, models.Record{Collection: records.SummariesCollection(id), Key: key, Value: what})
	})
	if err != nil || len(b.PutRecords) == 0 {
		return err
	}
	return inner.store.Apply(ctx, b)
}

// follows shows in a job how far one is that works for it.
func follows(mine *jobs.Job, one jobs.Job) {
	if !one.State.Final() {
		mine.State = one.State
	}
	mine.Total, mine.Done, mine.Pending, mine.Rate, mine.ETASeconds, mine.Committed = one.Total, one.Done, one.Pending,
		one.Rate, one.ETASeconds, 0
	mine.Embedded, mine.Reused, mine.Documents = one.Embedded, one.Reused, one.Documents
}
