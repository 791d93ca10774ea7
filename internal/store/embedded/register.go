package embedded

import (
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

// registeringOf looks for records of repositories in a batch; known are the
// registrations before it.
func registeringOf(b store.Batch, known *disk.Registrations) (r registering) {
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
		before, _ := known.Get(repo.RepoID)
		if mends(repo) && (before.Damaged == "" || before.Demoted) { // else what there is goes first
			r.mended = append(r.mended, now)
		}
		now.Damaged, now.Demoted = before.Damaged, before.Demoted
		r.put = append(r.put, now)
	}
	return r
}

// mends reports whether a record says that a run ended well.
func mends(r models.Repository) bool { return r.State == models.StateFresh && r.LastError == "" }

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
