package embedded

import (
	"slices"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fts"
)

// The frequencies of fields, as maps, are for zapx only, which doesn't see these
// fields but in tests: see builder.

// A keywordField holds exact terms. It never changes: documents share it.
type keywordField struct {
	name  string
	terms []string
}

// A keywordMemo has the last field of each name: most keywords of a document
// are those of the one before, which is of the same file.
type keywordMemo map[string]*keywordField

func (m keywordMemo) field(name string, terms []string) *keywordField {
	f := m[name]
	if f == nil || !slices.Equal(f.terms, terms) {
		f = &keywordField{name, terms}
		m[name] = f
	}
	return f
}

func (f *keywordField) Name() string                        { return f.name }
func (f *keywordField) Value() []byte                       { return nil }
func (f *keywordField) ArrayPositions() []uint64            { return nil }
func (f *keywordField) EncodedFieldType() byte              { return 't' }
func (f *keywordField) Analyze()                            {}
func (f *keywordField) Options() index.FieldIndexingOptions { return index.IndexField }
func (f *keywordField) AnalyzedLength() int                 { return 1 }
func (f *keywordField) NumPlainTextBytes() uint64           { return 0 }

func (f *keywordField) AnalyzedTokenFrequencies() index.TokenFrequencies {
	all := index.TokenFrequencies{}
	for _, t := range f.terms {
		all[t] = frequency(1)
	}
	return all
}

func frequency(n int) *index.TokenFreq {
	f := new(index.TokenFreq)
	f.SetFrequency(n)
	return f
}

// An idField is the id of a document, which scorch wants indexed and stored.
type idField struct{ *keywordField }

func (f *idField) Options() index.FieldIndexingOptions { return index.IndexField | index.StoreField }

func (f *idField) Value() []byte { return []byte(f.terms[0]) }

// A storedField is a value that is not indexed.
type storedField struct{ value []byte }

func (f *storedField) Name() string                                     { return fieldValue }
func (f *storedField) Value() []byte                                    { return f.value }
func (f *storedField) ArrayPositions() []uint64                         { return nil }
func (f *storedField) EncodedFieldType() byte                           { return 't' }
func (f *storedField) Analyze()                                         {}
func (f *storedField) Options() index.FieldIndexingOptions              { return index.StoreField }
func (f *storedField) AnalyzedLength() int                              { return 0 }
func (f *storedField) AnalyzedTokenFrequencies() index.TokenFrequencies { return nil }
func (f *storedField) NumPlainTextBytes() uint64                        { return 0 }

// A textField is text that goes through the code analyser. Scorch calls
// Analyze on one of its workers.
type textField struct {
	name, text string
	analyser   *fts.Analyser

	length int       // terms
	terms  []counted // different ones
}

func (f *textField) Name() string                                     { return f.name }
func (f *textField) Value() []byte                                    { return nil }
func (f *textField) ArrayPositions() []uint64                         { return nil }
func (f *textField) EncodedFieldType() byte                           { return 't' }
func (f *textField) Options() index.FieldIndexingOptions              { return index.IndexField }
func (f *textField) AnalyzedLength() int                              { return 1 } // the rowField has the length, once
func (f *textField) AnalyzedTokenFrequencies() index.TokenFrequencies { return frequencies(f.terms) }
func (f *textField) NumPlainTextBytes() uint64                        { return 0 }

// Analyze counts the terms of the text.
func (f *textField) Analyze() {
	c := takeCounter()
	defer c.give()
	f.analyser.Each(f.text, c.add)
	f.length = c.total
	f.terms = slices.Clone(c.terms)
}

// A rowField ties a document to its row; see the package comment. It comes
// after the text field, whose length it carries.
type rowField struct {
	text   *textField
	serial uint32
}

// What is added so that neither frequency nor length is 0 or, together with a
// single posting, looks like a keyword's.
const (
	rowFreqOffset   = 2
	rowLengthOffset = 1
)

func (f *rowField) Name() string                        { return fieldRow }
func (f *rowField) Value() []byte                       { return nil }
func (f *rowField) ArrayPositions() []uint64            { return nil }
func (f *rowField) EncodedFieldType() byte              { return 't' }
func (f *rowField) Options() index.FieldIndexingOptions { return index.IndexField }
func (f *rowField) AnalyzedLength() int                 { return f.text.length + rowLengthOffset }
func (f *rowField) Analyze()                            {}
func (f *rowField) NumPlainTextBytes() uint64           { return 0 }

// frequency is that of the one term.
func (f *rowField) frequency() int { return int(f.serial) + rowFreqOffset }

func (f *rowField) AnalyzedTokenFrequencies() index.TokenFrequencies {
	return index.TokenFrequencies{f.text.name: frequency(f.frequency())}
}
