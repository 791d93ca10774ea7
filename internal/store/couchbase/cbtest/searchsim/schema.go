package searchsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/mapping"
)

// A schema tells what of a document is indexed, and how. The work is done by
// bleve's mapping, as on the server; only vectors are our own.
type schema struct {
	scoring    Scoring
	mapping    *mapping.IndexMappingImpl // without vector fields
	json       json.RawMessage           // with them, as the server gives it back
	collection string                    // "scope.collection"
	typeField  string                    // the field that has the type of a document, "" for none
	vectors    map[string]vectorField    // by name
	types      map[string]*docType       // by name, enabled ones only
}

// A docType is the mapping of one type of documents.
type docType struct {
	mapping *mapping.IndexMappingImpl // takes every document for one of this type
	vectors []vectorField
	// properties are those that the mapping looks at; nil for all. The others
	// are left out before bleve walks them.
	properties map[string]bool
}

// The server refuses keys of a mapping that it does not know.
func init() { mapping.MappingJSONStrict = true }

// newSchema reads the mapping of a definition.
func newSchema(raw json.RawMessage, o Options) (*schema, error) {
	s := &schema{
		scoring: o.Scoring, mapping: mapping.NewIndexMapping(), vectors: map[string]vectorField{},
		types: map[string]*docType{},
	}
	if err := json.Unmarshal(raw, s.mapping); err != nil {
		return nil, err
	}
	if !o.BM25 && s.mapping.ScoringModel != "" { // a key that such a server does not know
		return nil, errors.New("index mapping contains invalid keys: [scoring_model]")
	}
	var err error
	if s.json, err = json.Marshal(s.mapping); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(s.mapping.TypeMapping)) {
		m := s.mapping.TypeMapping[name]
		if m == nil {
			return nil, fmt.Errorf("type mapping %s is null", name)
		}
		s.types[name] = s.newType(name, m)
	}
	takeVectors(s.mapping.DefaultMapping, nil)
	return s, nil
}

func (s *schema) newType(name string, m *mapping.DocumentMapping) *docType {
	t := &docType{vectors: takeVectors(m, nil)}
	for _, v := range t.vectors {
		if _, ok := s.vectors[v.name]; !ok {
			s.vectors[v.name] = v
		}
	}
	if !m.Dynamic {
		t.properties = map[string]bool{}
		for property, pm := range m.Properties {
			t.properties[property] = len(pm.Fields) > 0 || len(pm.Properties) > 0
		}
	}
	as := *s.mapping
	as.DefaultType, as.TypeField = name, "\x00" // no document has a type of its own
	t.mapping = &as
	return t
}

// enabledTypes are the names of the types that are indexed.
func (s *schema) enabledTypes() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s.mapping.TypeMapping)) {
		if s.mapping.TypeMapping[name].Enabled {
			names = append(names, name)
		}
	}
	return names
}

// checkFeatures refuses what a server of that version does not have.
func (s *schema) checkFeatures(o Options) error {
	if s.mapping.SynonymCount() > 0 {
		return errors.New("searchsim does not implement synonyms")
	}
	if s.mapping.CountNested() > 0 {
		return errors.New("PrepareIndex, err: nested fields not supported in this cluster")
	}
	for _, v := range s.vectors {
		if v.similarity == cosine && !o.Prefilter {
			return errors.New("PrepareIndex, err: cosine similarity metric for vectors not supported in this cluster")
		}
	}
	return nil
}

// validate checks analysers and fields.
func (s *schema) validate() error {
	if err := s.mapping.Validate(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.types)) {
		for _, v := range s.types[name].vectors {
			if err := v.check(s.vectors[v.name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// typeOf is the mapping for a document; nil when it is not indexed.
func (s *schema) typeOf(document map[string]any) *docType {
	if s.typeField != "" {
		if name, ok := lookup(document, strings.Split(s.typeField, ".")).(string); ok {
			if t := s.types[s.collection+"."+name]; t != nil {
				return t
			}
		}
	}
	return s.types[s.collection]
}

// analyse is the terms of a text in a field. An analyser of "" is the field's.
func (s *schema) analyse(field, analyser, text string) ([]string, error) {
	if analyser == "" {
		analyser = s.mapping.AnalyzerNameForPath(field)
	}
	tokens, err := s.mapping.AnalyzeText(analyser, []byte(text))
	if err != nil {
		return nil, fmt.Errorf("no analyzer named '%s' registered", analyser)
	}
	terms := make([]string, len(tokens))
	for i, token := range tokens {
		terms[i] = string(token.Term)
	}
	return terms, nil
}
