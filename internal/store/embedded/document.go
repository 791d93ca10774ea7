package embedded

import (
	"crypto/sha256"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// The fields of bleve documents that are not fields of fts.
const (
	fieldID    = "_id"
	fieldRow   = "_row"  // see the package comment
	fieldValue = "value" // stored: what storedFields lists, or a record's JSON
)

// A bleveDoc is a document as scorch takes it. It is made by hand because
// bleve's mapping by reflection costs more than the indexing.
type bleveDoc struct {
	id     string
	order  uint64 // in its segment: that of the rows; records have 0
	fields []index.Field
}

// newDocument makes the bleve document of d, whose row has that serial number.
// The memo is for all documents of a batch.
func newDocument(d *models.Document, serial uint32, analyser *fts.Analyser, memo *batchMemo) *bleveDoc {
	text := &textField{name: fts.TextField(d.Type), text: d.Text, analyser: analyser}
	text.quote = memo.quoted(d, text)
	doc := &bleveDoc{id: documentKey(string(d.ID)), order: uint64(serial) + 1}
	keywords := fts.Keywords(d)
	doc.fields = make([]index.Field, 0, len(keywords)+4) // with the id
	doc.fields = append(doc.fields, text, &rowField{text: text, serial: serial}, &storedField{value: encodeDocument(*d)})
	for name, terms := range keywords {
		doc.fields = append(doc.fields, memo.field(name, terms))
	}
	return doc
}

// documentKey is the id that a document has in bleve, which stores it twice: a
// hash, because the ids of documents are long. The rows have the ids themselves.
func documentKey(id string) string {
	hash := sha256.Sum256([]byte(id))
	return documentPrefix + string(hash[:12])
}

// recordKey is the id that a record has in bleve. Collections have no NUL, so
// that different records have different keys; their order is that of the keys.
func recordKey(collection, key string) string { return recordPrefix + collection + "\x00" + key }

// The prefixes keep documents and records apart.
const (
	recordPrefix   = "\x00"
	documentPrefix = "\x01"
)

func newRecord(id string, value []byte) *bleveDoc {
	return &bleveDoc{id: id, fields: []index.Field{&storedField{value: value}}}
}

func (d *bleveDoc) ID() string                                   { return d.id }
func (d *bleveDoc) Size() int                                    { return 0 }
func (d *bleveDoc) VisitComposite(_ index.CompositeFieldVisitor) {}
func (d *bleveDoc) HasComposite() bool                           { return false }
func (d *bleveDoc) NumPlainTextBytes() uint64                    { return 0 }
func (d *bleveDoc) StoredFieldsBytes() uint64                    { return 0 }
func (d *bleveDoc) Indexed() bool                                { return false }

// VisitFields calls visit for each field.
func (d *bleveDoc) VisitFields(visit index.FieldVisitor) {
	for _, f := range d.fields {
		visit(f)
	}
}

// AddIDField is called by scorch before it reads the fields.
func (d *bleveDoc) AddIDField() {
	d.fields = append(d.fields, &idField{&keywordField{fieldID, []string{d.id}}})
}
