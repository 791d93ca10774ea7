package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	bleve "github.com/blevesearch/bleve/v2/mapping"
)

// A mapping tells what of a document is indexed, and how.
type indexMapping struct {
	*bleve.IndexMappingImpl

	json    json.RawMessage       // as the server gives it back
	vectors []*bleve.FieldMapping // of enabled types
}

// newMapping reads the mapping of a definition.
func newMapping(raw json.RawMessage, o Options) (*indexMapping, error) {
	m := &indexMapping{IndexMappingImpl: bleve.NewIndexMapping()}
	if err := json.Unmarshal(raw, m.IndexMappingImpl); err != nil {
		return nil, err
	}
	if !o.BM25 && m.ScoringModel != "" { // a key that such a server does not know
		return nil, errors.New("index mapping contains invalid keys: [scoring_model]")
	}
	var err error
	if m.json, err = json.Marshal(m.IndexMappingImpl); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(m.TypeMapping)) {
		if m.TypeMapping[name] == nil {
			return nil, fmt.Errorf("type mapping %s is null", name)
		}
		m.vectors = append(m.vectors, vectorsOf(m.TypeMapping[name])...)
	}
	return m, nil
}

func vectorsOf(m *bleve.DocumentMapping) (found []*bleve.FieldMapping) {
	for _, f := range m.Fields {
		if f.Index && (f.Type == "vector" || f.Type == "vector_base64") {
			found = append(found, f)
		}
	}
	for _, property := range m.Properties {
		found = append(found, vectorsOf(property)...)
	}
	return found
}

// enabledTypes are the names of the types that are indexed.
func (m *indexMapping) enabledTypes() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(m.TypeMapping)) {
		if m.TypeMapping[name].Enabled {
			names = append(names, name)
		}
	}
	return names
}

// checkFeatures refuses what a server of that version does not have.
func (m *indexMapping) checkFeatures(o Options) error {
	if m.SynonymCount() > 0 {
		return errors.New("the engine of the tests does not implement synonyms")
	}
	if m.CountNested() > 0 {
		return errors.New("PrepareIndex, err: nested fields not supported in this cluster")
	}
	for _, v := range m.vectors {
		if v.Similarity == "cosine" && !o.Prefilter {
			return errors.New("PrepareIndex, err: cosine similarity metric for vectors not supported in this cluster")
		}
	}
	return nil
}
