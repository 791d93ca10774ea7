package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A Hash is the SHA-256 of a file's text.
type Hash [32]byte

// A Shape is a hash of what other files can see of a file: its language,
// package and build constraint, its imports and symbols in order with names, kinds, types and bases.
// Not where they are, and not what the file refers to. A file that keeps its
// shape changes nothing for others.
type Shape [16]byte

// ShapeOf is the shape of a file.
func ShapeOf(f *facts.File) Shape {
	h := hasher{h: sha256.New()}
	h.text(f.Language, f.Package, f.Build)
	h.number(len(f.Imports))
	for i := range f.Imports {
		m := &f.Imports[i]
		h.text(m.Path, m.Name, m.Local)
		h.number(m.In)
		h.flags(m.Export, m.System)
	}
	h.number(len(f.Symbols))
	for i := range f.Symbols {
		h.symbol(&f.Symbols[i])
	}
	h.flush()
	return Shape(h.h.Sum(nil))
}

type hasher struct {
	h   hash.Hash
	buf []byte
}

func (h *hasher) symbol(s *facts.Symbol) {
	h.text(s.Name)
	texts := symbolTexts(s)
	h.text(texts[:]...)
	h.number(s.Parent)
	h.flags(s.Exported, s.Static, s.Prototype)
	h.exprs(s.Results)
	h.number(len(s.Params))
	h.text(s.Params...)
	for _, list := range [...][]facts.Expr{s.Bounds, s.ParameterTypes, s.Args} {
		h.exprs(list)
	}
	h.number(len(s.Bases))
	for _, b := range s.Bases {
		h.text(string(b.Kind), b.Of.String())
	}
}

func (h *hasher) exprs(all []facts.Expr) {
	h.number(len(all))
	for _, e := range all {
		h.text(e.String())
	}
}

func (h *hasher) text(all ...string) {
	for _, s := range all {
		h.number(len(s))
		h.buf = append(h.buf, s...)
	}
	if len(h.buf) > 4096 {
		h.flush()
	}
}

func (h *hasher) number(n int) { h.buf = binary.AppendVarint(h.buf, int64(n)) }

func (h *hasher) flags(flags ...bool) {
	for _, f := range flags {
		b := byte(0)
		if f {
			b = 1
		}
		h.buf = append(h.buf, b)
	}
}

func (h *hasher) flush() {
	h.h.Write(h.buf)
	h.buf = h.buf[:0]
}
