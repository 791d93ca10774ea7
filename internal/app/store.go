package app

import (
	"context"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// openStore opens the store that c names, for vectors of that many components.
func openStore(ctx context.Context, c config.Config, dims int) (store.Store, error) {
	if c.Embedded() {
		return embedded.Open(ctx, c.DataDir, embedded.Options{Dims: dims})
	}
	return couchbase.Open(ctx, clusterOf(c.Couchbase, dims))
}

func clusterOf(c config.Couchbase, dims int) couchbase.Config {
	return couchbase.Config{
		ConnStr: c.ConnStr, Bucket: c.Bucket, Scope: c.Scope, Username: c.Username, Password: string(c.Password),
		CAFile: c.CAFile, Durability: c.Durability, Dims: dims,
	}
}

// SetupCouchbase makes on the cluster what a store needs there, see
// couchbase.Setup. Options.Dims 0 means those of the embedder.
func SetupCouchbase(ctx context.Context, c config.Config, o couchbase.SetupOptions, progress func(line string)) error {
	embedder, err := embed.Builtin()
	if err != nil {
		return err
	}
	return couchbase.Setup(ctx, clusterOf(c.Couchbase, embedder.Manifest().Dims), o, progress)
}

// A checker is a store that knows more of its state than that it answers.
type checker interface {
	Checks(ctx context.Context) []models.Check
}

// An announcer is a store that keeps the address of the server that owns it.
type announcer interface {
	Announce(addr string) error
}
