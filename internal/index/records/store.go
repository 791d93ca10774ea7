// Package records is what an index run needs of a store, and what it keeps there
// beside documents: records of repositories, files, folders and embedder.
package records

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Store is what an index run reads from and writes to.
type Store interface {
	Reader
	Writer
	// Embeddings returns what the store has of the embeddings under those keys,
	// nil for an input without a vector. Near are documents that may have some; a
	// store may look at no others.
	Embeddings(ctx context.Context, keys []models.EmbeddingKey,
		near []models.DocumentID) (map[models.EmbeddingKey][]float32, error)
}

// A Reader reads documents and records.
type Reader interface {
	// Documents returns the documents of those ids; ids that don't exist are left out.
	Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error)
	// Record decodes the value under key into v and reports whether there is one.
	Record(ctx context.Context, collection, key string, v any) (bool, error)
	// Records calls yield for each record of a collection in key order until
	// yield returns an error, which Records then returns.
	Records(ctx context.Context, collection string, yield func(key string, value json.RawMessage) error) error
}

// A Writer changes a store. A run relies on a batch being atomic: a file's
// documents and its record are in one.
type Writer interface {
	Apply(ctx context.Context, b models.Batch) error
}

// A Shared is a store that several processes use at once. Its batches are not
// atomic, and its searches lag behind its writes.
type Shared interface {
	Store
	// Versioned is Record with the version of what it read; 0 means that there
	// is no such record.
	Versioned(ctx context.Context, collection, key string, v any) (version uint64, err error)
	// Swap puts v in place of the version that the caller has read, and returns
	// the new version. Version 0 creates the record, a nil v deletes it. When
	// another version is there it changes nothing and returns a fault.Conflict.
	// The record goes by itself after expiry; 0 means never.
	//
	// After any other error it is not known whether the record was changed.
	Swap(ctx context.Context, collection, key string, version uint64, v any, expiry time.Duration) (uint64, error)
	// CountOf is how many documents a repository has. It sees all that was
	// written before.
	CountOf(ctx context.Context, repo models.RepoID) (int, error)
	// Reconcile deletes the documents of a repository that are not among ids, and
	// returns how many those were and which of ids are not there. Only who has
	// the repository's lease may call it.
	Reconcile(ctx context.Context, repo models.RepoID, ids []models.DocumentID) (removed int, missing []models.DocumentID,
		err error)
	// Settle returns when searches see all that this process wrote.
	Settle(ctx context.Context) error
}

// A Folders says which folders of a repository have a module_summary.
type Folders struct {
	Dirs []string `json:"dirs"`
	// Dirty tells that a run changed files and did not come to an end: the
	// summaries may be older than the files.
	Dirty bool `json:"dirty,omitempty"`
	// Purge tells that the documents and file records of the repository were
	// about to be deleted: some may be gone and some still there.
	Purge bool `json:"purge,omitempty"`
	// Pending is how many summaries wait for their vectors.
	Pending int `json:"pending,omitempty"`
}

// Each decodes every record of a collection.
func Each[T any](ctx context.Context, st Reader, collection string, yield func(key string, v T)) error {
	return st.Records(ctx, collection, func(key string, value json.RawMessage) error {
		var v T
		if err := json.Unmarshal(value, &v); err != nil {
			return err
		}
		yield(key, v)
		return nil
	})
}

// Files lists the records of a repository's files.
func Files(ctx context.Context, st Reader, repo models.RepoID,
	yield func(key string, rec models.FileRecord),
) error {
	return files(ctx, st, repo, decodeRecord, yield)
}

// Brief is Files without the lists that records have.
func Brief(ctx context.Context, st Reader, repo models.RepoID, yield func(key string, rec models.FileRecord)) error {
	return files(ctx, st, repo, decodeBrief, yield)
}

func files(ctx context.Context, st Reader, repo models.RepoID, decode func([]byte, *models.FileRecord) error,
	yield func(key string, rec models.FileRecord),
) error {
	return st.Records(ctx, models.FilesCollection(repo), func(key string, value json.RawMessage) error {
		var rec models.FileRecord
		if err := decode(value, &rec); err != nil {
			return err
		}
		yield(key, rec)
		return nil
	})
}

// FoldersRecord is the record of a repository's folders, to be put into a store.
func FoldersRecord(id models.RepoID, set Folders) models.Record {
	return models.Record{Collection: models.CollectionMeta, Key: models.FoldersKey(id), Value: set}
}

// FoldersID names that record, to be deleted.
func FoldersID(id models.RepoID) models.RecordID {
	return models.RecordID{Collection: models.CollectionMeta, Key: models.FoldersKey(id)}
}

// FileCollections are the collections of what is known of a repository's files.
// They go with its documents.
func FileCollections(id models.RepoID) []models.RecordID {
	return []models.RecordID{
		{Collection: models.FilesCollection(id)},
		{Collection: models.ContentsCollection(id)},
		{Collection: SummariesCollection(id)},
	}
}

// PurgeBatch deletes the documents of a repository and what is known of its files.
func PurgeBatch(id models.RepoID) models.Batch {
	return models.Batch{DeleteRepos: []models.RepoID{id}, DeleteRecords: FileCollections(id)}
}
