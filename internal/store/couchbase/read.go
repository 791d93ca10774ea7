package couchbase

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

// rawJSON hands values over as bytes.
var rawJSON = gocb.NewRawJSONTranscoder()

// Documents implements store.Reader.
func (s *Store) Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error) {
	type slot struct {
		doc   models.Document
		found bool
	}
	slots := make([]slot, len(ids))
	_, err := driver.InParallel(ctx, len(ids), func(i int) error {
		if ids[i] == "" {
			return nil
		}
		value, _, err := s.get(ctx, s.documents, wire.DocumentKey(ids[i]))
		if err != nil || value == nil {
			return err
		}
		if slots[i].doc, err = wire.DecodeDocument(value); err != nil || slots[i].doc.ID != ids[i] {
			return fault.Wrap(fault.RAGUnavailable, err,
				"the document %s was not written by this program or is damaged; index its repository again", ids[i])
		}
		slots[i].found = true
		return nil
	})
	if err != nil {
		return nil, s.config.Failed(ctx, "read documents", err)
	}
	docs := make([]models.Document, 0, len(ids))
	for i := range slots {
		if slots[i].found {
			docs = append(docs, slots[i].doc)
		}
	}
	return docs, nil
}

// Record implements store.Reader.
func (s *Store) Record(ctx context.Context, collection, key string, v any) (bool, error) {
	version, err := s.Versioned(ctx, collection, key, v)
	return version != 0, err
}

// Versioned is Record that also tells the version of the value, for Swap. It
// is 0 when there is none.
func (s *Store) Versioned(ctx context.Context, collection, key string, v any) (version uint64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	value, version, err := s.get(ctx, s.records, wire.RecordKey(collection, key))
	if err != nil {
		return 0, s.config.Failed(ctx, fmt.Sprintf("read the record %s of %s", key, collection), err)
	}
	if value == nil || v == nil {
		return version, nil
	}
	var rec wire.Record
	if err = json.Unmarshal(value, &rec); err == nil {
		err = json.Unmarshal(rec.Value, v)
	}
	if err != nil {
		return 0, fault.Wrap(fault.RAGUnavailable, err,
			"the record %s of %s was not written by this program or is damaged; index again", key, collection)
	}
	return version, nil
}

// get reads the value of a key; nil means that there is none.
func (s *Store) get(ctx context.Context, c *gocb.Collection, key string) (value []byte, version uint64, err error) {
	var res *gocb.GetResult
	err = driver.Repeat(ctx, func() (err error) {
		res, err = c.Get(key, &gocb.GetOptions{
			Transcoder: rawJSON, Timeout: s.config.OpTimeout, RetryStrategy: driver.OnKeys,
			Context: ctx,
		})
		return err
	})
	if errors.Is(err, gocb.ErrDocumentNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	if err := res.Content(&value); err != nil {
		return nil, 0, err
	}
	return value, uint64(res.Cas()), nil
}

// Embeddings implements store.Reader. It looks at the documents near, by their
// keys, and at no others: that costs the index run of a file what it costs to
// read the documents that the file had, and needs no index in the cluster.
func (s *Store) Embeddings(ctx context.Context, keys []models.EmbeddingKey,
	near []models.DocumentID,
) (map[models.EmbeddingKey][]float32, error) {
	wanted := make(map[models.EmbeddingKey]bool, len(keys))
	for _, key := range keys {
		wanted[key] = key != models.EmbeddingKey{}
	}
	type slot struct {
		key    models.EmbeddingKey
		vector []float32
	}
	slots := make([]slot, len(near))
	_, err := driver.InParallel(ctx, len(near), func(i int) error {
		if near[i] == "" {
			return nil
		}
		value, _, err := s.get(ctx, s.documents, wire.DocumentKey(near[i]))
		if err != nil || value == nil {
			return err
		}
		if key, v := wire.DecodeEmbedding(value); wanted[key] {
			slots[i] = slot{key, v}
		}
		return nil
	})
	if err != nil {
		return nil, s.config.Failed(ctx, "read embeddings", err)
	}
	found := map[models.EmbeddingKey][]float32{}
	for _, x := range slots {
		if wanted[x.key] {
			found[x.key] = x.vector
		}
	}
	return found, nil
}

// Records implements store.Reader. It reads pages, each as it is when its turn
// comes: a record that changes meanwhile is given once, old or new.
func (s *Store) Records(ctx context.Context, collection string,
	yield func(key string, value json.RawMessage) error,
) error {
	if listed(collection) {
		return listedRecords(ctx, s, collection, yield)
	}
	for after := ""; ; {
		page, err := rows[wire.Record](ctx, s, listRecords, map[string]any{"c": collection, "after": after, "n": pageRows})
		if err != nil {
			return s.config.Failed(ctx, "list the records of "+collection, err)
		}
		for _, r := range page {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := yield(r.Key, r.Value); err != nil {
				return err
			}
		}
		if len(page) < pageRows {
			return ctx.Err()
		}
		after = page[len(page)-1].Key
	}
}

// CountOf is how many documents a repository has. It sees all that was written
// before.
func (s *Store) CountOf(ctx context.Context, repo models.RepoID) (int, error) {
	found, err := rows[int](ctx, s, countOfRepository, map[string]any{"repo": repo})
	if err != nil {
		return 0, s.config.Failed(ctx, "count the documents of "+string(repo), err)
	}
	if len(found) == 0 {
		return 0, nil
	}
	return found[0], nil
}

// CountDocuments counts what there is to be indexed. It does not wait for
// anything: the service answers it from its statistics up to 8.0, and by a scan
// from the release after, for which there would have to be a primary index.
func (s *Store) CountDocuments(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, queryPatience)
	defer cancel()
	found, err := rows[int64](ctx, s, countDocuments, nil, gocb.QueryScanConsistencyNotBounded)
	if err != nil {
		return 0, s.config.Failed(ctx, "count the documents", err)
	}
	if len(found) == 0 {
		return 0, nil
	}
	return found[0], nil
}

// Search implements store.Searcher. When no part of the index answered, it is
// a result without hits whose Failed equals Partitions.
func (s *Store) Search(ctx context.Context, req fts.Request) (fts.Result, error) {
	if err := req.Check(s.config.Dims); err != nil {
		return fts.Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return fts.Result{}, err
	}
	var res fts.Result
	err := onIndex(ctx, s, func(live liveIndex) (err error) {
		res, err = searchIn(ctx, s, live, req)
		return err
	})
	return res, err
}
