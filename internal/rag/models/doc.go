// Package models is the vocabulary of ragnav: identifiers, documents, the
// envelope of every reply, and the records that a store keeps. It imports
// nothing but the standard library, and every other package may import it.
package models

// SchemaVersion is stored with every document and index. It changes when an
// index written by an older build can no longer be read as it is.
const SchemaVersion = 1
