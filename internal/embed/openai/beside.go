package openai

import (
	"context"

	"github.com/ragnav/ragnav/internal/embed"
)

// maxDims of a vector is what stores take.
const maxDims = 4096

// room is other, or nil where there is no room for its vectors behind those of so many
// components.
func room(other embed.Embedder, dims int) embed.Embedder {
	if other == nil || dims+other.Manifest().Dims > maxDims {
		return nil
	}
	return other
}

// joinDocuments puts behind the model's vectors of inputs those of another embedder.
func joinDocuments(ctx context.Context, other embed.Embedder, vectors [][]float32, inputs []embed.Input) error {
	if other == nil {
		return nil
	}
	others, err := other.Documents(ctx, inputs)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		if v != nil {
			vectors[i] = joined(v, others[i], other.Manifest().Dims)
		}
	}
	return nil
}

// joinQuery is the model's vector of a query with that of another embedder behind it.
func joinQuery(ctx context.Context, other embed.Embedder, v []float32, text string) ([]float32, error) {
	if other == nil {
		return v, nil
	}
	others, err := other.Queries(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return joined(v, others[0], other.Manifest().Dims), nil
}

// joined is a vector of length 1 of two of them. The cosine of two of these is the
// mean of both cosines. Nil, of a text without a word that the other embedder knows,
// is like nothing.
func joined(v, other []float32, dims int) []float32 {
	both := make([]float32, len(v)+dims)
	copy(both, v)
	copy(both[len(v):], other)
	return embed.Unit(both)
}
