package couchbase

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

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
