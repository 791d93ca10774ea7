package models

import (
	"crypto/sha256"
	"encoding/hex"
)

// HashText is the ContentHash of the lines of a document: the first 128 bits
// of their SHA-256 in hexadecimal. It tells versions of a text apart.
func HashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
