// Package ollama runs the programs against a real Ollama with a model whose
// weights are set by hand: it says a fixed call, another one, and then a fixed
// answer, so that the protocol is tested and nothing else.
package ollama

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
)

// A model is a language model of the llama architecture with one layer that does
// nothing: attention and feed-forward add zero. Its embeddings are random, and
// the row of a token in the output matrix is the embedding of the token before
// it, so that each token is followed by one other: a chain.
type model struct {
	tokens []string
	kinds  []int32 // see the constants
	next   map[int]int
}

// The kinds of tokens in a GGUF file.
const (
	normal      = 1
	unknown     = 2
	control     = 3
	userDefined = 4
	aByte       = 6
)

const (
	width     = 512 // of an embedding
	inner     = 64  // of the feed-forward layer
	heads     = 8
	window    = 16384
	unk       = 0
	beginning = 1
	end       = 2
)

func newModel() *model {
	m := &model{next: map[int]int{}}
	m.add("<unk>", unknown)
	m.add("<s>", control)
	m.add("</s>", control)
	for i := range 256 {
		m.add("<0x"+strings.ToUpper(string("0123456789abcdef"[i/16])+string("0123456789abcdef"[i%16]))+">", aByte)
	}
	m.add("\u2581", normal)
	for c := '!'; c < 127; c++ {
		m.add(string(c), normal)
	}
	return m
}

func (m *model) add(text string, kind int32) int {
	m.tokens, m.kinds = append(m.tokens, text), append(m.kinds, kind)
	return len(m.tokens) - 1
}

// chain has the pieces follow start, one after the other, and then the end.
func (m *model) chain(start string, pieces ...string) {
	at := m.add(start, userDefined)
	for _, p := range pieces {
		next := m.add(p, userDefined)
		m.next[at], at = next, next
	}
	m.next[at] = end
}

// A tensor has its dimensions in the order of the file: the innermost first.
type tensor struct {
	name   string
	dims   []int
	values []float32
}

func (m *model) tensors() []tensor {
	random := rand.New(rand.NewPCG(7, 7)) //nolint:gosec // the same model each time
	vocabulary := len(m.tokens)
	embedding := make([]float32, vocabulary*width)
	for i := range embedding {
		embedding[i] = float32(2*random.IntN(2) - 1)
	}
	output := make([]float32, vocabulary*width)
	for from, to := range m.next {
		for i := range width {
			output[to*width+i] += 0.2 * embedding[from*width+i]
		}
	}
	ones := func() []float32 { return allOnes(width) }
	zeros := func(n int) []float32 { return make([]float32, n) }
	list := []tensor{
		{"token_embd.weight", []int{width, vocabulary}, embedding},
		{"output_norm.weight", []int{width}, ones()},
		{"output.weight", []int{width, vocabulary}, output},
		{"blk.0.attn_norm.weight", []int{width}, ones()},
		{"blk.0.ffn_norm.weight", []int{width}, ones()},
		{"blk.0.attn_output.weight", []int{width, width}, zeros(width * width)},
		{"blk.0.ffn_gate.weight", []int{width, inner}, zeros(width * inner)},
		{"blk.0.ffn_up.weight", []int{width, inner}, zeros(width * inner)},
		{"blk.0.ffn_down.weight", []int{inner, width}, zeros(width * inner)},
	}
	for _, n := range []string{"q", "k", "v"} {
		list = append(list, tensor{"blk.0.attn_" + n + ".weight", []int{width, width}, zeros(width * width)})
	}
	return list
}

func allOnes(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// A writer writes the parts of a GGUF file, version 3, little-endian.
type writer struct{ bytes.Buffer }

func (w *writer) put(values ...any) {
	for _, v := range values {
		if s, ok := v.(string); ok {
			w.put(uint64(len(s)), []byte(s))
			continue
		}
		_ = binary.Write(w, binary.LittleEndian, v) // a buffer takes all
	}
}

// The types of values in the head of a GGUF file.
const (
	typeUint32  = 4
	typeInt32   = 5
	typeFloat32 = 6
	typeBool    = 7
	typeString  = 8
	typeArray   = 9
)

func (w *writer) pair(key string, v any) {
	w.put(key)
	switch v := v.(type) {
	case string:
		w.put(uint32(typeString), v)
	case uint32:
		w.put(uint32(typeUint32), v)
	case float32:
		w.put(uint32(typeFloat32), v)
	case bool:
		w.put(uint32(typeBool), v)
	case []string:
		w.put(uint32(typeArray), uint32(typeString), uint64(len(v)))
		for _, s := range v {
			w.put(s)
		}
	case []float32:
		w.put(uint32(typeArray), uint32(typeFloat32), uint64(len(v)), v)
	case []int32:
		w.put(uint32(typeArray), uint32(typeInt32), uint64(len(v)), v)
	}
}

const align = 32

func (w *writer) pad() { w.put(make([]byte, (align-w.Len()%align)%align)) }

// file is the model as a GGUF file.
func (m *model) file() []byte {
	scores := make([]float32, len(m.tokens))
	for i := range scores {
		if m.kinds[i] == normal || m.kinds[i] == userDefined {
			scores[i] = -1
		}
	}
	pairs := []struct {
		key string
		v   any
	}{
		{"general.architecture", "llama"},
		{"general.name", "scripted"},
		{"general.file_type", uint32(0)},
		{"llama.context_length", uint32(window)},
		{"llama.embedding_length", uint32(width)},
		{"llama.block_count", uint32(1)},
		{"llama.feed_forward_length", uint32(inner)},
		{"llama.attention.head_count", uint32(heads)},
		{"llama.attention.head_count_kv", uint32(heads)},
		{"llama.attention.layer_norm_rms_epsilon", float32(1e-5)},
		{"llama.rope.dimension_count", uint32(width / heads)},
		{"llama.rope.freq_base", float32(10000)},
		{"llama.vocab_size", uint32(len(m.tokens))},
		{"tokenizer.ggml.model", "llama"},
		{"tokenizer.ggml.pre", "default"},
		{"tokenizer.ggml.tokens", m.tokens},
		{"tokenizer.ggml.scores", scores},
		{"tokenizer.ggml.token_type", m.kinds},
		{"tokenizer.ggml.bos_token_id", uint32(beginning)},
		{"tokenizer.ggml.eos_token_id", uint32(end)},
		{"tokenizer.ggml.unknown_token_id", uint32(unk)},
		{"tokenizer.ggml.add_bos_token", true},
		{"tokenizer.ggml.add_space_prefix", false},
	}
	tensors := m.tensors()
	var w writer
	w.put([]byte("GGUF"), uint32(3), uint64(len(tensors)), uint64(len(pairs)))
	for _, p := range pairs {
		w.pair(p.key, p.v)
	}
	offset := 0
	for _, t := range tensors {
		w.put(t.name, uint32(len(t.dims)))
		for _, d := range t.dims {
			w.put(uint64(d)) //nolint:gosec // it is positive
		}
		w.put(uint32(0), uint64(offset)) //nolint:gosec // it is positive
		offset += (len(t.values)*4 + align - 1) / align * align
	}
	w.pad()
	for _, t := range tensors {
		w.put(t.values)
		w.pad()
	}
	return w.Bytes()
}
