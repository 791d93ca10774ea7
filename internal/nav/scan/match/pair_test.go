package match

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestIndexPair(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	text := make([]byte, 700)
	for range 20_000 {
		for i := range text {
			text[i] = "abcABC@`\xc1\xe1"[r.IntN(10)]
		}
		p := pair{first: 'x', second: 'y', distance: r.IntN(40)}
		if r.IntN(2) == 0 {
			p.firstMask, p.secondMask = 0x20, 0x20
		}
		part := text[r.IntN(64):]
		n := r.IntN(len(part) - p.distance)
		for range r.IntN(3) {
			at := r.IntN(len(part) - p.distance)
			part[at], part[at+p.distance] = "xX"[r.IntN(2)], "yY"[r.IntN(2)]
		}
		if r.IntN(4) == 0 {
			p.first, p.second = 'a', 'b'
		}
		if want, got := indexPairGeneric(part, n, p), indexPair(part, n, p); want != got {
			t.Fatalf("%+v in %d positions of %q: at %d, want %d", p, n, part, got, want)
		}
	}
}

func BenchmarkIndexPair(b *testing.B) {
	text := []byte(strings.Repeat("func (c *Client) do(req *Request) (retres *Response, reterr error) {\n", 2000))
	n := newNeedle("ErrUnexpectedEOF", false)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if n.index(b.Context(), text, 0) != len(text) {
			b.Fatal("found")
		}
	}
}

func BenchmarkBytesIndex(b *testing.B) {
	text := []byte(strings.Repeat("func (c *Client) do(req *Request) (retres *Response, reterr error) {\n", 2000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if bytes.Contains(text, []byte("ErrUnexpectedEOF")) {
			b.Fatal("found")
		}
	}
}
