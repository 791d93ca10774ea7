package couchbase

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

// removeAll removes the keys that a statement finds, page by page.
func removeAll(ctx context.Context, s *Store, c *gocb.Collection, statement string, params map[string]any) error {
	params["n"] = pageRows
	for {
		keys, err := rows[string](ctx, s, statement, params)
		if err != nil {
			return s.config.Failed(ctx, "list what to delete", err)
		}
		if err := remove(ctx, s, c, keys); err != nil || len(keys) < pageRows {
			return err
		}
	}
}

// remove removes keys; those that don't exist are ignored.
func remove(ctx context.Context, s *Store, c *gocb.Collection, keys []string) error {
	return s.inBulk(ctx, "delete", c, len(keys), func(i int) (*gocb.MutationResult, error) {
		res, err := c.Remove(keys[i], &gocb.RemoveOptions{
			DurabilityLevel: s.durability, Timeout: s.config.OpTimeout, RetryStrategy: driver.OnKeys, Context: ctx,
		})
		if errors.Is(err, gocb.ErrDocumentNotFound) {
			return nil, nil
		}
		return res, err
	})
}

// put writes values over whatever is there.
func put(ctx context.Context, s *Store, c *gocb.Collection, entries []entry) error {
	return s.inBulk(ctx, "save", c, len(entries), func(i int) (*gocb.MutationResult, error) {
		return c.Upsert(entries[i].key, entries[i].value, &gocb.UpsertOptions{
			Transcoder: rawJSON, DurabilityLevel: s.durability, Timeout: s.config.OpTimeout, RetryStrategy: driver.OnKeys,
			Context: ctx,
		})
	})
}

// inBulk makes n writes in a collection, each of which may be made again, and
// notes what searches have to wait for. Its error says how many were not made.
func (s *Store) inBulk(ctx context.Context, verb string, c *gocb.Collection, n int,
	write func(i int) (*gocb.MutationResult, error),
) error {
	done, err := driver.InParallel(ctx, n, func(i int) error {
		return driver.Repeat(ctx, func() error {
			res, err := write(i)
			if res != nil && c == s.documents {
				s.tokens.add(res.MutationToken())
			}
			return err
		})
	})
	if err == nil {
		return nil
	}
	err = s.config.Failed(ctx, verb+" "+c.Name(), err)
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	return &fault.Error{
		Code: f.Code, RetryAfter: f.RetryAfter, Err: f.Err,
		Message: fmt.Sprintf("%d of %d %s could not be %sd: %s", n-done, n, c.Name(), verb, f.Message),
	}
}

// Apply implements store.Writer. The batch is checked and encoded as a whole
// before anything is written; a batch of some thousand documents is held in
// memory twice. Records are written last, so that a record that speaks of
// documents is never there before them. When it fails, the error says how many
// of the writes under way were carried out.
func (s *Store) Apply(ctx context.Context, b store.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkBatch(b, s.config.Dims); err != nil {
		return err
	}
	c, err := encode(ctx, s.analyser, b)
	if err != nil {
		return s.config.Failed(ctx, "encode a batch", err)
	}
	for _, repo := range b.DeleteRepos {
		if err := removeAll(ctx, s, s.documents, keysOfDocuments, map[string]any{"repo": repo}); err != nil {
			return err
		}
	}
	if err := remove(ctx, s, s.documents, c.deletions); err != nil {
		return err
	}
	for _, collection := range c.collections {
		if err := removeAll(ctx, s, s.records, keysOfRecords, map[string]any{"c": collection}); err != nil {
			return err
		}
	}
	if err := remove(ctx, s, s.records, c.recordDeletions); err != nil {
		return err
	}
	if err := delist(ctx, s, b.DeleteRecords); err != nil {
		return err
	}
	if err := put(ctx, s, s.documents, c.documents); err != nil {
		return err
	}
	return putRecords(ctx, s, b.PutRecords, c.records)
}

// Swap changes a record if it still has that version, as Versioned gave it;
// fault.Conflict means that it has another. Version 0 creates the record, which
// must not be there; v nil deletes it. The record disappears after expiry,
// which is rounded down to seconds, but to no less than one; 0 is never. From 30
// days on this machine's clock counts. It returns the new version, 0 of a record
// that it has deleted.
//
// When the connection breaks in between, Swap looks whether its change was
// carried out, now or late. So v should say who writes it.
//
//nolint:revive // the arguments name one write; a struct would only repeat them
func (s *Store) Swap(ctx context.Context, collection, key string, version uint64, v any, expiry time.Duration) (uint64,
	error,
) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := checkRecord(collection, key); err != nil {
		return 0, err
	}
	c := swap{store: s, key: wire.RecordKey(collection, key), version: gocb.Cas(version), expiry: expiry}
	if v != nil {
		value, err := wire.EncodeRecord(collection, key, v)
		if err != nil {
			return 0, fault.Wrap(fault.InvalidRequest, err, "the record %s of %s cannot be stored", key, collection)
		}
		c.value = value
	}
	newVersion, err := c.do(ctx)
	switch {
	case errors.Is(err, gocb.ErrCasMismatch), errors.Is(err, gocb.ErrDocumentExists),
		errors.Is(err, gocb.ErrDocumentNotFound):
		return 0, fault.Wrap(fault.Conflict, err, "the record %s of %s was changed by somebody else meanwhile; read it again",
			key, collection)
	case err != nil:
		return 0, s.config.Failed(ctx, fmt.Sprintf("change the record %s of %s", key, collection), err)
	}
	return newVersion, nil
}

// Reconcile deletes the documents of a repository that are not among ids, and
// returns how many those were and which of ids are not there. Nobody else may
// write documents of the repository meanwhile.
func (s *Store) Reconcile(ctx context.Context, repo models.RepoID, ids []models.DocumentID) (removed int,
	missing []models.DocumentID, err error,
) {
	wanted := make(map[string]models.DocumentID, len(ids))
	for _, id := range ids {
		wanted[wire.DocumentKey(id)] = id
	}
	var ghosts []string
	for after := ""; ; {
		page, err := rows[string](ctx, s, pageOfRepository, map[string]any{"repo": repo, "after": after, "n": pageKeys})
		if err != nil {
			return 0, nil, s.config.Failed(ctx, "list the documents of "+string(repo), err)
		}
		for _, key := range page {
			if _, ok := wanted[key]; !ok {
				ghosts = append(ghosts, key)
			}
			delete(wanted, key)
		}
		if len(page) < pageKeys {
			break
		}
		after = page[len(page)-1]
	}
	for _, id := range ids {
		if _, ok := wanted[wire.DocumentKey(id)]; ok {
			missing = append(missing, id)
		}
	}
	return len(ghosts), missing, remove(ctx, s, s.documents, ghosts)
}
