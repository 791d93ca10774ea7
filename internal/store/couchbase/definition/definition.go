// Package definition is the definition of the search index: as it has to be, as a
// server has it, and what differs.
package definition

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

// Options say what a search index is for. Dims must be set; what
// else is not set has the default named beside it.
type Options struct {
	Bucket     string // ragnav
	Scope      string // code
	Name       string // code_vector_index
	Dims       int    // components of the vectors, 1 to 4096
	Similarity string // l2_norm
	BM25       bool   // the server scores by BM25: from 8.0. Older ones refuse the setting and score by tf-idf
	Partitions int    // 1
	Replicas   int    // 0; each one needs a node of its own with the Search service
}

// The limits of an index name and of vectors, as the server has them.
var indexName = regexp.MustCompile(`^[A-Za-z][0-9A-Za-z_-]*$`)

const maxDims = 4096

// The analysers of an index. Text is analysed by package fts before it is
// written, so that both stores have the very same terms; the index only has to
// split at spaces.
const (
	termsAnalyser   = "ragnav_terms"
	keywordAnalyser = "keyword"
)

// JSON is the definition of the search index as the server takes it: the
// body of PUT /api/bucket/BUCKET/scope/SCOPE/index/NAME. The fields are those
// of package fts. Options that the server would refuse are
// fault.InvalidRequest.
func JSON(o Options) ([]byte, error) {
	d, err := New(o)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	err = e.Encode(d)
	return b.Bytes(), err
}

// New is Definition before it becomes JSON.
func New(o Options) (Index, error) {
	o.Bucket, o.Scope, o.Name = cmp.Or(o.Bucket, "ragnav"), cmp.Or(o.Scope, "code"), cmp.Or(o.Name, BaseIndexName)
	o.Similarity, o.Partitions = cmp.Or(o.Similarity, Similarity), cmp.Or(o.Partitions, 1)
	if err := o.check(); err != nil {
		return Index{}, err
	}
	return Index{
		Type: fulltext, Name: o.Name, SourceType: "gocbcore", SourceName: o.Bucket,
		PlanParams: &PlanParams{IndexPartitions: o.Partitions, NumReplicas: o.Replicas},
		Params: params{
			DocConfig: docConfig{Mode: collectionMode},
			Mapping:   newMapping(o),
			Store:     map[string]any{"indexType": "scorch", "segmentVersion": 16}, // vectors need 16
		},
	}, nil
}

func (o Options) check() error {
	switch {
	case !indexName.MatchString(o.Name):
		return fault.New(fault.InvalidRequest,
			"%q is no name of a search index; it starts with a letter, and letters, digits, - and _ follow", o.Name)
	case o.Dims < 1 || o.Dims > maxDims:
		return fault.New(fault.InvalidRequest, "vectors of %d components cannot be indexed; 1 to %d can", o.Dims, maxDims)
	case o.Similarity != Similarity && o.Similarity != "dot_product" && o.Similarity != "cosine":
		return fault.New(fault.InvalidRequest, "%q is no similarity of vectors; it is l2_norm, dot_product or cosine",
			o.Similarity)
	case o.Partitions < 1 || o.Replicas < 0:
		return fault.New(fault.InvalidRequest,
			"an index of %d partitions and %d replicas is not possible; it has 1 or more partitions and 0 or more replicas",
			o.Partitions, o.Replicas)
	}
	return nil
}

func newMapping(o Options) mapping {
	m := mapping{
		DefaultAnalyzer: keywordAnalyser, DefaultDateTimeParser: "dateTimeOptional", DefaultField: "_all",
		DefaultType: "_default", TypeField: "_type",
		Analysis: analysis{Analyzers: map[string]analyzer{termsAnalyser: {Type: "custom", Tokenizer: "whitespace"}}},
		Types:    map[string]node{o.Scope + "." + driver.DocumentsCollection: {Enabled: true, Properties: properties(o)}},
	}
	if o.BM25 {
		m.ScoringModel = bm25
	}
	return m
}

// properties are the fields of a document that are indexed or stored.
func properties(o Options) map[string]node {
	all := map[string]node{}
	add := func(f field) { all[f.Name] = node{Enabled: true, Fields: []field{f}} }
	for _, name := range fts.KeywordFields() {
		add(field{Name: name, Type: "text", Analyzer: keywordAnalyser, Index: true})
	}
	for _, name := range fts.TextFields() {
		add(field{Name: name, Type: "text", Analyzer: termsAnalyser, Index: true})
	}
	add(field{Name: wire.HeaderField, Type: "text", Analyzer: keywordAnalyser, Store: true})
	add(field{
		Name: fts.FieldEmbedding, Type: "vector_base64", Index: true, Dims: o.Dims, Similarity: o.Similarity,
		OptimizedFor: "recall",
	})
	return all
}
