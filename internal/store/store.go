// Package store names everything that a backend must do. Only commands, wiring
// and storetest import it; operations declare the few methods they use.
package store

import (
	"context"
	"encoding/json"
	"io"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Store is a complete backend. storetest.Run is its executable definition.
// All methods may be called concurrently. Errors are *fault.Error or context
// errors; a backend that does not answer is fault.RAGUnavailable.
type Store interface {
	Searcher
	Reader
	Writer
	io.Closer
}

// A Searcher executes search requests against a consistent snapshot.
type Searcher interface {
	// Search runs req. Requests that fts.Request.Check refuses are errors.
	Search(ctx context.Context, req fts.Request) (fts.Result, error)
}

// A Reader reads documents and records.
type Reader interface {
	// Documents returns the documents of those ids in that order, without Text
	// and Embedding. Ids that don't exist are left out.
	Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error)
	// Record decodes the value under key into v, which may be nil, and reports
	// whether there is one.
	Record(ctx context.Context, collection, key string, v any) (bool, error)
	// Records calls yield for each record of a collection in key order until
	// yield returns an error, which Records then returns.
	Records(ctx context.Context, collection string, yield func(key string, value json.RawMessage) error) error
	// Embeddings returns what embedders made under those keys, as far as it can be
	// had without searching for it: a key that is not in the map may be in the
	// store still, one that is with nil stands for an input without a vector. Near
	// are documents that may have some of them; a store may look at no others. To
	// put a document with an embedding from here is to put it with the first one.
	Embeddings(ctx context.Context, keys []models.EmbeddingKey,
		near []models.DocumentID) (map[models.EmbeddingKey][]float32, error)
}

// A Writer changes a store.
type Writer interface {
	// Apply carries out b. The embedded store does it atomically and durably:
	// when Apply returns nil, b survives a crash; when the process dies before,
	// all of b is there or nothing. Other stores may apply a part before an
	// error; applying the same batch again is always safe.
	Apply(ctx context.Context, b Batch) error
}

// The vocabulary of batches and records lives in models, where operations,
// which don't import this package, find it too.
type (
	// A Batch is a set of changes. Deletions are carried out before puts.
	Batch = models.Batch
	// A RecordID names a record.
	RecordID = models.RecordID
	// A Record is a small JSON value kept beside the documents.
	Record = models.Record
)

// CollectionMeta is where stores and runs keep records for themselves.
const CollectionMeta = models.CollectionMeta
