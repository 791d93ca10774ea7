package graph

import (
	"encoding/binary"
	"errors"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// The facts of a file are kept as varints: strings by number, positions of
// references as differences to the line before. Path, language and package are
// columns.

var errFacts = errors.New("the facts of a file are damaged")

// A factWriter encodes facts with the numbers of strings.
type factWriter struct {
	buf     []byte
	strings map[string]uint32
}

func (w *factWriter) file(f *facts.File) {
	w.text(f.Build)
	w.number(len(f.Imports))
	for i := range f.Imports {
		m := &f.Imports[i]
		w.text(m.Path, m.Name, m.Local)
		w.number(bits(m.Export, m.System), m.In+1, m.Line, m.Column)
	}
	w.number(len(f.Symbols))
	for i := range f.Symbols {
		w.symbol(&f.Symbols[i])
	}
	w.number(len(f.Refs))
	line := 0
	for i := range f.Refs {
		r := &f.Refs[i]
		w.text(r.Name, string(r.Kind), r.Of.String())
		w.number(bits(r.Bare, r.Is > 0, r.Args > 0, r.Given != ""), r.In+1)
		for _, n := range []int{r.Is, r.Args} {
			if n > 0 {
				w.number(n)
			}
		}
		if r.Given != "" {
			w.text(r.Given)
		}
		w.buf = binary.AppendVarint(w.buf, int64(r.Line-line))
		w.number(r.Column)
		line = r.Line
	}
}

func (w *factWriter) symbol(s *facts.Symbol) {
	w.text(s.Name)
	texts := symbolTexts(s)
	w.text(texts[:]...)
	w.number(s.Parent+1, s.Line, s.Column, s.StartLine, s.EndLine, bits(s.Exported, s.Static))
	w.exprs(s.Results)
	w.number(len(s.Params))
	w.text(s.Params...)
	for _, list := range [...][]facts.Expr{s.Bounds, s.Takes, s.Args} {
		w.exprs(list)
	}
	w.number(len(s.Bases))
	for _, b := range s.Bases {
		w.text(string(b.Kind), b.Of.String())
	}
}

func (w *factWriter) exprs(all []facts.Expr) {
	w.number(len(all))
	for _, e := range all {
		w.text(e.String())
	}
}

func (w *factWriter) text(all ...string) {
	for _, s := range all {
		w.buf = binary.AppendUvarint(w.buf, uint64(w.strings[s]))
	}
}

func (w *factWriter) number(all ...int) {
	for _, n := range all {
		w.buf = binary.AppendUvarint(w.buf, uint64(max(n, 0)))
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

// A factReader decodes them. After an error it gives zeros.
type factReader struct {
	g   *Graph
	b   []byte
	bad bool
}

func (g *Graph) decode(id resolve.FileID) (*facts.File, error) {
	r := factReader{g: g, b: g.parts[partFacts][g.factStarts[id]:g.factStarts[id+1]]}
	f := &facts.File{Path: g.str(g.path[id]), Language: g.str(g.language[id]), Package: g.str(g.pkg[id]), Build: r.text()}
	f.Imports = list[facts.Import](&r)
	for i := range f.Imports {
		m := &f.Imports[i]
		m.Path, m.Name, m.Local = r.text(), r.text(), r.text()
		flags := r.number()
		m.Export, m.System = flags&1 != 0, flags&2 != 0
		m.In, m.Line, m.Column = r.number()-1, r.number(), r.number()
	}
	f.Symbols = list[facts.Symbol](&r)
	for i := range f.Symbols {
		r.symbol(&f.Symbols[i])
		r.check(f.Symbols[i].Parent < i)
	}
	f.Refs = list[facts.Ref](&r)
	line := 0
	for i := range f.Refs {
		ref := &f.Refs[i]
		ref.Name, ref.Kind, ref.Of = r.text(), facts.Kind(r.text()), r.expr()
		flags := r.number()
		ref.Bare, ref.In = flags&1 != 0, r.number()-1
		if flags&2 != 0 {
			ref.Is = r.number()
		}
		if flags&4 != 0 {
			ref.Args = r.number()
		}
		if flags&8 != 0 {
			ref.Given = r.text()
		}
		line += r.signed()
		ref.Line, ref.Column = line, r.number()
		r.check(ref.In < len(f.Symbols) && ref.Is <= len(f.Symbols))
	}
	for i := range f.Imports {
		r.check(f.Imports[i].In < len(f.Symbols))
	}
	r.check(len(r.b) == 0 && len(f.Symbols) == int(g.symStarts[id+1]-g.symStarts[id]))
	if r.bad {
		return nil, errFacts
	}
	return f, nil
}

// bareFacts are those that do without partFacts: symbols by name, no references.
func (g *Graph) bareFacts(id resolve.FileID) *facts.File {
	f := &facts.File{Path: g.str(g.path[id]), Language: g.str(g.language[id]), Package: g.str(g.pkg[id])}
	for n := g.symStarts[id]; n < g.symStarts[id+1]; n++ {
		f.Symbols = append(f.Symbols, facts.Symbol{
			Name: g.str(g.sym.name[n]), Qualified: g.str(g.sym.qualified[n]), Kind: g.str(g.sym.kind[n]), Parent: int(g.sym.parent[n]),
			Line: int(g.sym.line[n]), Column: int(g.sym.column[n]), StartLine: int(g.sym.start[n]), EndLine: int(g.sym.end[n]),
		})
	}
	return f
}

func (r *factReader) symbol(s *facts.Symbol) {
	s.Name = r.text()
	s.Qualified, s.Kind = r.text(), r.text()
	s.Owner, s.Type, s.Under = r.expr(), r.expr(), r.expr()
	s.Shape, s.Accepts = r.text(), r.text()
	s.Parent, s.Line, s.Column = r.number()-1, r.number(), r.number()
	s.StartLine, s.EndLine = r.number(), r.number()
	flags := r.number()
	s.Exported, s.Static = flags&1 != 0, flags&2 != 0
	s.Results = r.exprs()
	s.Params = list[string](r)
	for i := range s.Params {
		s.Params[i] = r.text()
	}
	s.Bounds, s.Takes, s.Args = r.exprs(), r.exprs(), r.exprs()
	s.Bases = list[facts.Base](r)
	for i := range s.Bases {
		s.Bases[i] = facts.Base{Kind: facts.Kind(r.text()), Of: r.expr()}
	}
}

func (r *factReader) exprs() []facts.Expr {
	all := list[facts.Expr](r)
	for i := range all {
		all[i] = r.expr()
	}
	return all
}

func (r *factReader) expr() facts.Expr { return facts.Parse(r.text()) }

func (r *factReader) text() string {
	n := r.number()
	if r.check(n < len(r.g.textStarts)-1); r.bad {
		return ""
	}
	return r.g.str(uint32(n))
}

func (r *factReader) number() int {
	// Most numbers are small.
	if len(r.b) > 0 && r.b[0] < 0x80 {
		n := int(r.b[0])
		r.b = r.b[1:]
		return n
	}
	n, size := binary.Uvarint(r.b)
	if r.check(size > 0 && n < 1<<31); r.bad {
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

func (r *factReader) signed() int {
	n, size := binary.Varint(r.b)
	if r.check(size > 0); r.bad {
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

func (r *factReader) check(ok bool) {
	if !ok {
		r.bad, r.b = true, nil
	}
}

// list makes as many elements as the next number says, none if that is more
// than there are bytes.
func list[T any](r *factReader) []T {
	n := r.number()
	if r.check(n <= len(r.b)); r.bad || n == 0 {
		return nil
	}
	return make([]T, n)
}
