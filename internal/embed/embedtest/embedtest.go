// Package embedtest is an embedder for tests that need no model.
package embedtest

import (
	"context"
	"hash/fnv"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/embed"
)

// Hashed is a deterministic embedder: each word adds +1 or -1 to one component
// chosen by its hash. Texts with the same words have the same vector, texts that
// share words have similar ones.
type Hashed struct{ dims int }

// New returns a Hashed embedder of dims components, at least 1.
func New(dims int) *Hashed { return &Hashed{dims: max(1, dims)} }

// Manifest implements embed.Embedder.
func (h *Hashed) Manifest() embed.Manifest {
	return embed.Manifest{Provider: "fake", Model: "hashed-words", Revision: "1", Dims: h.dims}
}

// Queries implements embed.Embedder.
func (h *Hashed) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	inputs := make([]embed.Input, len(texts))
	for i, text := range texts {
		inputs[i].Text = text
	}
	return h.Documents(ctx, inputs)
}

// Documents implements embed.Embedder. A name counts four times and a parent
// twice, as with the table that is built in.
func (h *Hashed) Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error) {
	vectors := make([][]float32, len(inputs))
	for i, in := range inputs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := make([]float32, h.dims)
		h.count(v, in.Text, 1)
		h.count(v, in.Name, 4)
		h.count(v, in.Parent, 2)
		h.count(v, in.File, 1)
		vectors[i] = embed.Unit(v)
	}
	return vectors, nil
}

func (h *Hashed) count(v []float32, text string, times float32) {
	for _, word := range words(text) {
		hash := fnv.New64a()
		_, _ = hash.Write([]byte(word))
		sum, sign := hash.Sum64(), float32(1)
		if sum>>63 == 1 {
			sign = -1
		}
		v[sum%uint64(h.dims)] += sign * times //nolint:gosec // dims is at least 1
	}
}

// words are the parts of a text, of camelCase too, in lower case.
func words(text string) []string {
	var apart strings.Builder
	lower := false
	for _, r := range text {
		if lower && unicode.IsUpper(r) {
			apart.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		apart.WriteRune(r)
	}
	return strings.FieldsFunc(strings.ToLower(apart.String()), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
