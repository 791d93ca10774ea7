package graph

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// An entry is a file on its way into a graph. Facts is never nil.
type entry struct {
	Path, Language, Revision string
	Hash                     Hash
	Flags                    uint32
	Facts                    *facts.File
}

// An assembler makes columns.
type assembler struct {
	entries []entry
	strings map[string]uint32
	parts   [parts][]byte
}

// assemble makes a graph without edges of entries in order of path.
func assemble(entries []entry) (*Graph, error) {
	all, numbers, names := numberStrings(entries)
	a := &assembler{entries: entries, strings: numbers}
	a.text(all)
	a.files()
	a.symbols()
	a.folders()
	a.languages()
	a.names(names)
	a.mentions(names)
	a.parts[partCounts] = bytesOf([]uint32{uint32(names), 0, 0, 0})
	g, err := open(a.parts)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		g.decoded[i].Store(entries[i].Facts)
	}
	return g, nil
}

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
	symStarts, factStarts := []uint32{0}, []uint32{0}
	w := factWriter{strings: a.strings}
	for i := range a.entries {
		e := &a.entries[i]
		path = append(path, a.strings[e.Path])
		language = append(language, a.strings[e.Language])
		pkg = append(pkg, a.strings[e.Facts.Package])
		revision = append(revision, a.strings[e.Revision])
		flags = append(flags, e.Flags)
		hashes = append(hashes, e.Hash[:]...)
		s := shapeOf(e.Facts)
		shapes = append(shapes, s[:]...)
		symStarts = append(symStarts, symStarts[i]+uint32(len(e.Facts.Symbols)))
		w.file(e.Facts)
		factStarts = append(factStarts, uint32(len(w.buf)))
	}
	a.parts[partPath], a.parts[partLanguage], a.parts[partPackage] = bytesOf(path), bytesOf(language), bytesOf(pkg)
	a.parts[partRevision], a.parts[partFlags] = bytesOf(revision), bytesOf(flags)
	a.parts[partHash], a.parts[partShape] = hashes, shapes
	a.parts[partSymStarts], a.parts[partFactStarts], a.parts[partFacts] = bytesOf(symStarts), bytesOf(factStarts), w.buf
}

func (a *assembler) symbols() {
	var c symbolColumns
	for i := range a.entries {
		seen := map[string]uint32{}
		for j := range a.entries[i].Facts.Symbols {
			s := &a.entries[i].Facts.Symbols[j]
			seen[s.Qualified]++
			c.name = append(c.name, a.strings[s.Name])
			c.qualified = append(c.qualified, a.strings[s.Qualified])
			c.kind = append(c.kind, a.strings[s.Kind])
			c.parent = append(c.parent, int32(s.Parent))
			c.line = append(c.line, uint32(s.Line))
			c.column = append(c.column, uint32(s.Column))
			c.start = append(c.start, uint32(s.StartLine))
			c.end = append(c.end, uint32(s.EndLine))
			c.nth = append(c.nth, seen[s.Qualified])
		}
	}
	a.parts[partSymName], a.parts[partSymQualified], a.parts[partSymKind] = bytesOf(c.name), bytesOf(c.qualified), bytesOf(c.kind)
	a.parts[partSymParent] = bytesOf(c.parent)
	a.parts[partSymLine], a.parts[partSymColumn] = bytesOf(c.line), bytesOf(c.column)
	a.parts[partSymStart], a.parts[partSymEnd], a.parts[partSymNth] = bytesOf(c.start), bytesOf(c.end), bytesOf(c.nth)
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
		ids = append(ids, a.strings[name])
		all = append(all, groups[name]...)
		at = append(at, uint32(len(all)))
	}
	return bytesOf(ids), bytesOf(at), bytesOf(all)
}

// names makes the columns from names to definitions and to files with
// references.
func (a *assembler) names(n int) {
	defs, refs := newCSR(n), newCSR(n)
	a.eachName(func(name uint32, _ resolve.SymbolID) { defs.count(name) }, func(name uint32, _ resolve.FileID) { refs.count(name) })
	symbols, files := make([]resolve.SymbolID, defs.place()), make([]resolve.FileID, refs.place())
	a.eachName(
		func(name uint32, id resolve.SymbolID) { symbols[defs.put(name)] = id },
		func(name uint32, f resolve.FileID) { files[refs.put(name)] = f },
	)
	a.parts[partDefStarts], a.parts[partDefs] = bytesOf(defs.starts), pairBytes(symbols)
	a.parts[partRefStarts], a.parts[partRefFiles] = bytesOf(refs.starts), bytesOf(files)
}

// eachName calls def with every symbol and ref once for every name that a file
// refers to.
func (a *assembler) eachName(def func(uint32, resolve.SymbolID), ref func(uint32, resolve.FileID)) {
	last := map[uint32]int{} // the file that a name was last seen in, plus one
	for i := range a.entries {
		f := a.entries[i].Facts
		for j := range f.Symbols {
			def(a.strings[f.Symbols[j].Name], resolve.SymbolID{File: resolve.FileID(i), Index: int32(j)})
		}
		for j := range f.Refs {
			if name := a.strings[f.Refs[j].Name]; last[name] != i+1 {
				last[name] = i + 1
				ref(name, resolve.FileID(i))
			}
		}
	}
}
