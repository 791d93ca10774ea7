// Package text builds and opens the segments of the text index: documents and records
// as bleve has them, what scorch is told to do with them, and which segments are whole.
package text

import (
	"crypto/sha256"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// The fields of bleve documents that are not fields of fts.
// The fields of documents and records that are no words.
const (
	FieldID    = "_id"
	FieldRow   = "_row"  // see the package comment
	FieldValue = "value" // stored: a record's JSON, see RecordValue
)

// A Document is a document as scorch takes it. It is made by hand because
// bleve's mapping by reflection costs more than the indexing.
type Document struct {
	id     string
	order  uint64 // in its segment: that of the rows; records have 0
	Fields []index.Field
}

// NewDocument makes the bleve document of d, whose row has that serial number.
// The memo is for all documents of a batch.
func NewDocument(d *models.Document, serial uint32, analyser *fts.Analyser, memo *BatchMemo) *Document {
	text := &textField{name: fts.TextField(d.Type), text: d.Text, analyser: analyser}
	text.quote = memo.quoted(d, text)
	doc := &Document{id: DocumentKey(string(d.ID)), order: uint64(serial) + 1}
	keywords := fts.Keywords(d)
	doc.Fields = make([]index.Field, 0, len(keywords)+3) // with the id
	doc.Fields = append(doc.Fields, text, &rowField{text: text, serial: serial})
	for name, terms := range keywords {
		doc.Fields = append(doc.Fields, memo.field(name, terms))
	}
	return doc
}

// DocumentKey is the id that a document has in bleve, which stores it twice: a
// hash, because the ids of documents are long. The rows have the ids themselves.
func DocumentKey(id string) string {
	hash := sha256.Sum256([]byte(id))
	return documentPrefix + string(hash[:12])
}

// RecordKey is the id that a record has in bleve. Collections have no NUL, so
// that different records have different keys; their order is that of the keys.
func RecordKey(collection, key string) string { return recordPrefix + collection + "\x00" + key }

// The prefixes keep documents and records apart.
const (
	recordPrefix   = "\x00"
	documentPrefix = "\x01"
)

// NewRecord is a record with that id, of JSON as package json writes it.
func NewRecord(id string, value []byte) *Document {
	return &Document{id: id, Fields: []index.Field{&storedField{value: shorten(id, value)}}}
}

// ID implements index.Document.
func (d *Document) ID() string { return d.id }

// Size implements index.Document.
func (d *Document) Size() int { return 0 }

// VisitComposite implements index.Document: there are no composite fields.
func (d *Document) VisitComposite(_ index.CompositeFieldVisitor) {}

// HasComposite implements index.Document.
func (d *Document) HasComposite() bool { return false }

// NumPlainTextBytes implements index.Document.
func (d *Document) NumPlainTextBytes() uint64 { return 0 }

// StoredFieldsBytes implements index.Document.
func (d *Document) StoredFieldsBytes() uint64 { return 0 }

// Indexed implements index.Document.
func (d *Document) Indexed() bool { return false }

// VisitFields calls visit for each field.
func (d *Document) VisitFields(visit index.FieldVisitor) {
	for _, f := range d.Fields {
		visit(f)
	}
}

// AddIDField is called by scorch before it reads the fields.
func (d *Document) AddIDField() {
	d.Fields = append(d.Fields, &idField{&keywordField{FieldID, []string{d.id}}})
}
