package index

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// An admission decides which targets can be indexed beside each other and beside
// what is registered.
type admission struct {
	store   records.Store
	shared  bool // several servers use the store
	inPlace bool // vectors may be made again beside those in use
	embed   vectors.Embedder
	running func(models.RepoID) *jobs.Handle
}

// admit checks that the targets can be indexed beside each other and beside
// what is registered, and registers those that are new. It reports whether all
// vectors have to be made again before. launcher.starting is held.
func (a admission) admit(ctx context.Context, specs []jobs.Spec, full bool) (outdated bool, err error) {
	registered, err := records.Repositories(ctx, a.store)
	if err != nil {
		return false, err
	}
	if outdated, err = a.admitEmbedder(ctx, specs, registered, full); err != nil {
		return false, err
	}
	var batch models.Batch
	for i, sp := range specs {
		if j := a.running(sp.ID); j != nil && !a.shared { // else the lease says so
			return false, fault.Later(
				"%s is being indexed by job %s; wait for it or cancel it (`ragnav jobs cancel %s`)", sp.ID, j.ID, j.ID)
		}
		if err := a.admitOne(sp, specs[:i], registered); err != nil {
			return false, err
		}
		known, ok := registered[sp.ID]
		switch {
		case !ok && sp.URL == "":
			batch.PutRecords = append(batch.PutRecords, records.RepositoryRecord(models.Repository{
				RepoID: sp.ID, Root: sp.Root, State: models.StateNever, SchemaVersion: models.SchemaVersion,
			}))
		case ok && known.Root != sp.Root && a.moved(known, sp):
			known.Root = sp.Root
			batch.PutRecords = append(batch.PutRecords, records.RepositoryRecord(known))
		}
	}
	if len(batch.PutRecords) == 0 {
		return outdated, nil
	}
	return outdated, a.store.Apply(ctx, batch)
}

// admissible refuses what admit refuses, save targets that are being indexed.
// It registers nothing.
func (a admission) admissible(ctx context.Context, specs []jobs.Spec, full bool) error {
	registered, err := records.Repositories(ctx, a.store)
	if err != nil {
		return err
	}
	if _, err := a.admitEmbedder(ctx, specs, registered, full); err != nil {
		return err
	}
	for i, sp := range specs {
		if err := a.admitOne(sp, specs[:i], registered); err != nil {
			return err
		}
	}
	return nil
}

// admitOne refuses a target whose folder or id is taken. A repository of which
// nobody knows any more where it is, takes its id back.
func (a admission) admitOne(sp jobs.Spec, others []jobs.Spec, registered map[models.RepoID]models.Repository) error {
	if err := distinct(sp, others); err != nil {
		return err
	}
	known, ok := registered[sp.ID]
	if ok && known.Root != sp.Root && known.Root != "" && !a.sameClone(known, sp) && !a.moved(known, sp) {
		if sp.Named = true; a.moved(known, sp) {
			return fault.New(fault.Conflict,
				"the id %s belongs to %s, which is gone; if it is here now, `ragnav index --repo-id %[1]s %[3]s` goes on "+
					"with its index, and `ragnav remove %[1]s` forgets it", sp.ID, known.Root, sp.Root)
		}
		return fault.New(fault.Conflict,
			"the id %s belongs to %s; choose another with repo_id, or remove that one first (`ragnav remove %s`)", sp.ID,
			known.Root, sp.ID)
	}
	for _, known := range registered {
		if known.Root == sp.Root && known.RepoID != sp.ID {
			return fault.New(fault.Conflict,
				"%s is registered as %s; index it under that id, or remove that one first (`ragnav remove %s`)", sp.Root,
				known.RepoID, known.RepoID)
		}
	}
	return nil
}

// moved reports whether a target that was named so is a repository whose folder is no more
// where it was: the index goes on with it. Servers that share a store have not all folders.
func (a admission) moved(known models.Repository, sp jobs.Spec) bool {
	if a.shared || !sp.Named || sp.URL != "" || known.URL != "" || known.Root == "" {
		return false
	}
	_, err := os.Lstat(known.Root)
	return errors.Is(err, fs.ErrNotExist)
}

// sameClone reports whether a target is the repository that another server has
// cloned, to a folder of its own.
func (a admission) sameClone(known models.Repository, sp jobs.Spec) bool {
	return a.shared && sp.URL != "" && known.URL == sp.URL
}

// admitEmbedder keeps vectors of different embedders apart: an index belongs to
// the embedder that made it. It can change where a full run replaces the only
// repository there is, and where outdated vectors are made again before.
func (a admission) admitEmbedder(ctx context.Context, specs []jobs.Spec, registered map[models.RepoID]models.Repository,
	full bool,
) (outdated bool, err error) {
	err = records.CheckEmbedder(ctx, a.store, a.embed.Manifest())
	if err == nil || fault.CodeOf(err) != fault.IndexNotReady {
		return false, err
	}
	if _, known := registered[specs[0].ID]; full && len(specs) == 1 && known && len(registered) == 1 {
		return false, nil
	}
	if outdated, why := a.outdated(ctx); why != nil || outdated {
		return outdated, why
	}
	return false, err
}

// outdated reports whether the vectors are of an earlier built-in table, and can
// be made again by the one in use.
func (a admission) outdated(ctx context.Context) (bool, error) {
	stored, err := records.EmbedderOf(ctx, a.store)
	return err == nil && a.inPlace && a.embed.Manifest().Renews(stored), err
}

// distinct refuses a target that is the same repository as another.
func distinct(sp jobs.Spec, others []jobs.Spec) error {
	for _, o := range others {
		if o.ID == sp.ID || o.Root == sp.Root {
			return fault.New(fault.InvalidRequest,
				"the targets %q and %q are both repository %s; index them one by one, with repo_id", o.Target, sp.Target, sp.ID)
		}
	}
	return nil
}
