package graph

import (
	"encoding/binary"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// The facts of a file are kept as two rows of varints. The row of declarations
// begins with the numbers of all strings of the file, in the order in which they
// come, by whose places there both rows refer to them. Positions are differences
// to what is before. Path, language and package are columns.

// A factWriter encodes the facts of a file.
type factWriter struct {
	decls, places []byte
	index         map[string]uint32 // of strings among all
	all           []string
	name          []bool // of all: the name of a symbol or reference
}

func newFactWriter(f *facts.File) *factWriter {
	w := &factWriter{index: make(map[string]uint32, 64)}
	w.text(&w.decls, f.Build)
	w.number(&w.decls, len(f.Imports))
	for i := range f.Imports {
		m := &f.Imports[i]
		w.text(&w.decls, m.Path, m.Name, m.Local)
		for _, name := range []string{m.Name, m.Local} {
			if name != "" {
				w.named(name)
			}
		}
		w.number(&w.decls, bits(m.Export, m.System), m.In+1, m.Line, m.Column)
	}
	w.number(&w.decls, len(f.Symbols))
	line, seen := 0, map[string]int{}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		seen[s.Qualified]++
		w.symbol(s, line, seen[s.Qualified])
		line = s.Line
	}
	if len(f.Refs) > 0 {
		w.number(&w.places, len(f.Refs))
	}
	before := facts.Ref{}
	for i := range f.Refs {
		w.ref(&f.Refs[i], &before)
		before = f.Refs[i]
	}
	return w
}

// Bits of what a symbol has. Its texts and lists are after these, in the order of
// symbolTexts and symbolLists, the names of its type parameters last.
const (
	symbolExported = 1 << iota
	symbolStatic
	symbolBases
	symbolNth
	symbolPrototype
	symbolTextBit // of the first one
)

func (w *factWriter) symbol(s *facts.Symbol, line, nth int) {
	all, lists := symbolTexts(s), SymbolLists(s)
	has := bits(s.Exported, s.Static, len(s.Bases) > 0, nth > 1, s.Prototype)
	bit := symbolTextBit
	for _, text := range all {
		if text != "" {
			has |= bit
		}
		bit <<= 1
	}
	for _, list := range lists {
		if len(*list) > 0 {
			has |= bit
		}
		bit <<= 1
	}
	if len(s.Params) > 0 {
		has |= bit
	}
	b := &w.decls
	w.number(b, has)
	w.number(b, int(w.named(s.Name)))
	w.number(b, s.Parent+1)
	w.signed(b, s.Line-line, s.Line-s.StartLine, s.EndLine-s.Line)
	w.number(b, s.Column)
	if nth > 1 {
		w.number(b, nth)
	}
	for _, text := range all {
		if text != "" {
			w.text(b, text)
		}
	}
	for _, list := range lists {
		if len(*list) > 0 {
			w.number(b, len(*list))
			for _, e := range *list {
				w.text(b, e.String())
			}
		}
	}
	if len(s.Params) > 0 {
		w.number(b, len(s.Params))
		w.text(b, s.Params...)
	}
	if len(s.Bases) > 0 {
		w.number(b, len(s.Bases))
		for _, base := range s.Bases {
			w.text(b, string(base.Kind), base.Of.String())
		}
	}
}

// refKinds are the kinds of references that have a number.
var refKinds = [...]facts.Kind{
	facts.Call, facts.Type, facts.Imported, facts.Extends, facts.Implements, facts.Embeds,
	facts.Read, facts.Write,
}

// Bits of what a reference has, above three for its kind.
const (
	refBare  = 8 << iota
	refIn    // it is in another symbol than the one before
	refLine  // and in another line
	refOf    // it is a member of something
	refExtra // more bits follow
)

// Bits of what few references have.
const (
	refIs = 1 << iota
	refArgs
	refGiven
	refKind // of its own
	refTypeArgs
)

func (w *factWriter) ref(r, before *facts.Ref) {
	kind := slices.Index(refKinds[:], r.Kind)
	extra := bits(r.Is > 0, r.Args > 0, r.Arguments != "", kind < 0, r.TypeArgs > 0)
	has := max(kind, 0) | bits(false, false, false, r.Bare, r.In != before.In, r.Line != before.Line,
		r.Of != facts.Nothing, extra != 0)
	b := &w.places
	*b = append(*b, byte(has))
	w.number(b, int(w.named(r.Name)))
	if has&refIn != 0 {
		w.signed(b, r.In-before.In)
	}
	if has&refLine != 0 {
		w.signed(b, r.Line-before.Line)
		w.number(b, r.Column)
	} else {
		w.signed(b, r.Column-before.Column)
	}
	if has&refOf != 0 {
		w.text(b, r.Of.String())
	}
	if extra == 0 {
		return
	}
	w.number(b, extra)
	if r.Is > 0 {
		w.number(b, r.Is)
	}
	if r.Args > 0 {
		w.number(b, r.Args)
	}
	if r.Arguments != "" {
		w.text(b, r.Arguments)
	}
	if kind < 0 {
		w.text(b, string(r.Kind))
	}
	if r.TypeArgs > 0 {
		w.number(b, r.TypeArgs)
	}
}

// of is the index of a string.
func (w *factWriter) of(s string) uint32 {
	i, ok := w.index[s]
	if !ok {
		i = uint32(len(w.all))
		w.index[s] = i
		w.all, w.name = append(w.all, s), append(w.name, false)
	}
	return i
}

// named is the index of a name.
func (w *factWriter) named(s string) uint32 {
	i := w.of(s)
	w.name[i] = true
	return i
}

func (w *factWriter) text(b *[]byte, all ...string) {
	for _, s := range all {
		*b = binary.AppendUvarint(*b, uint64(w.of(s)))
	}
}

func (w *factWriter) number(b *[]byte, all ...int) {
	for _, n := range all {
		*b = binary.AppendUvarint(*b, uint64(max(n, 0)))
	}
}

func (w *factWriter) signed(b *[]byte, all ...int) {
	for _, n := range all {
		*b = binary.AppendVarint(*b, int64(n))
	}
}

func bits(flags ...bool) (n int) {
	for i, f := range flags {
		if f {
			n |= 1 << i
		}
	}
	return n
}
