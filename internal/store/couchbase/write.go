package couchbase

import (
	"context"
	"errors"
	"fmt"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// removeAll removes the keys that a statement finds, page by page.
func (s *Store) removeAll(ctx context.Context, c *gocb.Collection, statement string, params map[string]any) error {
	params["n"] = pageRows
	for {
		keys, err := rows[string](ctx, s, statement, params)
		if err != nil {
			return s.config.Failed(ctx, "list what to delete", err)
		}
		if err := s.remove(ctx, c, keys); err != nil || len(keys) < pageRows {
			return err
		}
	}
}

// remove removes keys; those that don't exist are ignored.
func (s *Store) remove(ctx context.Context, c *gocb.Collection, keys []string) error {
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
func (s *Store) put(ctx context.Context, c *gocb.Collection, entries []entry) error {
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
