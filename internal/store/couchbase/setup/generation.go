package setup

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// Indexes of one scope follow each other: code_vector_index,
// code_vector_index_g2, code_vector_index_g3.

// successor is the name of the index to use instead, and whether it is there: an
// earlier run has begun it, or it was in use before. Else it counts on from the
// highest that there is.
func successor(want definition.Index, old replaced) (name string, there bool) {
	last := max(generation(old.name), 1)
	for _, other := range slices.Sorted(maps.Keys(old.have)) {
		n := generation(other)
		if n > 0 && len(definition.Differences(want, old.have[other])) == 0 {
			return other, true
		}
		last = max(last, n)
	}
	return fmt.Sprintf("%s_g%d", definition.BaseIndexName, last+1), false
}

// generation is N of the name code_vector_index_gN, 1 of the first index, and 0
// of one that is none of ours.
func generation(name string) int {
	if name == definition.BaseIndexName {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimPrefix(name, definition.BaseIndexName+"_g"))
	if err != nil || n < 2 {
		return 0
	}
	return n
}

// dropOld drops the indexes that are not in use, or says that they are there.
func dropOld(ctx context.Context, u *setup, s *couchbase.Store, switched bool) error {
	name, _, err := definition.Live(ctx, s)
	if err != nil {
		return err
	}
	have, err := u.searchIndexes(ctx, s)
	if err != nil {
		return err
	}
	delete(have, name)
	maps.DeleteFunc(have, func(other string, _ definition.Index) bool { return generation(other) == 0 })
	old := slices.Sorted(maps.Keys(have))
	if len(old) == 0 {
		return nil
	}
	if !u.options.DropOld {
		u.say("not used any more: %s; drop it with `ragnav setup couchbase --drop-old` once all servers have moved over",
			strings.Join(old, ", "))
		return nil
	}
	if switched {
		grace := u.config.RefreshEvery + u.config.RefreshEvery/3
		u.say("waiting %v until every server has moved over", grace)
		if !driver.Pause(ctx, grace) {
			return fmt.Errorf("wait until servers have moved over: %w", ctx.Err())
		}
	}
	for _, other := range old {
		err := s.Scope().SearchIndexes().DropIndex(other,
			&gocb.DropSearchIndexOptions{Timeout: u.config.OpTimeout, Context: ctx})
		if err != nil && !errors.Is(err, gocb.ErrIndexNotFound) {
			return failed(ctx, u.config, "drop the search index "+other, searchRoles, err)
		}
		u.say("search index %s: dropped", other)
	}
	return nil
}
