package graph

import (
	"strconv"
	"sync/atomic"
	"unsafe"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Facts are what the files of a graph say about names, decoded when they are
// asked for and then kept.
type Facts struct {
	tree *Tree
	rows *rowFile

	declRows, placeRows rowPart
	building            bool // files are without references, but for those that are held
	includes            func() map[string][]resolve.FileID
	decls               []atomic.Pointer[Declared]
	decoded             []atomic.Pointer[facts.File]
	asked               marks        // files that were asked for since the last age
	kept                atomic.Int64 // bytes of what is decoded, without texts
}

// A factReader decodes them.
type factReader struct {
	rowReader

	texts *texts
	table []uint32 // numbers of the file's strings
}

// strings reads the table.
func (r *factReader) strings() {
	r.table = list[uint32](&r.rowReader)
	for i := range r.table {
		n := r.Int()
		r.Check(n < len(r.texts.starts)-1)
		r.table[i] = uint32(n)
	}
}

func (r *factReader) text() string {
	n := r.Int()
	if r.Check(n < len(r.table)); r.Bad {
		return ""
	}
	return r.texts.str(r.table[n])
}

// A Declared file is all of its facts but the references.
type Declared struct {
	facts.File

	nth map[int32]int // of symbols whose qualified name others have before them
}

// LocalID is the id of a symbol in its file: its qualified name, with ~2 for the
// second one that is called so.
func (d *Declared) LocalID(i int32) string { return LocalID(d.Symbols[i].Qualified, d.nth[i]) }

// LocalID is the id of the nth symbol of a qualified name in its file.
func LocalID(qualified string, nth int) string {
	if nth > 1 {
		return qualified + "~" + strconv.Itoa(nth)
	}
	return qualified
}

// Declared returns what a file declares, decoded at first use. Of a file whose
// row is damaged there are symbols without anything.
func (x *Facts) Declared(f resolve.FileID) *Declared {
	x.asked.set(f)
	if d := x.decls[f].Load(); d != nil {
		return d
	}
	return x.keep(f, x.DeclaredNow(f))
}

// keep has others get what was decoded of a file; it is what they get if some did already.
func (x *Facts) keep(f resolve.FileID, d *Declared) *Declared {
	if x.decls[f].CompareAndSwap(nil, d) {
		x.kept.Add(declaredSize(d))
	} else if other := x.decls[f].Load(); other != nil { // else it was let go of at once
		return other
	}
	return d
}

func declaredSize(d *Declared) int64 {
	return int64(len(d.Symbols))*int64(unsafe.Sizeof(facts.Symbol{})) +
		int64(len(d.Imports))*int64(unsafe.Sizeof(facts.Import{}))
}

func refsSize(f *facts.File) int64 { return int64(len(f.Refs)) * int64(unsafe.Sizeof(facts.Ref{})) }

// DeclaredNow is what declared returns, not kept in memory.
func (x *Facts) DeclaredNow(f resolve.FileID) *Declared {
	if d := x.decls[f].Load(); d != nil {
		return d
	}
	d, _, ok := x.readDeclared(f)
	if !ok {
		x.rows.damage()
		d = x.nothing(f)
	}
	return d
}

func (x *Facts) nothing(f resolve.FileID) *Declared {
	d := &Declared{File: x.bare(f)}
	d.Symbols = make([]facts.Symbol, x.tree.symbols.count(f))
	for i := range d.Symbols {
		d.Symbols[i].Parent = -1
	}
	return d
}

// bare is a file as the columns know it.
func (x *Facts) bare(f resolve.FileID) facts.File {
	return facts.File{Path: x.tree.Path(f), Language: x.tree.Language(f), Package: x.tree.Package(f)}
}

// readDeclared decodes a row of declarations, and the table before it.
func (x *Facts) readDeclared(id resolve.FileID) (d *Declared, table []uint32, ok bool) {
	d = &Declared{File: x.bare(id)}
	r := factReader{texts: x.tree.texts, rowReader: rowReader{Rest: x.rows.row(&x.declRows, int(id))}}
	r.strings()
	d.Build = r.text()
	d.Imports = list[facts.Import](&r.rowReader)
	for i := range d.Imports {
		m := &d.Imports[i]
		m.Path, m.Name, m.Local = r.text(), r.text(), r.text()
		flags := r.Int()
		m.Export, m.System = flags&1 != 0, flags&2 != 0
		m.In, m.Line, m.Column = r.Int()-1, r.Int(), r.Int()
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
		r.Check(s.Parent < i)
	}
	for i := range d.Imports {
		r.Check(d.Imports[i].In < len(d.Symbols))
	}
	r.Check(len(r.Rest) == 0 && len(d.Symbols) == x.tree.symbols.count(id))
	return d, r.table, !r.Bad
}

// table is the one before a row of declarations.
func (x *Facts) table(id resolve.FileID) ([]uint32, bool) {
	r := factReader{texts: x.tree.texts, rowReader: rowReader{Rest: x.rows.row(&x.declRows, int(id))}}
	r.strings()
	return r.table, !r.Bad
}

// symbol reads a symbol whose line is that of the one before, and says the how
// many-th of its qualified name it is.
func (r *factReader) symbol(s *facts.Symbol) (nth int) {
	has := r.Int()
	s.Name = r.text()
	s.Parent = r.Int() - 1
	s.Line += r.Int32()
	s.StartLine = s.Line - r.Int32()
	s.EndLine = s.Line + r.Int32()
	s.Column = r.Int()
	s.Exported, s.Static, s.Prototype = has&symbolExported != 0, has&symbolStatic != 0, has&symbolPrototype != 0
	if has&symbolNth != 0 {
		nth = r.Int()
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
	for _, e := range SymbolExprs(s) {
		if next() {
			*e = r.expr()
		}
	}
	for _, p := range [...]*string{&s.Shape, &s.Signature} {
		if next() {
			*p = r.text()
		}
	}
	for _, exprs := range SymbolLists(s) {
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

// File returns those of a file, decoded at first use.
func (x *Facts) File(f resolve.FileID) *facts.File {
	x.asked.set(f)
	if file := x.decoded[f].Load(); file != nil {
		return file
	}
	if x.building {
		return &x.Declared(f).File
	}
	file, ok := x.Decode(f)
	if !ok {
		x.rows.damage()
		file = &x.Declared(f).File
	}
	if x.decoded[f].CompareAndSwap(nil, file) {
		x.kept.Add(refsSize(file))
	}
	return file
}

// Decode reads all facts of a file. The symbols are those of declared.
func (x *Facts) Decode(id resolve.FileID) (*facts.File, bool) {
	var table []uint32
	var ok bool
	d := x.decls[id].Load()
	if d != nil {
		table, ok = x.table(id)
	} else if d, table, ok = x.readDeclared(id); ok {
		d = x.keep(id, d)
	}
	if !ok {
		return nil, false
	}
	file := d.File
	row := x.rows.row(&x.placeRows, int(id))
	if row == nil && x.placeRows.starts[id+1] > x.placeRows.starts[id] {
		return nil, false
	}
	r := factReader{texts: x.tree.texts, rowReader: rowReader{Rest: row}, table: table}
	if len(row) > 0 {
		file.Refs = list[facts.Ref](&r.rowReader)
	}
	before := facts.Ref{}
	for i := range file.Refs {
		ref := &file.Refs[i]
		r.ref(ref, &before)
		r.Check(ref.In < len(file.Symbols) && ref.In >= -1 && ref.Is <= len(file.Symbols))
		before = *ref
	}
	r.Check(len(r.Rest) == 0)
	return &file, !r.Bad
}

func (r *factReader) ref(ref, before *facts.Ref) {
	has := r.Byte()
	ref.Kind, ref.Bare = refKinds[has&7], has&refBare != 0
	ref.Name, ref.In, ref.Line = r.text(), before.In, before.Line
	if has&refIn != 0 {
		ref.In += r.Int32()
	}
	if has&refLine != 0 {
		ref.Line += r.Int32()
		ref.Column = r.Int()
	} else {
		ref.Column = before.Column + r.Int32()
	}
	if has&refOf != 0 {
		ref.Of = r.expr()
	}
	if has&refExtra == 0 {
		return
	}
	extra := r.Int()
	if extra&refIs != 0 {
		ref.Is = r.Int()
	}
	if extra&refArgs != 0 {
		ref.Args = r.Int()
	}
	if extra&refGiven != 0 {
		ref.Arguments = r.text()
	}
	if extra&refKind != 0 {
		ref.Kind = facts.Kind(r.text())
	}
	if extra&refTypeArgs != 0 {
		ref.TypeArgs = r.Int()
	}
}

// Hold decodes all of a file, so that File has it with its references until it is
// dropped.
func (x *Facts) Hold(f resolve.FileID) error {
	file, ok := x.Decode(f)
	if !ok {
		return errDamaged
	}
	x.decoded[f].Store(file)
	return nil
}

// Drop forgets what Hold decoded.
func (x *Facts) Drop(f resolve.FileID) { x.decoded[f].Store(nil) }

// age drops the decoded facts of files that were not asked for since the last time.
func (x *Facts) age() {
	for i := range x.decls {
		if x.asked[i].Swap(false) {
			continue
		}
		if d := x.decls[i].Swap(nil); d != nil {
			x.kept.Add(-declaredSize(d))
		}
		if f := x.decoded[i].Swap(nil); f != nil {
			x.kept.Add(-refsSize(f))
		}
	}
}

// forget drops decoded facts, which are decoded again when they are needed.
func (x *Facts) forget() {
	for i := range x.decls {
		x.decls[i].Store(nil)
		x.decoded[i].Store(nil)
	}
	x.kept.Store(0)
}
