package couchbase

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// Every search begins with the list of repositories. A query that sees all
// writes would have it wait for the Query service to take in all that index
// runs write at that time. So a record in this collection, under the name of
// the collection listed, has the keys of the repositories' records; it is read
// as any other key.
const directories = "directory"

// listed reports whether a collection has a directory.
func listed(collection string) bool { return collection == models.CollectionRepos }

// directory is the keys of a collection in order, with the version of the list.
// Some of them may have no record.
func directory(ctx context.Context, s *Store, collection string) (keys []string, version uint64, err error) {
	version, err = s.Versioned(ctx, directories, collection, &keys)
	return keys, version, err
}

// putRecords writes records, each with its key in the directory of its
// collection.
func putRecords(ctx context.Context, s *Store, records []store.Record, entries []entry) error {
	var created []store.RecordID
	for _, r := range records {
		if !listed(r.Collection) {
			continue
		}
		known, err := s.Record(ctx, r.Collection, r.Key, nil)
		if err != nil {
			return err
		}
		if !known {
			created = append(created, store.RecordID{Collection: r.Collection, Key: r.Key})
		}
	}
	// Before, so that no record is there that nobody finds; and after, so that
	// delist, which may be about to take the key out, begins again and sees it.
	if err := enlist(ctx, s, created, false); err != nil {
		return err
	}
	if err := put(ctx, s, s.records, entries); err != nil {
		return err
	}
	return enlist(ctx, s, created, true)
}

// enlist puts keys into their directories. With touch the directory is written
// in any case.
func enlist(ctx context.Context, s *Store, records []store.RecordID, touch bool) error {
	for _, r := range records {
		err := edit(ctx, s, r.Collection, func(keys []string) ([]string, bool, error) {
			if i, has := slices.BinarySearch(keys, r.Key); !has {
				return slices.Insert(keys, i, r.Key), true, nil
			}
			return keys, touch, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// delist takes the keys of deleted records out of their directories, after the
// records are gone, unless they are back.
func delist(ctx context.Context, s *Store, deleted []store.RecordID) error {
	for _, d := range deleted {
		if !listed(d.Collection) {
			continue
		}
		err := edit(ctx, s, d.Collection, func(keys []string) (left []string, change bool, err error) {
			for _, key := range keys {
				there := true
				if d.Key == "" || d.Key == key {
					if there, err = s.Record(ctx, d.Collection, key, nil); err != nil {
						return nil, false, err
					}
				}
				if there {
					left = append(left, key)
				}
			}
			return left, len(left) < len(keys), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// edit changes a directory, and again when somebody else was faster.
func edit(ctx context.Context, s *Store, collection string, change func(keys []string) ([]string, bool, error)) error {
	for {
		keys, version, err := directory(ctx, s, collection)
		if err != nil {
			return err
		}
		keys, changed, err := change(keys)
		if err != nil || !changed {
			return err
		}
		if _, err = s.Swap(ctx, directories, collection, version, keys, 0); fault.CodeOf(err) != fault.Conflict {
			return err
		}
	}
}

// listedRecords is Records for a collection with a directory.
func listedRecords(ctx context.Context, s *Store, collection string,
	yield func(key string, value json.RawMessage) error,
) error {
	keys, _, err := directory(ctx, s, collection)
	if err != nil {
		return err
	}
	values := make([]json.RawMessage, len(keys))
	if _, err := driver.InParallel(ctx, len(keys), func(i int) error {
		_, err := s.Record(ctx, collection, keys[i], &values[i])
		return err
	}); err != nil {
		if _, known := errors.AsType[*fault.Error](err); known || ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("read the records of %s: %w", collection, err)
	}
	for i, key := range keys {
		if err := ctx.Err(); err != nil {
			return err
		}
		if values[i] == nil {
			continue
		}
		if err := yield(key, values[i]); err != nil {
			return err
		}
	}
	return ctx.Err()
}
