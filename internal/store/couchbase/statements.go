package couchbase

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/couchbase/gocb/v2"
)

// pageRows is how many rows a list brings at once.
const pageRows = 1000

// The statements. The names in them are those of the scope; values are parameters.
const (
	listRecords     = "SELECT r.k, r.v FROM RECORDS AS r WHERE r.c = $c AND r.k > $after ORDER BY r.k LIMIT $n"
	keysOfRecords   = "SELECT RAW META(r).id FROM RECORDS AS r WHERE r.c = $c LIMIT $n"
	keysOfDocuments = "SELECT RAW META(d).id FROM DOCUMENTS AS d WHERE d.repo_id = $repo LIMIT $n"
	// Keys of one repository in order, after one of them.
	pageOfRepository  = "SELECT RAW META(d).id FROM DOCUMENTS AS d WHERE d.repo_id = $repo AND META(d).id > $after ORDER BY META(d).id LIMIT $n"
	countOfRepository = "SELECT RAW COUNT(*) FROM DOCUMENTS AS d WHERE d.repo_id = $repo"
	countDocuments    = "SELECT RAW COUNT(*) FROM DOCUMENTS AS d"
	serverVersion     = "SELECT RAW ds_version()"
)

// statement puts the names of the collections into a statement.
func (s *Store) statement(text string) string {
	in := func(collection string) string {
		return "`" + s.config.Bucket + "`.`" + s.config.Scope + "`.`" + collection + "`"
	}
	return strings.NewReplacer("RECORDS", in(recordsCollection), "DOCUMENTS", in(documentsCollection)).Replace(text)
}

// rows runs a statement that only reads, and sees all that was written before.
func rows[T any](ctx context.Context, s *Store, text string, params map[string]any) ([]T, error) {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	var found []T
	err := repeat(ctx, func() (err error) {
		found, err = rowsOnce[T](ctx, s, text, params)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, context.Cause(ctx))
	}
	return found, nil
}

func rowsOnce[T any](ctx context.Context, s *Store, text string, params map[string]any) (found []T, err error) {
	result, err := s.cluster.Query(s.statement(text), &gocb.QueryOptions{
		ScanConsistency: gocb.QueryScanConsistencyRequestPlus, NamedParameters: params,
		Readonly: true, Adhoc: true, Timeout: s.timeout(ctx), Context: ctx,
	})
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = result.Close() })() // the driver's timeout ends with the head of the answer
	for result.Next() {
		var row T
		if err := result.Row(&row); err != nil {
			return nil, errors.Join(err, result.Close())
		}
		found = append(found, row)
	}
	return found, result.Err()
}

// version is that of the server.
func (s *Store) version(ctx context.Context) (string, error) {
	found, err := rows[string](ctx, s, serverVersion, nil)
	if err != nil {
		return "", s.failed(ctx, "ask for the server's version", err)
	}
	if len(found) == 0 {
		return "", nil
	}
	return found[0], nil
}

// Records implements store.Reader. It reads pages, each as it is when its turn
// comes: a record that changes meanwhile is given once, old or new.
func (s *Store) Records(ctx context.Context, collection string, yield func(key string, value json.RawMessage) error) error {
	if listed(collection) {
		return s.listedRecords(ctx, collection, yield)
	}
	for after := ""; ; {
		page, err := rows[record](ctx, s, listRecords, map[string]any{"c": collection, "after": after, "n": pageRows})
		if err != nil {
			return s.failed(ctx, "list the records of "+collection, err)
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
