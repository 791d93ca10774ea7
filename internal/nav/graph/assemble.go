package graph

import (
	"encoding/binary"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// An Entry is a file on its way into a graph. Numbers of strings are those of
// the pool.
type Entry struct {
	Path, Language, Package, Revision string
	Hash                              Hash
	Flags                             uint32
	shape                             Shape

	strings       []uint32 // the table of decls
	decls, places []byte   // rows, decls without its table
	symbols       []uint32 // names of symbols
	refs          []uint32 // names of references, each once
	mentions      []pair
	touched       []uint32
}

// Put encodes the facts of a file.
func (e *Entry) Put(p *Pool, f *facts.File) {
	w := newFactWriter(f)
	table := len(w.all)
	e.Package, e.shape = f.Package, ShapeOf(f)
	e.mentions, e.touched = w.mentions(f)
	for i := range f.Symbols {
		e.symbols = append(e.symbols, w.of(f.Symbols[i].Name))
	}
	seen := map[uint32]bool{}
	for i := range f.Refs {
		if n := w.of(f.Refs[i].Name); !seen[n] {
			seen[n] = true
			e.refs = append(e.refs, n)
		}
	}
	numbers := p.add(w.all, w.name)
	e.strings, e.decls, e.places = fitted(numbers[:table]), fitted(w.decls), fitted(w.places)
	for _, list := range [][]uint32{e.symbols, e.refs, e.touched} {
		for i, n := range list {
			list[i] = numbers[n]
		}
	}
	for i, m := range e.mentions {
		e.mentions[i] = pair{numbers[m.name], numbers[m.as]}
	}
}

// fitted is a list without room to grow.
func fitted[T any](list []T) []T { return append(make([]T, 0, len(list)), list...) }

// An assembler makes columns.
type assembler struct {
	entries []Entry
	pool    *Pool
	final   []uint32 // numbers of strings in the graph, by those in the pool
	parts   Columns
}

// Assemble makes a graph without edges of entries in order of path. Connect gives
// it its edges; until then its files are without references, but for those that
// are held.
func Assemble(entries []Entry, p *Pool) (*Graph, error) {
	for i := range entries {
		e := &entries[i]
		known := append(foldersOf(e.Path), e.Path, e.Language, e.Package, e.Revision)
		p.add(known, make([]bool, len(known)))
	}
	all, final, names := p.inOrder()
	a := &assembler{entries: entries, pool: p, final: final}
	a.text(all)
	a.files()
	a.facts()
	a.folders()
	a.languages()
	a.names(names)
	a.mentions(names)
	a.parts[partCounts] = bytesOf([]uint32{uint32(names), 0, 0, 0})
	*p = Pool{}
	g, err := open(a.parts, nil)
	if err == nil {
		g.Facts.building = true
	}
	return g, err
}

// number is that of a string.
func (a *assembler) number(s string) uint32 { return a.final[a.pool.numbers[s]] }

func (a *assembler) text(all []string) {
	size := 0
	for _, s := range all {
		size += len(s)
	}
	text, starts := make([]byte, 0, size), make([]uint32, 1, len(all)+1)
	for _, s := range all {
		text = append(text, s...)
		starts = append(starts, uint32(len(text)))
	}
	a.parts[partText], a.parts[partTextStarts] = text, bytesOf(starts)
}

func (a *assembler) files() {
	var path, language, pkg, flags, revision []uint32
	var hashes, shapes []byte
	symStarts := []uint32{0}
	for i := range a.entries {
		e := &a.entries[i]
		path = append(path, a.number(e.Path))
		language = append(language, a.number(e.Language))
		pkg = append(pkg, a.number(e.Package))
		revision = append(revision, a.number(e.Revision))
		flags = append(flags, e.Flags)
		hashes = append(hashes, e.Hash[:]...)
		shapes = append(shapes, e.shape[:]...)
		symStarts = append(symStarts, symStarts[i]+uint32(len(e.symbols)))
	}
	a.parts[partPath], a.parts[partLanguage], a.parts[partPackage] = bytesOf(path), bytesOf(language), bytesOf(pkg)
	a.parts[partRevision], a.parts[partFlags] = bytesOf(revision), bytesOf(flags)
	a.parts[partHash], a.parts[partShape], a.parts[partSymStarts] = hashes, shapes, bytesOf(symStarts)
}

// facts makes the rows of facts.
func (a *assembler) facts() {
	declSize, placeSize := 0, 0
	for i := range a.entries {
		declSize += len(a.entries[i].decls) + 4*len(a.entries[i].strings)
		placeSize += len(a.entries[i].places)
	}
	decls, places := make([]byte, 0, declSize), make([]byte, 0, placeSize)
	declStarts, placeStarts := []uint32{0}, []uint32{0}
	for i := range a.entries {
		e := &a.entries[i]
		decls = binary.AppendUvarint(decls, uint64(len(e.strings)))
		for _, n := range e.strings {
			decls = binary.AppendUvarint(decls, uint64(a.final[n]))
		}
		decls, places = append(decls, e.decls...), append(places, e.places...)
		declStarts, placeStarts = append(declStarts, uint32(len(decls))), append(placeStarts, uint32(len(places)))
		e.decls, e.places, e.strings = nil, nil, nil
	}
	a.parts[partDeclRows], a.parts[partDecls] = rowIndex(declStarts, decls), decls
	a.parts[partPlaceRows], a.parts[partPlaces] = rowIndex(placeStarts, places), places
}

func (a *assembler) folders() {
	in := map[string][]resolve.FileID{}
	for i := range a.entries {
		for j, dir := range foldersOf(a.entries[i].Path) {
			if j == 0 {
				in[dir] = append(in[dir], resolve.FileID(i))
			} else if _, known := in[dir]; !known {
				in[dir] = nil
			}
		}
	}
	a.parts[partDir], a.parts[partDirStarts], a.parts[partDirFiles] = a.grouped(in)
}

func (a *assembler) languages() {
	of := map[string][]resolve.FileID{}
	for i := range a.entries {
		language := a.entries[i].Language
		of[language] = append(of[language], resolve.FileID(i))
	}
	a.parts[partLang], a.parts[partLangStarts], a.parts[partLangFiles] = a.grouped(of)
}

// grouped makes columns of keys in order, starts and files.
func (a *assembler) grouped(groups map[string][]resolve.FileID) (keys, starts, files []byte) {
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	var ids, at []uint32
	var all []resolve.FileID
	at = append(at, 0)
	for _, name := range names {
		ids = append(ids, a.number(name))
		all = append(all, groups[name]...)
		at = append(at, uint32(len(all)))
	}
	return bytesOf(ids), bytesOf(at), bytesOf(all)
}

// names makes the columns from names to definitions and to files with
// references.
func (a *assembler) names(n int) {
	defs, refs := newCSR(n), newCSR(n)
	for i := range a.entries {
		for _, name := range a.entries[i].symbols {
			defs.count(a.final[name])
		}
		for _, name := range a.entries[i].refs {
			refs.count(a.final[name])
		}
	}
	symbols, files := make([]resolve.SymbolID, defs.place()), make([]resolve.FileID, refs.place())
	for i := range a.entries {
		for j, name := range a.entries[i].symbols {
			symbols[defs.put(a.final[name])] = resolve.SymbolID{File: resolve.FileID(i), Index: int32(j)}
		}
		for _, name := range a.entries[i].refs {
			files[refs.put(a.final[name])] = resolve.FileID(i)
		}
	}
	a.parts[partDefStarts], a.parts[partDefs] = bytesOf(defs.starts), pairBytes(symbols)
	a.parts[partRefStarts], a.parts[partRefFiles] = bytesOf(refs.starts), bytesOf(files)
}
