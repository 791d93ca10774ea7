package embed

import (
	"context"
	_ "embed"
	"fmt"
	"sync"
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
	model    func() (*model, error)
}

// Builtin is the embedder of the table inside the binary, which is read when
// something is embedded for the first time: many processes embed nothing. Its rows
// stay where they are; what is made for them takes about 2 MB. An error, here or
// then, means a damaged binary.
func Builtin() (*Static, error) { return static("static-code-v2", builtinModel) }

func static(name string, data []byte) (*Static, error) {
	h, err := readHead(data)
	if err != nil {
		return nil, damaged(err)
	}
	return &Static{
		manifest: Manifest{Provider: "builtin", Model: name, Revision: fmt.Sprintf("%08x", h.crc), Dims: h.dims},
		model: sync.OnceValues(func() (*model, error) {
			t, err := readTable(data)
			if err != nil {
				return nil, damaged(err)
			}
			return newModel(t), nil
		}),
	}, nil
}

func damaged(err error) error { return fmt.Errorf("load the built-in embedding table: %w", err) }

// A model is a table with what was made of it.
type model struct {
	table *table
	parts *partCache
	words *wordCache
	sums  sumPool
}

func newModel(t *table) *model {
	return &model{table: t, parts: newPartCache(t), words: newWordCache(), sums: newSumPool(len(t.query))}
}

// Manifest implements Embedder.
func (s *Static) Manifest() Manifest { return s.manifest }

// Queries implements Embedder.
func (s *Static) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	m, err := s.model()
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = m.vector(m.table.query, Input{Text: text})
	}
	return vectors, nil
}

// Documents implements Embedder.
func (s *Static) Documents(ctx context.Context, inputs []Input) ([][]float32, error) {
	m, err := s.model()
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(inputs))
	for i, in := range inputs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in.Text = cut(in.Text, maxTextBytes)
		// On 16 levels they lose nothing that can be measured, and a store keeps half the bits.
		vectors[i] = m.vector(m.table.document, in)
		codes.Coarsen(vectors[i])
	}
	return vectors, nil
}

func (m *model) vector(weights []float32, in Input) []float32 {
	sum := m.sums.take()
	defer m.sums.give(sum)
	m.count(sum, in.Text, countText)
	m.count(sum, in.Name, countName)
	m.count(sum, in.Parent, countParent)
	m.count(sum, in.File, countFile)
	return Unit(sum.pool(m.table, weights))
}

func (m *model) count(sum *sum, text string, times float32) {
	for word, rest := firstWord(text); word != ""; word, rest = firstWord(rest) {
		for _, add := range m.shares(word) {
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
