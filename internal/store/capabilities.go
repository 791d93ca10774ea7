package store

import (
	"context"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// What only some stores can do. Packages app and index ask a store for them, and no
// others; index, which imports no store, declares those that it uses for itself, and
// app has the compiler compare. Package storetest lists them by name, and holds each
// store to its list.

// A Pinner can show one state to all the reading of a request.
//
// Without it: each read sees what is there by then.
type Pinner interface {
	// Pin returns a context under which all reading sees the state of now, until release.
	Pin(ctx context.Context) (pinned context.Context, release func(), err error)
}

// An Overlayer can show documents over those that it stores.
//
// Without it: files that changed since they were indexed are told and not searched.
type Overlayer interface {
	// Overlay returns a context under which all reading sees the overlay, until release.
	Overlay(ctx context.Context, o models.Overlay) (over context.Context, release func(), err error)
}

// A Drafter gathers changes of a repository unseen, until they are published at once.
//
// Without it: readers see a run's batches as they come.
type Drafter interface {
	// AppendDraft adds a batch, durably, to what is gathered under a label.
	AppendDraft(ctx context.Context, id models.RepoID, label string, b Batch) error
	// ReadDraft calls yield with each batch that was gathered, in order. The values
	// of records are json.RawMessage.
	ReadDraft(ctx context.Context, id models.RepoID, yield func(label string, b Batch) error) error
	// PublishDraft carries out all of it, and tells progress how many batches are
	// done. An error of the context means that nothing has happened; after another
	// one the store may go on later.
	PublishDraft(ctx context.Context, id models.RepoID, progress func(done, total int)) error
	// DropDraft forgets it.
	DropDraft(ctx context.Context, id models.RepoID) error
}

// A Compacter can make its files smaller.
//
// Without it: the files are on other machines, which see to it.
type Compacter interface {
	// Compact tells progress how far it is, from 0.
	Compact(ctx context.Context, progress func(done, total int)) error
}

// A Loser knows which repositories lost a part of their index to damage.
//
// Without it: a cluster keeps replicas, and says itself what it lost.
type Loser interface {
	Lost() []models.Repository
}

// An Announcer keeps the address of the one server that has it open.
//
// Without it: nobody owns the store, and every server answers from it.
type Announcer interface {
	// Announce keeps addr, host:port, until the store is closed.
	Announce(addr string) error
}

// A Settler is a store whose searches lag behind its writes.
//
// Without it: a search sees what was applied before.
type Settler interface {
	// Settle returns when searches see all that this process has applied.
	Settle(ctx context.Context) error
}

// A Shared store is one that several processes change at once. Its batches are not
// atomic.
//
// Without it: one process has the store open to be written.
type Shared interface {
	Settler
	// Versioned is Record with the version of what it read; 0 means that there is no
	// such record.
	Versioned(ctx context.Context, collection, key string, v any) (version uint64, err error)
	// Swap puts v in place of the version that the caller has read, and returns the
	// new version. Version 0 creates the record, a nil v deletes it. When another
	// version is there it changes nothing and returns a fault.Conflict. The record
	// goes by itself after expiry; 0 means never. After any other error it is not
	// known whether the record was changed.
	Swap(ctx context.Context, collection, key string, version uint64, v any, expiry time.Duration) (uint64, error)
	// CountOf is how many documents a repository has. It sees all that was written before.
	CountOf(ctx context.Context, repo models.RepoID) (int, error)
	// Reconcile deletes the documents of a repository that are not among ids, and
	// returns how many those were and which of ids are not there.
	Reconcile(
		ctx context.Context, repo models.RepoID, ids []models.DocumentID,
	) (removed int, missing []models.DocumentID, err error)
}

// A Checker knows more of its state than that it answers.
//
// Without it: ready means that its records can be read.
type Checker interface {
	Checks(ctx context.Context) []models.Check
}
