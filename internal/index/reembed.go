package index

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Beside is an index with vectors of another embedder, made beside the one in
// use. It outlives a process that dies over it.
type Beside struct {
	Store    records.Store
	Embedder vectors.Embedder
	// Adopt puts it in the place of the one in use and closes it.
	Adopt func(ctx context.Context) error
	// Close closes it for another time, unless it was adopted.
	Close func() error
}

const reembedTarget = "all repositories, to make their vectors again"

// A reembedding makes an index beside the one in use, with other vectors.
type reembedding struct {
	here, there *Service
	job         *jobs.Handle
}

// reembed indexes all repositories into an index beside, and has that take the
// place of the one in use. Until then searches and runs go on in this one; what
// runs change meanwhile the next one changes again.
func reembed(ctx context.Context, s *Service, j *jobs.Handle) error {
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
	r := reembedding{here: s, there: inner, job: j}
	if err := r.all(ctx); err != nil {
		return err
	}
	release, err := s.queue.Slot(ctx) // no other run may be under way when the index changes
	if err != nil {
		return err
	}
	defer release()
	s.launch.starting.Lock()
	defer s.launch.starting.Unlock()
	if err := r.all(ctx); err != nil { // what came meanwhile
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

// all brings the index beside to where this one is.
func (r reembedding) all(ctx context.Context) error {
	here, err := records.Repositories(ctx, r.here.store)
	if err != nil {
		return err
	}
	there, err := records.Repositories(ctx, r.there.store)
	if err != nil {
		return err
	}
	for id := range there {
		if _, ok := here[id]; !ok { // removed meanwhile
			if _, err := r.there.Remove(ctx, RemoveRequest{RepoID: id}); err != nil {
				return err
			}
		}
	}
	for n, id := range slices.Sorted(maps.Keys(here)) {
		r.job.Update(func(v *jobs.Job) { v.Target = fmt.Sprintf("%s (%d of %d of %s)", id, n+1, len(here), reembedTarget) })
		if err := r.one(ctx, here[id], there[id]); err != nil {
			return err
		}
	}
	r.job.Update(func(v *jobs.Job) { v.Target = reembedTarget })
	return nil
}

// one brings one repository there to where it is here.
func (r reembedding) one(ctx context.Context, here, there models.Repository) error {
	if there.State == models.StateFresh && there.Pending == 0 && there.LastIndexedAt.After(here.LastIndexedAt) {
		return nil
	}
	if there.RepoID == "" {
		there = models.Repository{
			RepoID: here.RepoID, Root: here.Root, URL: here.URL, State: models.StateNever,
			SchemaVersion: models.SchemaVersion, Runs: here.Runs + 1, Summaries: here.Summaries,
		}
		if err := r.there.store.Apply(ctx,
			models.Batch{PutRecords: []models.Record{records.RepositoryRecord(there)}}); err != nil {
			return err
		}
		if err := r.copySummaries(ctx, here.RepoID); err != nil {
			return err
		}
	}
	if here.State != models.StateFresh {
		return nil // it has nothing to be searched
	}
	one := jobs.New(jobs.Spec{Target: here.Root, ID: here.RepoID, Root: here.Root, Update: true}, r.here.config.Now)
	if _, err := r.there.launch.submit(ctx, []*jobs.Handle{one}, false); err != nil {
		return err
	}
	ended, err := r.there.Wait(ctx, one.ID, r.job.Mirror)
	switch {
	case err != nil:
		return err
	case ended.State != jobs.Done:
		return fault.New(fault.Conflict, "%s: %s; the index is as it was, and `ragnav index --reembed` goes on from here",
			here.RepoID, *ended.Error)
	}
	if e, ok := r.there.embed.(waker); ok && ended.Pending > 0 {
		if e.Ping(ctx); e.Away() != nil {
			return fault.New(fault.EmbedderUnavailable,
				"%s: %d vectors are missing: %s; the index is as it was, and `ragnav index --reembed` goes on from here",
				here.RepoID, ended.Pending, ended.PendingReason)
		}
	}
	return nil
}

// copySummaries takes what a model has written to the other index.
func (r reembedding) copySummaries(ctx context.Context, id models.RepoID) error {
	var b models.Batch
	err := records.Each(ctx, r.here.store, records.SummariesCollection(id), func(key string, what records.Summary) {
		b.PutRecords = append(b.PutRecords, models.Record{Collection: records.SummariesCollection(id), Key: key, Value: what})
	})
	if err != nil || len(b.PutRecords) == 0 {
		return err
	}
	return r.there.store.Apply(ctx, b)
}
