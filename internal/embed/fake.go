package embed

import (
	"context"
	"hash/fnv"
)

// Hashed is a deterministic embedder for tests: each part of a word adds +1 or
// -1 to one component chosen by its hash. Texts with the same words have the
// same vector, texts that share words have similar ones.
type Hashed struct{ dims int }

// Fake returns a Hashed embedder of dims components, at least 1.
func Fake(dims int) *Hashed { return &Hashed{dims: max(1, dims)} }

// Manifest implements Embedder.
func (h *Hashed) Manifest() Manifest {
	return Manifest{Provider: "fake", Model: "hashed-words", Revision: "1", Dims: h.dims}
}

// Queries implements Embedder.
func (h *Hashed) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	inputs := make([]Input, len(texts))
	for i, text := range texts {
		inputs[i].Text = text
	}
	return h.Documents(ctx, inputs)
}

// Documents implements Embedder. Fields count as in Static.
func (h *Hashed) Documents(ctx context.Context, inputs []Input) ([][]float32, error) {
	vectors := make([][]float32, len(inputs))
	for i, in := range inputs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := make([]float32, h.dims)
		h.count(v, cut(in.Text, maxTextBytes), countText)
		h.count(v, in.Name, countName)
		h.count(v, in.Parent, countParent)
		h.count(v, in.File, countFile)
		vectors[i] = Unit(v)
	}
	return vectors, nil
}

func (h *Hashed) count(v []float32, text string, times float32) {
	parts := splitter{text: text}
	for part := parts.next(); part != nil; part = parts.next() {
		hash := fnv.New64a()
		_, _ = hash.Write(part)
		sum, sign := hash.Sum64(), float32(1)
		if sum>>63 == 1 {
			sign = -1
		}
		v[sum%uint64(h.dims)] += sign * times //nolint:gosec // dims is at least 1
	}
}
