package records

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Summary is what a model said of a file, a folder or a repository.
type Summary struct {
	Text    string            `json:"summary"`
	Symbols map[string]string `json:"symbols,omitempty"` // by qualified name
}

// SummarySchema is the JSON Schema of what a model is asked for.
const SummarySchema = `{"type": "object", "properties": {"summary": {"type": "string"}, ` +
	`"symbols": {"type": "object", "additionalProperties": {"type": "string"}}}, "required": ["summary"]}`

// SummariesCollection has what a model said of a repository, by SummaryKey.
func SummariesCollection(id models.RepoID) string { return "summaries:" + string(id) }

// SummaryKey names a text of which there may be a summary.
func SummaryKey(kind, text string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + text))
	return kind + ":" + hex.EncodeToString(sum[:16])
}
