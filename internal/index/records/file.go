package records

import "github.com/ragnav/ragnav/internal/rag/models"

// IsIntent reports that it is not known which documents of a file are there.
func IsIntent(rec models.FileRecord) bool { return rec.Skipped == "" && rec.Hash == "" }
