// Package wire is documents, records, requests and hits as a cluster has them.
package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/vector/codes"
)

// The fields of a stored document beside those of package fts.
const (
	HeaderField       = "header"
	docField          = "doc"
	embeddingKeyField = "embedding_key" // hexadecimal; only of documents that may have an embedding
)

// MaxValue is what the server stores under one key, in bytes.
const MaxValue = 20 << 20

// An encoder makes the values of documents. What takes room while it does so
// is used again.
type encoder struct {
	analyser *fts.Analyser
	b        []byte
	json     bytes.Buffer
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// EncodeDocument makes the value of a document. It is written by hand, because
// most of it needs no escaping and is long.
func EncodeDocument(d *models.Document, analyser *fts.Analyser) ([]byte, error) {
	e, _ := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.analyser, e.b = analyser, e.b[:0]
	if err := e.document(d); err != nil {
		return nil, fmt.Errorf("encode %s: %w", d.ID, err)
	}
	return bytes.Clone(e.b), nil
}

func (e *encoder) document(d *models.Document) error {
	e.raw(`{"` + docField + `":`)
	if err := e.marshal(d); err != nil {
		return err
	}
	e.b = append(e.b, e.json.Bytes()...)
	if err := e.marshal(&d.Header); err != nil {
		return err
	}
	e.field(HeaderField)
	e.b = appendString(e.b, e.json.String())
	e.keywords(fts.Keywords(d))
	e.field(fts.TextField(d.Type))
	e.terms(d.Text)
	if d.Embedding != nil {
		e.field(fts.FieldEmbedding)
		e.vector(codes.Rounded(d.Embedding)) // as the embedded store keeps it: both rank alike
	}
	if d.EmbeddingKey != (models.EmbeddingKey{}) {
		e.field(embeddingKeyField)
		e.b = appendString(e.b, hex.EncodeToString(d.EmbeddingKey[:]))
	}
	e.raw("}")
	return nil
}

func (e *encoder) raw(s string) { e.b = append(e.b, s...) }

// field begins another field.
func (e *encoder) field(name string) {
	e.raw(`,"`)
	e.raw(name)
	e.raw(`":`)
}

// marshal puts the JSON of v into e.json, without escapes for HTML, which
// would make code longer.
func (e *encoder) marshal(v any) error {
	e.json.Reset()
	j := json.NewEncoder(&e.json)
	j.SetEscapeHTML(false)
	if err := j.Encode(v); err != nil {
		return err
	}
	e.json.Truncate(e.json.Len() - 1) // the end of the line
	return nil
}

var keywordFields = fts.KeywordFields()

// keywords writes the keyword fields. Type and repository are there even when
// empty: lists rely on them.
func (e *encoder) keywords(keywords map[string][]string) {
	for _, name := range keywordFields {
		terms := keywords[name]
		switch {
		case len(terms) == 0 && name != fts.FieldType && name != fts.FieldRepo:
			continue
		case len(terms) == 0:
			terms = []string{""}
		}
		e.field(name)
		if len(terms) == 1 {
			e.b = appendString(e.b, terms[0])
			continue
		}
		for i, term := range terms {
			e.b = append(e.b, "[,"[min(i, 1)])
			e.b = appendString(e.b, term)
		}
		e.raw("]")
	}
}

// terms writes the terms of a text, which are letters, marks, digits and "_".
func (e *encoder) terms(text string) {
	e.raw(`"`)
	start := len(e.b)
	e.analyser.Each(text, func(term *fts.Token) {
		if len(e.b) > start {
			e.b = append(e.b, ' ')
		}
		e.b = append(e.b, term.Text...)
	})
	e.raw(`"`)
}

func (e *encoder) vector(v []float32) {
	e.json.Reset()
	components := e.json.AvailableBuffer()
	for _, x := range v {
		components = binary.LittleEndian.AppendUint32(components, math.Float32bits(x))
	}
	e.raw(`"`)
	e.b = base64.StdEncoding.AppendEncode(e.b, components)
	e.raw(`"`)
}

// appendString appends a JSON string.
func appendString(b []byte, s string) []byte {
	from := 0
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(append(b, s[from:i]...), '\\', c)
			from = i + 1
		case c < ' ' || c >= 0x7f: // rare
			rest, _ := json.Marshal(s[from:]) // a string does not fail
			return append(b, rest[1:]...)
		}
	}
	return append(append(b, s[from:]...), '"')
}

// DecodeDocument reads the document back, without Text and Embedding.
func DecodeDocument(value []byte) (models.Document, error) {
	var v struct {
		Doc models.Document `json:"doc"`
	}
	err := json.Unmarshal(value, &v)
	return v.Doc, err
}

// A Record is the value of a record.
type Record struct {
	Collection string          `json:"c"`
	Key        string          `json:"k"`
	Value      json.RawMessage `json:"v"`
}

// EncodeRecord is the value of a record.
func EncodeRecord(collection, key string, v any) ([]byte, error) {
	value, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return json.Marshal(Record{collection, key, value})
}
