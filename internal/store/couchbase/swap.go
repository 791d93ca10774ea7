package couchbase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

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

// A swap is one conditional change of a record.
type swap struct {
	store   *Store
	key     string
	version gocb.Cas
	value   []byte // nil deletes
	expiry  time.Duration
}

func (c swap) do(ctx context.Context) (uint64, error) {
	doubt := false // of any try: a conflict afterwards may be with ourselves
	for n := uint32(0); ; n++ {
		res, err := c.once(ctx)
		switch {
		case err == nil && c.value == nil:
			return 0, nil
		case err == nil:
			return uint64(res.Cas()), nil
		}
		doubt = doubt || inDoubt(err)
		if !doubt || n == driver.MaxRetries || !driver.Pause(ctx, driver.Backoff(n)) {
			return 0, err
		}
		value, version, readErr := c.store.get(ctx, c.store.records, c.key)
		switch {
		case readErr != nil:
			return 0, errors.Join(err, readErr)
		case bytes.Equal(value, c.value) && version != uint64(c.version):
			return version, nil // it was carried out
		case version != uint64(c.version):
			return 0, errors.Join(gocb.ErrCasMismatch, err)
		}
	}
}

func (c swap) once(ctx context.Context) (*gocb.MutationResult, error) {
	s := c.store
	switch {
	case c.version == 0 && c.value == nil:
		return nil, gocb.ErrDocumentNotFound
	case c.version == 0:
		return s.records.Insert(c.key, c.value, &gocb.InsertOptions{
			Transcoder: rawJSON, DurabilityLevel: s.durability, Expiry: c.expiry, Timeout: s.config.OpTimeout,
			RetryStrategy: driver.OnKeys, Context: ctx,
		})
	case c.value == nil:
		return s.records.Remove(c.key,
			&gocb.RemoveOptions{
				Cas: c.version, DurabilityLevel: s.durability, Timeout: s.config.OpTimeout,
				RetryStrategy: driver.OnKeys, Context: ctx,
			})
	}
	return s.records.Replace(c.key, c.value, &gocb.ReplaceOptions{
		Cas: c.version, Transcoder: rawJSON, DurabilityLevel: s.durability, Expiry: c.expiry, Timeout: s.config.OpTimeout,
		RetryStrategy: driver.OnKeys, Context: ctx,
	})
}

// inDoubt reports whether a change may have been carried out although it
// failed.
func inDoubt(err error) bool {
	return errors.Is(err, gocb.ErrDurabilityAmbiguous) || errors.Is(err, gocb.ErrAmbiguousTimeout) || driver.Broken(err)
}
