package embed

import (
	"context"
	_ "embed"
	"fmt"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/vector/codes"
)

//go:embed model/static-code-v2.bin
var builtinModel []byte

// maxTextBytes of a document's text count; training cut the code there.
const maxTextBytes = 5000

// How often the tokens of each field of a document count.
const (
	countText   = 1
	countFile   = 1
	countParent = 2
	countName   = 4
)

// Static is an embedder that adds up rows of a token table. It needs no
// network and no model runtime, and gives the same vectors on every machine.
type Static struct {
	manifest Manifest
	table    *table
	parts    *partCache
	words    *wordCache
	sums     sumPool
}

// Builtin loads the table inside the binary. Its rows stay where they are;
// what is made for them takes about 2 MB. An error means a damaged binary.
func Builtin() (*Static, error) {
	t, err := readTable(builtinModel)
	if err != nil {
		return nil, fmt.Errorf("load the built-in embedding table: %w", err)
	}
	return newStatic("static-code-v2", t), nil
}

func newStatic(model string, t *table) *Static {
	return &Static{
		manifest: Manifest{
			Provider: "builtin", Model: model,
			Revision: fmt.Sprintf("%08x", t.crc), Dims: t.dims,
		},
		table: t,
		parts: newPartCache(t),
		words: newWordCache(),
		sums:  newSumPool(len(t.query)),
	}
}

// Manifest implements Embedder.
func (s *Static) Manifest() Manifest { return s.manifest }

// Queries implements Embedder.
func (s *Static) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = s.vector(s.table.query, Input{Text: text})
	}
	return vectors, nil
}

// Documents implements Embedder.
func (s *Static) Documents(ctx context.Context, inputs []Input) ([][]float32, error) {
	vectors := make([][]float32, len(inputs))
	for i, in := range inputs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in.Text = cut(in.Text, maxTextBytes)
		// On 16 levels they lose nothing that can be measured, and a store keeps half the bits.
		vectors[i] = s.vector(s.table.document, in)
		codes.Coarsen(vectors[i])
	}
	return vectors, nil
}

func (s *Static) vector(weights []float32, in Input) []float32 {
	sum := s.sums.take()
	defer s.sums.give(sum)
	s.count(sum, in.Text, countText)
	s.count(sum, in.Name, countName)
	s.count(sum, in.Parent, countParent)
	s.count(sum, in.File, countFile)
	return Unit(sum.pool(s.table, weights))
}

func (s *Static) count(sum *sum, text string, times float32) {
	for word, rest := firstWord(text); word != ""; word, rest = firstWord(rest) {
		for _, add := range s.shares(word) {
			sum.add(add.row, times*add.share)
		}
	}
}

// cut is the longest prefix of at most n bytes that ends between two runes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
