package embedded

import (
	"context"
	"encoding/json"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// A registering is what a batch does to the registrations: new ones are written
// before it is committed, those that are gone are removed after.
type registering struct {
	put, mended []disk.Registration
	remove      []models.RepoID
}

// registering looks for records of repositories in a batch.
func (s *Store) registering(b store.Batch) (r registering) {
	for _, id := range b.DeleteRecords {
		if id.Collection == models.CollectionRepos {
			r.remove = append(r.remove, models.RepoID(id.Key))
		}
	}
	for _, rec := range b.PutRecords {
		if rec.Collection != models.CollectionRepos {
			continue
		}
		repo, ok := repositoryOf(rec)
		if !ok {
			continue
		}
		now := disk.RegistrationOf(repo)
		if repo.State == models.StateFresh && repo.LastError == "" {
			r.mended = append(r.mended, now)
		}
		if before, ok := s.registrations.Get(repo.RepoID); ok {
			now.Damaged, now.Demoted = before.Damaged, before.Demoted
		}
		r.put = append(r.put, now)
	}
	return r
}

// repositoryOf is a repository's record, as it is or as a draft has it.
func repositoryOf(rec store.Record) (r models.Repository, ok bool) {
	switch value := rec.Value.(type) {
	case models.Repository:
		r = value
	case json.RawMessage:
		if json.Unmarshal(value, &r) != nil {
			return r, false
		}
	}
	return r, string(r.RepoID) == rec.Key
}

// Lost are the repositories of which a part was lost, as they have to be indexed
// again.
func (s *Store) Lost() (lost []models.Repository) {
	for _, r := range s.registrations.All() {
		if r.Damaged != "" {
			lost = append(lost, r.Record())
		}
	}
	return lost
}

// reconcileRegistrations makes the registrations those of the index, save for
// repositories that are to be indexed again.
func (s *Store) reconcileRegistrations(ctx context.Context) error {
	if err := s.importMissing(ctx); err != nil {
		return err
	}
	var gone []models.RepoID
	for _, r := range s.registrations.All() {
		found, err := s.Record(ctx, models.CollectionRepos, string(r.RepoID), nil)
		if err != nil {
			return err
		}
		if !found && r.Damaged == "" {
			gone = append(gone, r.RepoID)
		}
	}
	return s.registrations.Change(nil, gone)
}

// importMissing makes registrations of the records that have none.
func (s *Store) importMissing(ctx context.Context) error {
	var missing []disk.Registration
	err := s.records(ctx, models.CollectionRepos, func(key string, value json.RawMessage) error {
		var r models.Repository
		if json.Unmarshal(value, &r) != nil || r.RepoID == "" {
			return nil //nolint:nilerr // a record that is none has no registration
		}
		if _, ok := s.registrations.Get(models.RepoID(key)); !ok {
			missing = append(missing, disk.RegistrationOf(r))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.registrations.Change(missing, nil)
}

// importRegistrations makes registrations, in memory, of what the index knows;
// where it lost something, of what the rows and the seals know as well.
func (s *Store) importRegistrations(ctx context.Context) error {
	var found []disk.Registration
	known := map[models.RepoID]bool{}
	for _, r := range s.registrations.All() {
		known[r.RepoID] = true
	}
	err := s.records(ctx, models.CollectionRepos, func(_ string, value json.RawMessage) error {
		var r models.Repository
		if json.Unmarshal(value, &r) != nil || r.RepoID == "" || known[r.RepoID] {
			return nil //nolint:nilerr // as above
		}
		found, known[r.RepoID] = append(found, disk.RegistrationOf(r)), true
		return nil
	})
	named := func(id models.RepoID) {
		if !known[id] {
			found, known[id] = append(found, disk.Registration{RepoID: id}), true
		}
	}
	for _, l := range s.losses {
		for _, id := range l.repos {
			named(id)
		}
	}
	if err == nil && len(s.losses) > 0 {
		rows := s.rows.Snapshot()
		defer rows.Release()
		err = eachLive(rows, func(_ int, h models.Header) { named(h.RepoID) })
	}
	s.registrations.Pretend(found)
	return err
}

// shown is the record of a repository as readers see it: one that lost a part of
// its index can't answer, whatever its record says, unless it is being indexed.
func (s *Store) shown(key string, value json.RawMessage) (json.RawMessage, error) {
	reg, ok := s.registrations.Get(models.RepoID(key))
	if !ok || reg.Damaged == "" {
		return value, nil
	}
	shown := reg.Record()
	if value != nil && json.Unmarshal(value, &shown) == nil {
		if shown.State == models.StateIndexing {
			return value, nil
		}
	}
	shown.State, shown.LastError = models.StateError, reg.Damaged
	return json.Marshal(shown)
}
