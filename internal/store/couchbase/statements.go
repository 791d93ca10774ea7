package couchbase

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// How many rows, or keys alone, a list brings at once.
const (
	pageRows = 1000
	pageKeys = 10_000
)

// The statements. The names in them are those of the scope; values are parameters.
const (
	listRecords     = "SELECT r.k, r.v FROM RECORDS AS r WHERE r.c = $c AND r.k > $after ORDER BY r.k LIMIT $n"
	keysOfRecords   = "SELECT RAW META(r).id FROM RECORDS AS r WHERE r.c = $c LIMIT $n"
	keysOfDocuments = "SELECT RAW META(d).id FROM DOCUMENTS AS d WHERE d.repo_id = $repo LIMIT $n"
	// Keys of one repository in order, after one of them.
	pageOfRepository = "SELECT RAW META(d).id FROM DOCUMENTS AS d WHERE d.repo_id = $repo AND META(d).id > $after " +
		"ORDER BY META(d).id LIMIT $n"
	countOfRepository = "SELECT RAW COUNT(*) FROM DOCUMENTS AS d WHERE d.repo_id = $repo"
	countDocuments    = "SELECT RAW COUNT(*) FROM DOCUMENTS AS d"
	serverVersion     = "SELECT RAW ds_version()"
)

// statement puts the names of the collections into a statement.
func statement(config driver.Config, text string) string {
	in := func(collection string) string {
		return "`" + config.Bucket + "`.`" + config.Scope + "`.`" + collection + "`"
	}
	return strings.NewReplacer("RECORDS", in(driver.RecordsCollection), "DOCUMENTS",
		in(driver.DocumentsCollection)).Replace(text)
}

// rows runs a statement that only reads. It sees all that was written before,
// unless another consistency is given.
func rows[T any](ctx context.Context, s *Store, text string, params map[string]any,
	as ...gocb.QueryScanConsistency,
) ([]T, error) {
	as = append(as, gocb.QueryScanConsistencyRequestPlus)
	ctx, cancel := s.config.Bounded(ctx)
	defer cancel()
	var found []T
	err := driver.Repeat(ctx, func() (err error) {
		found, err = rowsOnce[T](ctx, s, text, params, as[0])
		return err
	})
	if err != nil {
		return nil, errors.Join(err, context.Cause(ctx))
	}
	return found, nil
}

func rowsOnce[T any](ctx context.Context, s *Store, text string, params map[string]any,
	as gocb.QueryScanConsistency,
) (found []T, err error) {
	result, err := s.cluster.Query(statement(s.config, text), &gocb.QueryOptions{
		ScanConsistency: as, NamedParameters: params,
		Readonly: true, Adhoc: true, Timeout: s.config.Timeout(ctx), Context: ctx,
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

// queryPatience is how long the Query service is waited for where there is
// another way: a store must open, and tell how it is, while that service hangs.
const queryPatience = 2 * time.Second

// versionOf is that of the server: what the Query service says, and while that
// does not answer, what the cluster manager says of the oldest node.
func versionOf(ctx context.Context, s *Store) (string, error) {
	quick, cancel := context.WithTimeout(ctx, queryPatience)
	defer cancel()
	found, err := rows[string](quick, s, serverVersion, nil, gocb.QueryScanConsistencyNotBounded)
	if err == nil && len(found) > 0 {
		return found[0], nil
	}
	if nodes, poolErr := driver.ReadPool(ctx, s.config); poolErr == nil {
		return nodes.Version(), nil
	}
	return "", s.config.Failed(ctx, "ask for the server's version", cmp.Or(err, errNoVersion))
}

var errNoVersion = errors.New("no answer")
