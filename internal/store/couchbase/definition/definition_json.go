package definition

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

const (
	fulltext       = "fulltext-index"
	collectionMode = "scope.collection" // what is indexed is told by collections, not by a field of the documents
	bm25           = "bm25"
)

// A Index is what an index definition says, both as ragnav writes it and
// as the server gives it back: with the same meaning, but its own order,
// without what is false or empty, and with settings that it has added. Those
// that say nothing about answers are not here and are dropped when reading.
type Index struct {
	Type       string      `json:"type"`
	Name       string      `json:"name"`
	SourceType string      `json:"sourceType"`
	SourceName string      `json:"sourceName"`
	PlanParams *PlanParams `json:"planParams,omitempty"`
	Params     params      `json:"params"`
}

// PlanParams say over how many parts and copies the index is spread.
type PlanParams struct {
	IndexPartitions int `json:"indexPartitions"`
	NumReplicas     int `json:"numReplicas"`
}

type params struct {
	DocConfig docConfig      `json:"doc_config"`
	Mapping   mapping        `json:"mapping"`
	Store     map[string]any `json:"store,omitempty"`
}

type docConfig struct {
	Mode string `json:"mode"`
}

type mapping struct {
	Analysis              analysis        `json:"analysis"`
	DefaultAnalyzer       string          `json:"default_analyzer"`
	DefaultDateTimeParser string          `json:"default_datetime_parser"`
	DefaultField          string          `json:"default_field"`
	DefaultMapping        node            `json:"default_mapping"`
	DefaultType           string          `json:"default_type"`
	DocValuesDynamic      bool            `json:"docvalues_dynamic"`
	IndexDynamic          bool            `json:"index_dynamic"`
	ScoringModel          string          `json:"scoring_model,omitempty"`
	StoreDynamic          bool            `json:"store_dynamic"`
	TypeField             string          `json:"type_field"`
	Types                 map[string]node `json:"types,omitempty"`
}

type analysis struct {
	Analyzers map[string]analyzer `json:"analyzers,omitempty"`
}

type analyzer struct {
	Type         string   `json:"type"`
	Tokenizer    string   `json:"tokenizer"`
	CharFilters  []string `json:"char_filters,omitempty"`
	TokenFilters []string `json:"token_filters,omitempty"`
}

// A node maps an object of a document, or one of its fields.
type node struct {
	Enabled         bool            `json:"enabled"`
	Dynamic         bool            `json:"dynamic"`
	DefaultAnalyzer string          `json:"default_analyzer,omitempty"`
	Properties      map[string]node `json:"properties,omitempty"`
	Fields          []field         `json:"fields,omitempty"`
}

type field struct {
	Name         string `json:"name"`
	Type         string `json:"type"`
	Analyzer     string `json:"analyzer,omitempty"`
	Index        bool   `json:"index"`
	Store        bool   `json:"store"`
	TermVectors  bool   `json:"include_term_vectors"`
	InAll        bool   `json:"include_in_all"`
	DocValues    bool   `json:"docvalues"`
	Dims         int    `json:"dims,omitempty"`
	Similarity   string `json:"similarity,omitempty"`
	OptimizedFor string `json:"vector_index_optimized_for,omitempty"`
}

// UnmarshalJSON reads a node with the server's defaults for what is not said.
func (n *node) UnmarshalJSON(data []byte) error {
	type plain node
	p := plain{Enabled: true, Dynamic: true}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*n = node(p)
	return nil
}

// UnmarshalJSON reads a mapping with the server's defaults for what is not said.
func (m *mapping) UnmarshalJSON(data []byte) error {
	type plain mapping
	p := plain{
		DefaultAnalyzer: "standard", DefaultMapping: node{Enabled: true, Dynamic: true},
		IndexDynamic: true, StoreDynamic: true, DocValuesDynamic: true,
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*m = mapping(p)
	return nil
}

// Of reads the definition of an index that the server has.
func Of(index gocb.SearchIndex) (Index, error) {
	var d Index
	data, err := json.Marshal(&index)
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		return d, fmt.Errorf("read the definition of the search index %s: %w", index.Name, err)
	}
	return d, nil
}

// ForServer is the definition as the driver takes it.
func (d Index) ForServer() (gocb.SearchIndex, error) {
	var index gocb.SearchIndex
	data, err := json.Marshal(d)
	if err == nil {
		err = json.Unmarshal(data, &index)
	}
	if err != nil {
		return index, fmt.Errorf("write the definition of the search index %s: %w", d.Name, err)
	}
	return index, nil
}

// As is the definition under another name, with the partitions and replicas
// that it asks for, else those given, else the server's usual ones.
func (d Index) As(name string, plan PlanParams) Index {
	asked := *cmp.Or(d.PlanParams, &PlanParams{})
	d.Name = name
	d.PlanParams = &PlanParams{
		IndexPartitions: cmp.Or(asked.IndexPartitions, plan.IndexPartitions, 1),
		NumReplicas:     cmp.Or(asked.NumReplicas, plan.NumReplicas),
	}
	return d
}

// Vectors is the field of the vectors, zero when there is none.
func (d Index) Vectors(scope string) field {
	mapped := d.Params.Mapping.Types[scope+"."+driver.DocumentsCollection]
	f, _ := fieldOf(mapped.Properties[fts.FieldEmbedding], fts.FieldEmbedding)
	return f
}

const (
	// BaseIndexName is the name of the first search index of a scope.
	BaseIndexName = "code_vector_index"
	// Similarity is the only one whose scores are right for this program:
	// 1/d², which is positive and orders unit vectors as the cosine does.
	Similarity = "l2_norm"
	// serverSimilarity is that of a definition that does not say.
	serverSimilarity = "l2_norm"
)

// VectorsOf reads dims and similarity from an index definition.
func VectorsOf(index gocb.SearchIndex, scope string) (dims int, similarity string, err error) {
	d, err := Of(index)
	f := d.Vectors(scope)
	return f.Dims, cmp.Or(f.Similarity, serverSimilarity), err
}
