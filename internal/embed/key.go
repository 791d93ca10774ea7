package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/ragnav/ragnav/internal/wire"
)

// A Key stands for a manifest and an input of its embedder, both whole. What
// an embedder made of an input need not be made again where the key is known.
type Key [16]byte

// A Keyer makes the keys of the inputs of one embedder. It may be used
// concurrently.
type Keyer struct{ manifest [sha256.Size]byte }

// NewKeyer returns the Keyer of the embedder with manifest m. It tells vectors of the
// built-in table from those of earlier programs, which can be compared with them but
// are not what it makes now.
func NewKeyer(m Manifest) Keyer {
	var b []byte
	for _, s := range []string{m.Provider, m.Model, m.Revision, strconv.Itoa(m.Dims), m.QueryPrefix, m.DocumentPrefix} {
		b = wire.AppendText(b, s)
	}
	if !m.Remote() {
		b = wire.AppendText(b, "16 levels") // of documents; earlier programs had more, of the same table
	}
	return Keyer{sha256.Sum256(b)}
}

// Key is the first half of the SHA-256 of the hash of the manifest and the
// input's fields, each after its length.
func (k Keyer) Key(in Input) Key {
	b := make([]byte, 0, len(k.manifest)+len(in.Text)+len(in.Name)+len(in.Parent)+len(in.File)+4*binary.MaxVarintLen64)
	b = append(b, k.manifest[:]...)
	for _, s := range [...]string{in.Text, in.Name, in.Parent, in.File} {
		b = wire.AppendText(b, s)
	}
	sum := sha256.Sum256(b)
	return Key(sum[:len(Key{})])
}
