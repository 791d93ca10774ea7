package couchbase

import (
	"context"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

// A change is a batch as keys and values.
type change struct {
	deletions, recordDeletions []string
	collections                []string // to delete as a whole
	documents, records         []entry
}

// An entry is a key and its new value.
type entry struct {
	key   string
	value []byte
}

// encode makes a batch ready. Of several puts of a key the last counts, and
// what is put is not deleted before.
func encode(ctx context.Context, analyser *fts.Analyser, b store.Batch) (change, error) {
	var c change
	docs, put := lastByKey(len(b.Put), func(i int) string { return wire.DocumentKey(b.Put[i].ID) })
	for _, id := range b.Delete {
		if key := wire.DocumentKey(id); id != "" && !put[key] {
			c.deletions = append(c.deletions, key)
		}
	}
	records, putRecords := lastByKey(len(b.PutRecords),
		func(i int) string { return wire.RecordKey(b.PutRecords[i].Collection, b.PutRecords[i].Key) })
	for _, r := range b.DeleteRecords {
		if r.Key == "" {
			c.collections = append(c.collections, r.Collection)
		} else if key := wire.RecordKey(r.Collection, r.Key); !putRecords[key] {
			c.recordDeletions = append(c.recordDeletions, key)
		}
	}
	var err error
	if c.documents, err = encodeAll(ctx, docs, func(i int) (entry, error) {
		value, err := wire.EncodeDocument(&b.Put[i], analyser)
		return entry{wire.DocumentKey(b.Put[i].ID), value}, err
	}); err != nil {
		return change{}, err
	}
	c.records, err = encodeAll(ctx, records, func(i int) (entry, error) {
		r := b.PutRecords[i]
		value, err := wire.EncodeRecord(r.Collection, r.Key, r.Value)
		return entry{wire.RecordKey(r.Collection, r.Key), value}, err
	})
	return c, err
}

// lastByKey lists, for each key, the last of the numbers under n that has it.
func lastByKey(n int, key func(i int) string) (last []int, keys map[string]bool) {
	keys = make(map[string]bool, n)
	for i := n - 1; i >= 0; i-- {
		if k := key(i); !keys[k] {
			keys[k] = true
			last = append(last, i)
		}
	}
	return last, keys
}

func encodeAll(ctx context.Context, numbers []int, encode func(i int) (entry, error)) ([]entry, error) {
	entries := make([]entry, len(numbers))
	_, err := driver.InParallel(ctx, len(numbers), func(n int) error {
		e, err := encode(numbers[n])
		if err != nil {
			return fault.Wrap(fault.InvalidRequest, err, "batch: the value under %q cannot be stored", e.key)
		}
		if len(e.value) > wire.MaxValue {
			return fault.New(fault.InvalidRequest, "batch: %.200q: %s", e.key, driver.TooLarge)
		}
		entries[n] = e
		return nil
	})
	return entries, err
}
