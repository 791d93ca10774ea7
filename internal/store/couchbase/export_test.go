package couchbase

import (
	"time"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

var testAnalyser = fts.NewAnalyser()

// EncodeDocument is the value that Apply writes for a document.
func EncodeDocument(d *models.Document) ([]byte, error) { return encodeDocument(d, testAnalyser) }

// RefreshEvery makes a store look at the live index that often.
func (c *Config) RefreshEvery(d time.Duration) { c.refreshEvery = d }
