package couchbase

import (
	"context"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

var testAnalyser = fts.NewAnalyser()

// EncodeDocument is the value that Apply writes for a document.
func EncodeDocument(d *models.Document) ([]byte, error) { return encodeDocument(d, testAnalyser) }

// RefreshEvery makes a store look at the live index that often.
func (c *Config) RefreshEvery(d time.Duration) { c.refreshEvery = d }

// Connect is the driver's connection that a store has.
func Connect(ctx context.Context, c Config) (*gocb.Cluster, error) {
	return connectBucket(ctx, c.withDefaults())
}
