package text

import (
	"slices"
	"strings"
	"sync"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// The frequencies of fields, as maps, are for zapx only, which doesn't see these
// fields but in tests: see builder.

// A keywordField holds exact terms. It never changes: documents share it.
type keywordField struct {
	name  string
	terms []string
}

// A BatchMemo has the last field of each name, because most keywords of a
// document are those of the one before, which is of the same file; and the text
// of that file.
type BatchMemo struct {
	keywords map[string]*keywordField
	file     *fileText
}

// NewBatchMemo is empty.
func NewBatchMemo() *BatchMemo { return &BatchMemo{keywords: map[string]*keywordField{}} }

func (m *BatchMemo) field(name string, terms []string) *keywordField {
	f := m.keywords[name]
	if f == nil || !slices.Equal(f.terms, terms) {
		f = &keywordField{name, terms}
		m.keywords[name] = f
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

func (f *storedField) Name() string                                     { return FieldValue }
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
	quote      quote // what the text ends with

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
	f.analyser.Each(f.text[:len(f.text)-f.quote.size], c.add)
	for _, term := range f.quote.terms() {
		c.add(term)
	}
	f.length = c.total
	f.terms = slices.Clone(c.terms)
}

// A fileText is the text of a file's document, whose terms are found once for it
// and for the symbols whose texts end with lines of the file.
type fileText struct {
	header   models.Header
	text     string
	lines    []int      // where they begin in text, and where the last one ends
	field    *textField // of its own document
	analyser *fts.Analyser

	once  sync.Once
	terms []*fts.Token
	upTo  []int // how many of the terms are before each of lines
}

// A quote is whole lines of a file. The zero quote is none.
type quote struct {
	file        *fileText
	first, last int // the lines: from first, before last
	size        int // bytes
}

// quoted is what the text of a document ends with that is of its file, which
// comes before its symbols. A file's document quotes all of itself once a symbol
// quotes it.
func (m *BatchMemo) quoted(d *models.Document, field *textField) quote {
	switch {
	case d.Type == models.TypeFile:
		m.file = &fileText{header: d.Header, text: d.Text, field: field, analyser: field.analyser}
	case d.Type == models.TypeSymbol && m.file != nil && m.file.header.RepoID == d.RepoID &&
		m.file.header.FilePath == d.FilePath:
		return m.file.quoted(d)
	}
	return quote{}
}

// quoted looks whether the text of a document ends with the lines that it is said
// to have in the file, without the newline of the last; before them the file's
// document has one more. It is no matter if it is not so: the document is read by
// itself then.
func (f *fileText) quoted(d *models.Document) quote {
	if f.lines == nil {
		f.lines = append(f.lines, 0)
		for line := range strings.Lines(f.text) {
			f.lines = append(f.lines, f.lines[len(f.lines)-1]+len(line))
		}
	}
	first, last := d.StartLine, d.EndLine+1
	if first < 1 || last <= first || last >= len(f.lines) {
		return quote{}
	}
	lines := strings.TrimSuffix(strings.TrimSuffix(f.text[f.lines[first]:f.lines[last]], "\n"), "\r")
	before, ok := strings.CutSuffix(d.Text, lines)
	if !ok || before != "" && !strings.HasSuffix(before, "\n") {
		return quote{}
	}
	f.field.quote = quote{f, 0, len(f.lines) - 1, len(f.text)}
	return quote{f, first, last, len(lines)}
}

// terms are those of the lines. They are shared, and must not be changed.
func (q quote) terms() []*fts.Token {
	if q.file == nil {
		return nil
	}
	q.file.once.Do(q.file.analyse)
	return q.file.terms[q.file.upTo[q.first]:q.file.upTo[q.last]]
}

// analyse finds the terms. No word goes on from one line to the next.
func (f *fileText) analyse() {
	f.upTo = make([]int, 0, len(f.lines))
	for at, word := range fts.Words(f.text) {
		for len(f.upTo) < len(f.lines) && f.lines[len(f.upTo)] <= at {
			f.upTo = append(f.upTo, len(f.terms))
		}
		f.terms = append(f.terms, f.analyser.Word(word)...)
	}
	for len(f.upTo) < len(f.lines) {
		f.upTo = append(f.upTo, len(f.terms))
	}
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
	RowFreqOffset   = 2
	RowLengthOffset = 1
)

func (f *rowField) Name() string                        { return FieldRow }
func (f *rowField) Value() []byte                       { return nil }
func (f *rowField) ArrayPositions() []uint64            { return nil }
func (f *rowField) EncodedFieldType() byte              { return 't' }
func (f *rowField) Options() index.FieldIndexingOptions { return index.IndexField }
func (f *rowField) AnalyzedLength() int                 { return f.text.length + RowLengthOffset }
func (f *rowField) Analyze()                            {}
func (f *rowField) NumPlainTextBytes() uint64           { return 0 }

// frequency is that of the one term.
func (f *rowField) frequency() int { return int(f.serial) + RowFreqOffset }

func (f *rowField) AnalyzedTokenFrequencies() index.TokenFrequencies {
	return index.TokenFrequencies{f.text.name: frequency(f.frequency())}
}
