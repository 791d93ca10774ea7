package searchsim

import (
	"maps"
	"time"

	"github.com/blevesearch/bleve/v2/document"
	api "github.com/blevesearch/bleve_index_api"
)

// A mapped document is what a schema makes of a JSON document.
type mapped struct {
	key     string
	fields  map[string]*terms    // indexed fields by name
	stored  map[string]any       // stored fields by name; several values are a []any
	vectors map[string][]float32 // by the name of the vector field
	bleve   *document.Document
}

// terms are those of a field in one document, with their frequencies.
type terms struct {
	length int
	freqs  api.TokenFrequencies
}

// document maps a document. One without a type that is indexed has no fields.
func (s *schema) document(key string, value map[string]any) mapped {
	m := mapped{
		key: key, fields: map[string]*terms{}, stored: map[string]any{}, vectors: map[string][]float32{},
		bleve: document.NewDocument(key),
	}
	t := s.typeOf(value)
	if t == nil || value == nil {
		return m
	}
	for _, v := range t.vectors {
		if vector := v.read(value); vector != nil {
			m.vectors[v.name] = vector
		}
	}
	_ = t.mapping.MapDocument(m.bleve, t.reduce(value)) // it has no errors
	for _, f := range m.bleve.Fields {
		if f.Options().IsIndexed() {
			m.addTerms(f)
		}
		if f.Options().IsStored() {
			m.addStored(f)
		}
	}
	return m
}

// reduce leaves out what the mapping does not look at.
func (t *docType) reduce(value map[string]any) map[string]any {
	if t.properties == nil {
		return value
	}
	reduced := make(map[string]any, len(t.properties))
	for name, looked := range t.properties {
		if v, ok := value[name]; ok && looked {
			reduced[name] = v
		}
	}
	return reduced
}

func (m *mapped) addTerms(f document.Field) {
	f.Analyze()
	t := m.fields[f.Name()]
	if t == nil {
		m.fields[f.Name()] = &terms{f.AnalyzedLength(), f.AnalyzedTokenFrequencies()}
		return
	}
	t.length += f.AnalyzedLength()
	t.freqs = maps.Clone(t.freqs) // the first belongs to its field
	for term, freq := range f.AnalyzedTokenFrequencies() {
		sum := new(api.TokenFreq)
		sum.SetFrequency(freq.Frequency())
		if before := t.freqs[term]; before != nil {
			sum.SetFrequency(before.Frequency() + freq.Frequency())
		}
		t.freqs[term] = sum
	}
}

func (m *mapped) addStored(f document.Field) {
	value := storedValue(f)
	switch before := m.stored[f.Name()].(type) {
	case nil:
		m.stored[f.Name()] = value
	case []any:
		m.stored[f.Name()] = append(before, value)
	default:
		m.stored[f.Name()] = []any{before, value}
	}
}

// storedValue is what a hit has of a stored field.
func storedValue(f document.Field) any {
	switch f := f.(type) {
	case api.TextField:
		return f.Text()
	case api.NumericField:
		if number, err := f.Number(); err == nil {
			return number
		}
	case api.BooleanField:
		if is, err := f.Boolean(); err == nil {
			return is
		}
	case api.DateTimeField:
		if at, layout, err := f.DateTime(); err == nil && layout != "" {
			return at.Format(layout)
		} else if err == nil {
			return at.Format(time.RFC3339)
		}
	}
	return nil
}
