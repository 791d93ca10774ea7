package embedded

import (
	"slices"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fts"
)

// A keywordField holds exact terms. It never changes: documents share it.
type keywordField struct {
	name  string
	terms []string
	freqs index.TokenFrequencies
}

func newKeywordField(name string, terms ...string) *keywordField {
	f := &keywordField{name: name, terms: terms, freqs: make(index.TokenFrequencies, len(terms))}
	block := make([]index.TokenFreq, len(terms))
	for i, t := range terms {
		block[i].SetFrequency(1) // bleve stores a term of one posting of frequency 1 without a postings list
		f.freqs[t] = &block[i]
	}
	return f
}

// A keywordMemo has the last field of each name: most keywords of a document
// are those of the one before, which is of the same file.
type keywordMemo map[string]*keywordField

func (m keywordMemo) field(name string, terms []string) *keywordField {
	f := m[name]
	if f == nil || !slices.Equal(f.terms, terms) {
		f = newKeywordField(name, terms...)
		m[name] = f
	}
	return f
}

func (f *keywordField) Name() string                                     { return f.name }
func (f *keywordField) Value() []byte                                    { return nil }
func (f *keywordField) ArrayPositions() []uint64                         { return nil }
func (f *keywordField) EncodedFieldType() byte                           { return 't' }
func (f *keywordField) Analyze()                                         {}
func (f *keywordField) Options() index.FieldIndexingOptions              { return index.IndexField }
func (f *keywordField) AnalyzedLength() int                              { return 1 }
func (f *keywordField) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.freqs }
func (f *keywordField) NumPlainTextBytes() uint64                        { return 0 }

// An idField is the id of a document, which scorch wants indexed and stored.
type idField struct{ *keywordField }

func (f *idField) Options() index.FieldIndexingOptions { return index.IndexField | index.StoreField }

func (f *idField) Value() []byte {
	for id := range f.freqs {
		return []byte(id)
	}
	return nil
}

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

	length int // terms
	freqs  index.TokenFrequencies
}

func (f *textField) Name() string                                     { return f.name }
func (f *textField) Value() []byte                                    { return nil }
func (f *textField) ArrayPositions() []uint64                         { return nil }
func (f *textField) EncodedFieldType() byte                           { return 't' }
func (f *textField) Options() index.FieldIndexingOptions              { return index.IndexField }
func (f *textField) AnalyzedLength() int                              { return 1 } // the rowField has the length, once
func (f *textField) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.freqs }
func (f *textField) NumPlainTextBytes() uint64                        { return 0 }

// Analyze counts the terms of the text.
func (f *textField) Analyze() {
	c := takeCounter()
	defer c.give()
	f.analyser.Each(f.text, c.add)
	f.length = c.total
	f.freqs = c.frequencies()
}

// A rowField ties a document to its row; see the package comment. It comes
// after the text field, whose length it carries.
type rowField struct {
	text   *textField
	serial uint32
	freqs  index.TokenFrequencies
}

// What is added so that neither frequency nor length is 0 or, together with a
// single posting, looks like a keyword's.
const (
	rowFreqOffset   = 2
	rowLengthOffset = 1
)

func (f *rowField) Name() string                                     { return fieldRow }
func (f *rowField) Value() []byte                                    { return nil }
func (f *rowField) ArrayPositions() []uint64                         { return nil }
func (f *rowField) EncodedFieldType() byte                           { return 't' }
func (f *rowField) Options() index.FieldIndexingOptions              { return index.IndexField }
func (f *rowField) AnalyzedLength() int                              { return f.text.length + rowLengthOffset }
func (f *rowField) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.freqs }
func (f *rowField) NumPlainTextBytes() uint64                        { return 0 }

// Analyze makes the one term.
func (f *rowField) Analyze() {
	freq := new(index.TokenFreq)
	freq.SetFrequency(int(f.serial) + rowFreqOffset)
	f.freqs = index.TokenFrequencies{f.text.name: freq}
}
