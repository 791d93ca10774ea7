package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// Limits of keys, in bytes. The server takes 246 in a named collection.
const (
	maxKey  = 240
	keptKey = 200 // of a longer one, before "~" and the hash
)

// DocumentKey is the key of a document in the collection "documents": its id,
// or the start of a long id, "~" and the first 128 bits of its SHA-256.
func DocumentKey(id models.DocumentID) string { return boundedKey(string(id)) }

// RecordKey is the key of a record in the collection "records":
// "collection|key", shortened as DocumentKey does. Different records have
// different keys, because "|" and "%" of a collection are escaped.
func RecordKey(collection, key string) string {
	return boundedKey(escapeCollection.Replace(collection) + "|" + key)
}

var escapeCollection = strings.NewReplacer("%", "%25", "|", "%7C")

func boundedKey(s string) string {
	if len(s) <= maxKey {
		return s
	}
	cut := keptKey
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	sum := sha256.Sum256([]byte(s))
	return s[:cut] + "~" + hex.EncodeToString(sum[:16])
}
