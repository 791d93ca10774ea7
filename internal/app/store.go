package app

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/index/run"
	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/setup"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// What runs ask of a store is what stores say that they can do.
var (
	_ run.Drafter    = store.Drafter(nil)
	_ run.Compacter  = store.Compacter(nil)
	_ records.Shared = interface {
		store.Store
		store.Shared
	}(nil)
	_ current.Overlayer = store.Overlayer(nil)
)

// scrubEvery is how often a process that stays reads all of its data directory.
const scrubEvery = 6 * time.Hour

// mergeAfter is for how long nothing must have been written for a process that
// stays to merge what runs left in pieces.
const mergeAfter = 10 * time.Second

// openStore opens the store that c names, for vectors of that many components.
func openStore(ctx context.Context, c config.Config, role Role, dims int) (store.Store, error) {
	o := embedded.Options{Dims: dims, Repair: role == Repairer, Scrub: scrubEvery, Merge: mergeAfter, Mend: true}
	switch {
	case !c.Embedded():
		return couchbase.Open(ctx, clusterOf(c.Couchbase, dims))
	case role == Reader:
		return openToRead(ctx, c.DataDir, o)
	default:
		return embedded.Open(ctx, c.DataDir, o)
	}
}

// openToRead opens a data directory so that nothing in it changes. Where a process
// was ended in the middle of a change it is first brought to its end, if this one may.
func openToRead(ctx context.Context, dir string, o embedded.Options) (store.Store, error) {
	read := o
	read.ReadOnly = true
	st, err := embedded.Open(ctx, dir, read)
	switch {
	case err == nil && !cutOff(ctx, st):
		return st, nil
	case err == nil:
		if err := st.Close(); err != nil { //nolint:contextcheck // closing has no request
			return nil, err
		}
	case errors.Is(err, embedded.ErrUnfinished):
	default:
		return nil, err
	}
	if st, err = embedded.Open(ctx, dir, o); err == nil {
		return st, nil
	}
	return embedded.Open(ctx, dir, read)
}

// readOnly reports whether nothing can be written: a reader may have had to open
// the store to be written, see openToRead, and then sets right what was cut off.
func readOnly(st store.Store) bool {
	local, ok := st.(*embedded.Store)
	return ok && local.ReadOnly()
}

// cutOff reports whether a first run ended with its process: nobody else can have
// a store open to be written that is open to be read.
func cutOff(ctx context.Context, st records.Reader) bool {
	found := false
	err := st.Records(ctx, models.CollectionRepos, func(_ string, value json.RawMessage) error {
		var r models.Repository
		found = found || json.Unmarshal(value, &r) == nil && r.State == models.StateIndexing
		return nil
	})
	return err == nil && found
}

func clusterOf(c config.Couchbase, dims int) driver.Config {
	return driver.Config{
		ConnStr: c.ConnStr, Bucket: c.Bucket, Scope: c.Scope, Username: c.Username, Password: string(c.Password),
		CAFile: c.CAFile, Durability: c.Durability, Dims: dims,
	}
}

// SetupCouchbase makes on the cluster what a store needs there, see
// setup.Run. Options.Dims 0 means those of the embedder.
func SetupCouchbase(ctx context.Context, c config.Config, o setup.Options, progress func(line string)) error {
	embedder, err := newEmbedder(c)
	if err != nil {
		return err
	}
	dims, err := dimsOf(ctx, c, Tool, embedder)
	if err != nil {
		return err
	}
	return setup.Run(ctx, clusterOf(c.Couchbase, dims), o, progress)
}
