package searchsim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/mapping"
)

// The similarities of vectors.
const (
	l2Norm     = "l2_norm" // the default
	dotProduct = "dot_product"
	cosine     = "cosine"
)

const maxDims = 4096

// A vectorField holds the vectors at a path of the documents. Bleve as it is
// built here knows none, so they are taken out of its mapping.
type vectorField struct {
	name       string
	path       []string
	dims       int
	similarity string
	optimised  string
	base64     bool // the JSON value is a string, else an array
}

// takeVectors moves the vector fields from a mapping to the result.
func takeVectors(m *mapping.DocumentMapping, path []string) []vectorField {
	var taken []vectorField
	var kept []*mapping.FieldMapping
	for _, f := range m.Fields {
		if f.Type != "vector" && f.Type != "vector_base64" {
			kept = append(kept, f)
			continue
		}
		v := vectorField{
			name: strings.Join(path, "."), path: slices.Clone(path), dims: f.Dims,
			similarity: f.Similarity, optimised: f.VectorIndexOptimizedFor, base64: f.Type == "vector_base64",
		}
		if f.Name != "" && len(path) > 0 {
			v.name = strings.Join(append(slices.Clone(path[:len(path)-1]), f.Name), ".")
		}
		if v.similarity == "" {
			v.similarity = l2Norm
		}
		if f.Index {
			taken = append(taken, v)
		}
	}
	m.Fields = kept
	for name, property := range m.Properties {
		taken = append(taken, takeVectors(property, append(slices.Clone(path), name))...)
	}
	return taken
}

// check is what bleve checks where it knows vectors, in its words. first is the
// first field of that name, maybe of another type.
func (v vectorField) check(first vectorField) error {
	similarities, optimisations := []string{l2Norm, dotProduct, cosine},
		[]string{"", "recall", "latency", "memory-efficient"}
	switch {
	case v.dims != first.dims:
		return fmt.Errorf("field: '%s', invalid alias (different dimensions %d and %d)", v.name, v.dims, first.dims)
	case v.similarity != first.similarity:
		return fmt.Errorf("field: '%s', invalid alias (different similarity values %s and %s)", v.name, v.similarity,
			first.similarity)
	case v.dims < 1 || v.dims > maxDims:
		return fmt.Errorf("field: '%s', invalid vector dimension: %d, value should be in range [1, %d]", v.name, v.dims,
			maxDims)
	case !slices.Contains(similarities, v.similarity):
		return fmt.Errorf("field: '%s', invalid similarity metric: '%s', valid metrics are: %+v", v.name, v.similarity,
			similarities)
	case !slices.Contains(optimisations, v.optimised):
		return fmt.Errorf("field: '%s', invalid vector index optimization: '%s', valid optimizations are: %+v", v.name,
			v.optimised, optimisations[1:])
	}
	return nil
}

// read takes the vector out of a document. What is no vector of the right
// length is left out in silence, as on the server.
func (v vectorField) read(document map[string]any) []float32 {
	var vector []float32
	switch value := lookup(document, v.path).(type) {
	case string:
		if !v.base64 {
			return nil
		}
		decoded, err := decodeVector(value)
		if err != nil {
			return nil
		}
		vector = decoded
	case []any:
		if v.base64 {
			return nil
		}
		vector = make([]float32, len(value))
		for i, x := range value {
			number, ok := x.(float64)
			if !ok {
				return nil
			}
			vector[i] = float32(number)
		}
	}
	if len(vector) != v.dims {
		return nil
	}
	if v.similarity == cosine {
		return normalised(vector)
	}
	return vector
}

// lookup is the value at a path of objects.
func lookup(document map[string]any, path []string) any {
	var value any = document
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	return value
}
