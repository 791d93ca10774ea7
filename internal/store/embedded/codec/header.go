package codec

import (
	"math"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A row's id is the document's; its meta data is the serial number of the row
// and the rest of the document's header, as metaFields lists it. The key of its
// embedding comes last; rows of earlier programs end before.
func metaFields(c *codec, serial *uint64, h *models.Header) {
	c.uint(serial)
	text(c, &h.Type)
	text(c, &h.RepoID)
	text(c, &h.FilePath)
	text(c, &h.SymbolName)
	text(c, &h.QualifiedName)
	text(c, &h.Kind)
	text(c, &h.Language)
	c.int(&h.StartLine)
	c.int(&h.EndLine)
	c.flags(&h.Test, &h.Generated, &h.Vendored)
}

// EncodeMeta is the meta data of a row.
func EncodeMeta(serial uint32, h models.Header, key models.EmbeddingKey) []byte {
	c := codec{id: string(h.ID), b: make([]byte, 0, 64+len(key))}
	n := uint64(serial)
	metaFields(&c, &n, &h)
	if key != (models.EmbeddingKey{}) {
		c.b = append(c.b, key[:]...)
	}
	return c.b
}

// MetaKey reads the key of the embedding; it is zero where there is none.
func MetaKey(meta []byte) (key models.EmbeddingKey, err error) {
	c := reading(meta, "")
	c.Uvarint() // what metaFields lists
	for range 7 {
		c.skipText()
	}
	for range 3 {
		c.Uvarint()
	}
	if !c.Bad && len(c.Rest) == len(key) {
		copy(key[:], c.Rest)
	}
	return key, c.err()
}

// MetaSerial reads the serial number.
func MetaSerial(meta []byte) (uint32, error) {
	c := reading(meta, "")
	serial := c.Uvarint()
	c.Check(serial <= math.MaxUint32)
	return uint32(serial), c.err() //nolint:gosec // at most that
}

// MetaHeader reads the header of the document with that id. It shares no
// memory with meta.
func MetaHeader(id string, meta []byte) (models.Header, error) {
	c := reading(meta, id)
	h := models.Header{ID: models.DocumentID(id)}
	var serial uint64
	metaFields(c, &serial, &h)
	return h, c.err()
}
