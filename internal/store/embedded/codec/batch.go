package codec

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/wire"
)

// EncodeBatch is a batch with all that Apply needs to know of it. Records
// become JSON.
func EncodeBatch(b store.Batch) ([]byte, error) {
	size := 0
	for i := range b.Put {
		size += len(b.Put[i].Text) + len(b.Put[i].Content) + 4*len(b.Put[i].Embedding) + 512
	}
	c := &codec{b: make([]byte, 0, size)}
	texts(c, &b.DeleteRepos)
	recordIDs(c, &b.DeleteRecords)
	texts(c, &b.Delete)
	n := uint64(len(b.Put))
	c.uint(&n)
	for i := range b.Put {
		putDocument(c, &b.Put[i])
	}
	n = uint64(len(b.PutRecords))
	c.uint(&n)
	for _, r := range b.PutRecords {
		value, err := json.Marshal(r.Value)
		if err != nil {
			return nil, fmt.Errorf("encode record %s of %s: %w", r.Key, r.Collection, err)
		}
		text(c, &r.Collection)
		text(c, &r.Key)
		blob(c, value)
	}
	return c.b, nil
}

// DecodeBatch reads what EncodeBatch wrote. The values of records are
// json.RawMessage.
func DecodeBatch(body []byte) (store.Batch, error) {
	c := reading(body, "")
	var b store.Batch
	texts(c, &b.DeleteRepos)
	recordIDs(c, &b.DeleteRecords)
	texts(c, &b.Delete)
	for n := c.Uvarint(); n > 0 && !c.Bad; n-- {
		d, err := readDocument(c)
		if err != nil {
			return b, err
		}
		b.Put = append(b.Put, d)
	}
	for n := c.Uvarint(); n > 0 && !c.Bad; n-- {
		var r store.Record
		text(c, &r.Collection)
		text(c, &r.Key)
		r.Value = json.RawMessage(blob(c, nil))
		b.PutRecords = append(b.PutRecords, r)
	}
	if c.Bad || len(c.Rest) > 0 {
		return b, ErrDraftDamaged
	}
	return b, nil
}

func recordIDs(c *codec, ids *[]store.RecordID) {
	n := uint64(len(*ids))
	if c.uint(&n); c.reading && n > uint64(len(c.Rest)) {
		c.Check(false)
		return
	}
	if c.reading && n > 0 {
		*ids = make([]store.RecordID, n)
	}
	for i := range *ids {
		text(c, &(*ids)[i].Collection)
		text(c, &(*ids)[i].Key)
	}
}

// putDocument writes a document as the rows and the text index have it, and
// what only the indexing needs.
func putDocument(c *codec, d *models.Document) {
	id := string(d.ID)
	text(c, &id)
	blob(c, EncodeMeta(0, d.Header, d.EmbeddingKey))
	blob(c, EncodeDocument(*d))
	text(c, &d.Text)
	vector := make([]byte, 0, 4*len(d.Embedding))
	for _, x := range d.Embedding {
		vector = binary.LittleEndian.AppendUint32(vector, math.Float32bits(x))
	}
	blob(c, vector)
}

func readDocument(c *codec) (models.Document, error) {
	var id, words string
	text(c, &id)
	meta, stored := blob(c, nil), blob(c, nil)
	text(c, &words)
	vector := blob(c, nil)
	if c.Bad || len(vector)%4 != 0 {
		return models.Document{}, ErrDraftDamaged
	}
	header, err := MetaHeader(id, meta)
	if err != nil {
		return models.Document{}, err
	}
	d, err := DecodeDocument(stored, header)
	if err == nil {
		d.EmbeddingKey, err = MetaKey(meta)
	}
	d.Text = words
	d.Embedding = Components(vector)
	return d, err
}

// EachVector calls yield with the key of each embedding in an encoded batch, and
// which bytes of the batch are its components: none of a document without one.
func EachVector(body []byte, yield func(key models.EmbeddingKey, start, size int)) error {
	c := reading(body, "")
	for _, texts := range []uint64{1, 2, 1} { // the deletions of a batch
		for n := c.Uvarint(); n > 0 && !c.Bad; n-- {
			for range texts {
				c.skipText()
			}
		}
	}
	for n := c.Uvarint(); n > 0 && !c.Bad; n-- {
		c.skipText()
		meta := blob(c, nil)
		_ = blob(c, nil)
		c.skipText()
		vector := blob(c, nil)
		if c.Bad {
			break
		}
		key, err := MetaKey(meta)
		if err != nil {
			return err
		}
		if key != (models.EmbeddingKey{}) {
			yield(key, len(body)-len(c.Rest)-len(vector), len(vector))
		}
	}
	if c.Bad {
		return ErrDraftDamaged
	}
	return nil
}

// blob reads or writes bytes with their length.
func blob(c *codec, b []byte) []byte {
	if c.reading {
		return c.Text()
	}
	c.b = wire.AppendText(c.b, b)
	return b
}

// ErrDraftDamaged is a draft that was whole once and isn't now.
var ErrDraftDamaged = errors.New("a draft is damaged")

// Components reads little-endian float32; nil where there are none.
func Components(b []byte) []float32 {
	if len(b) == 0 {
		return nil
	}
	v := make([]float32, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return v
}
