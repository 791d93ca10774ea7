package graph

import (
	"encoding/binary"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
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
	symbolTextBit // of the first one
)

func (w *factWriter) symbol(s *facts.Symbol, line, nth int) {
	all, lists := symbolTexts(s), symbolLists(s)
	has := bits(s.Exported, s.Static, len(s.Bases) > 0, nth > 1)
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
)

func (w *factWriter) ref(r, before *facts.Ref) {
	kind := slices.Index(refKinds[:], r.Kind)
	extra := bits(r.Is > 0, r.Args > 0, r.Arguments != "", kind < 0)
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

// A factReader decodes them.
type factReader struct {
	rowReader

	g     *Graph
	table []uint32 // numbers of the file's strings
}

// strings reads the table.
func (r *factReader) strings() {
	r.table = list[uint32](&r.rowReader)
	for i := range r.table {
		n := r.number()
		r.check(n < len(r.g.textStarts)-1)
		r.table[i] = uint32(n)
	}
}

func (r *factReader) text() string {
	n := r.number()
	if r.check(n < len(r.table)); r.bad {
		return ""
	}
	return r.g.str(r.table[n])
}

// A declared file is all of its facts but the references.
type declared struct {
	facts.File

	nth map[int32]int // of symbols whose qualified name others have before them
}

// declared returns what a file declares, decoded at first use. Of a file whose
// row is damaged there are symbols without anything.
func (g *Graph) declared(f resolve.FileID) *declared {
	if d := g.decls[f].Load(); d != nil {
		return d
	}
	g.decls[f].CompareAndSwap(nil, g.declaredNow(f))
	return g.decls[f].Load()
}

// declaredNow is what declared returns, not kept in memory.
func (g *Graph) declaredNow(f resolve.FileID) *declared {
	if d := g.decls[f].Load(); d != nil {
		return d
	}
	d, _, ok := g.readDeclared(f)
	if !ok {
		g.damage()
		d = g.nothing(f)
	}
	return d
}

func (g *Graph) nothing(f resolve.FileID) *declared {
	d := &declared{File: g.bare(f)}
	d.Symbols = make([]facts.Symbol, g.symStarts[f+1]-g.symStarts[f])
	for i := range d.Symbols {
		d.Symbols[i].Parent = -1
	}
	return d
}

// bare is a file as the columns know it.
func (g *Graph) bare(f resolve.FileID) facts.File {
	return facts.File{Path: g.str(g.path[f]), Language: g.str(g.language[f]), Package: g.str(g.pkg[f])}
}

// readDeclared decodes a row of declarations, and the table before it.
func (g *Graph) readDeclared(id resolve.FileID) (d *declared, table []uint32, ok bool) {
	d = &declared{File: g.bare(id)}
	r := factReader{g: g, rowReader: rowReader{b: g.row(&g.declRows, int(id))}}
	r.strings()
	d.Build = r.text()
	d.Imports = list[facts.Import](&r.rowReader)
	for i := range d.Imports {
		m := &d.Imports[i]
		m.Path, m.Name, m.Local = r.text(), r.text(), r.text()
		flags := r.number()
		m.Export, m.System = flags&1 != 0, flags&2 != 0
		m.In, m.Line, m.Column = r.number()-1, r.number(), r.number()
	}
	d.Symbols = list[facts.Symbol](&r.rowReader)
	line := 0
	for i := range d.Symbols {
		s := &d.Symbols[i]
		s.Line = line
		if nth := r.symbol(s); nth > 1 {
			if d.nth == nil {
				d.nth = map[int32]int{}
			}
			d.nth[int32(i)] = nth
		}
		line = s.Line
		r.check(s.Parent < i)
	}
	for i := range d.Imports {
		r.check(d.Imports[i].In < len(d.Symbols))
	}
	r.check(len(r.b) == 0 && len(d.Symbols) == int(g.symStarts[id+1]-g.symStarts[id]))
	return d, r.table, !r.bad
}

// symbol reads a symbol whose line is that of the one before, and says the how
// many-th of its qualified name it is.
func (r *factReader) symbol(s *facts.Symbol) (nth int) {
	has := r.number()
	s.Name = r.text()
	s.Parent = r.number() - 1
	s.Line += r.signed()
	s.StartLine = s.Line - r.signed()
	s.EndLine = s.Line + r.signed()
	s.Column = r.number()
	s.Exported, s.Static = has&symbolExported != 0, has&symbolStatic != 0
	if has&symbolNth != 0 {
		nth = r.number()
	}
	bit := symbolTextBit
	next := func() bool {
		is := has&bit != 0
		bit <<= 1
		return is
	}
	for _, p := range [...]*string{&s.Qualified, &s.Kind} {
		if next() {
			*p = r.text()
		}
	}
	for _, e := range symbolExprs(s) {
		if next() {
			*e = r.expr()
		}
	}
	for _, p := range [...]*string{&s.Shape, &s.Signature} {
		if next() {
			*p = r.text()
		}
	}
	for _, exprs := range symbolLists(s) {
		if next() {
			*exprs = list[facts.Expr](&r.rowReader)
			for i := range *exprs {
				(*exprs)[i] = r.expr()
			}
		}
	}
	if next() {
		s.Params = list[string](&r.rowReader)
		for i := range s.Params {
			s.Params[i] = r.text()
		}
	}
	if has&symbolBases != 0 {
		s.Bases = list[facts.Base](&r.rowReader)
		for i := range s.Bases {
			s.Bases[i] = facts.Base{Kind: facts.Kind(r.text()), Of: r.expr()}
		}
	}
	return nth
}

func (r *factReader) expr() facts.Expr { return facts.Parse(r.text()) }

// facts returns those of a file, decoded at first use.
func (g *Graph) facts(f resolve.FileID) *facts.File {
	if file := g.decoded[f].Load(); file != nil {
		return file
	}
	if g.building {
		return &g.declared(f).File
	}
	file, ok := g.decode(f)
	if !ok {
		g.damage()
		file = &g.declared(f).File
	}
	g.decoded[f].CompareAndSwap(nil, file)
	return g.decoded[f].Load()
}

// decode reads all facts of a file. The symbols are those of declared.
func (g *Graph) decode(id resolve.FileID) (*facts.File, bool) {
	d, table, ok := g.readDeclared(id)
	if !ok {
		return nil, false
	}
	if !g.decls[id].CompareAndSwap(nil, d) {
		d = g.decls[id].Load()
	}
	file := d.File
	row := g.row(&g.placeRows, int(id))
	if row == nil && g.placeRows.starts[id+1] > g.placeRows.starts[id] {
		return nil, false
	}
	r := factReader{g: g, rowReader: rowReader{b: row}, table: table}
	if len(row) > 0 {
		file.Refs = list[facts.Ref](&r.rowReader)
	}
	before := facts.Ref{}
	for i := range file.Refs {
		ref := &file.Refs[i]
		r.ref(ref, &before)
		r.check(ref.In < len(file.Symbols) && ref.In >= -1 && ref.Is <= len(file.Symbols))
		before = *ref
	}
	r.check(len(r.b) == 0)
	return &file, !r.bad
}

func (r *factReader) ref(ref, before *facts.Ref) {
	has := r.byte()
	ref.Kind, ref.Bare = refKinds[has&7], has&refBare != 0
	ref.Name, ref.In, ref.Line = r.text(), before.In, before.Line
	if has&refIn != 0 {
		ref.In += r.signed()
	}
	if has&refLine != 0 {
		ref.Line += r.signed()
		ref.Column = r.number()
	} else {
		ref.Column = before.Column + r.signed()
	}
	if has&refOf != 0 {
		ref.Of = r.expr()
	}
	if has&refExtra == 0 {
		return
	}
	extra := r.number()
	if extra&refIs != 0 {
		ref.Is = r.number()
	}
	if extra&refArgs != 0 {
		ref.Args = r.number()
	}
	if extra&refGiven != 0 {
		ref.Arguments = r.text()
	}
	if extra&refKind != 0 {
		ref.Kind = facts.Kind(r.text())
	}
}

// forget drops decoded facts, which are decoded again when they are needed.
func (g *Graph) forget() {
	for i := range g.decoded {
		g.decoded[i].Store(nil)
		g.decls[i].Store(nil)
	}
}
