package couchbase

import (
	"time"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

var testAnalyser = fts.NewAnalyser()

// EncodeDocument is the value that Apply writes for a document.
func EncodeDocument(d *models.Document) ([]byte, error) { return wire.EncodeDocument(d, testAnalyser) }

// Hurry caps the calls of an open store from now on. Nobody else may use it yet.
func (s *Store) Hurry(opTimeout time.Duration) { s.config.OpTimeout = opTimeout }
