package graph

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// open makes a graph of its columns, with rows in memory or in a file at
// extents. It checks every number that is used as an index, because the files
// lie in a folder that others write to. Columns without edges are a graph whose
// edges are still to be found.
func open(p Columns, at *[parts]Extent) (*Graph, error) {
	u := func(n part) []uint32 { return column[uint32](p[n]) }
	c := u(partCounts)
	if len(c) != 4 {
		return nil, fmt.Errorf("counts: %w", errDamaged)
	}
	t := &texts{text: p[partText], starts: u(partTextStarts), names: c[0]}
	g := &Graph{
		columns: p, texts: t, rows: &rowFile{}, Links: &Links{},
		counts: counts{Names: c[0], References: c[1], External: c[2], Unresolved: c[3]},
	}
	o := opener{g}
	g.Tree = openTree(t, &p)
	g.Names = openNames(t, &p)
	g.Facts = &Facts{tree: g.Tree, rows: g.rows}
	g.Facts.includes = sync.OnceValue(g.Facts.readIncludes)
	g.Edges = &Edges{tree: g.Tree, file: g.rows}
	if err := o.checkFiles(); err != nil {
		return nil, err
	}
	if err := o.rows(at, partDecls, partPlaces); err != nil {
		return nil, err
	}
	if !fit(g.Tree.symbols, g.Facts.declRows.starts) {
		return nil, fmt.Errorf("symbols of files: %w", errDamaged)
	}
	g.Facts.decls = make([]atomic.Pointer[Declared], g.Tree.Len())
	g.Facts.decoded = make([]atomic.Pointer[facts.File], g.Tree.Len())
	g.Facts.asked = make(marks, g.Tree.Len())
	g.Edges.keepRows(g.Tree.Len())
	if len(p[partEdgeStarts]) == 0 {
		return g, nil // they are still to be found
	}
	if err := o.rows(at, partEdges, partUses); err != nil {
		return nil, err
	}
	return g, o.edges()
}

// OpenStored opens the columns of a graph of an identity, whose rows are in a file at
// extents.
func OpenStored(id ID, p Columns, at *[parts]Extent, r io.ReaderAt) (*Graph, error) {
	if len(p[partEdgeStarts]) == 0 {
		return nil, fmt.Errorf("no edges: %w", errDamaged)
	}
	g, err := open(p, at)
	if err != nil {
		return nil, err
	}
	g.id, g.rows.stored = id, r
	return g, nil
}

func openTree(texts *texts, p *Columns) *Tree {
	u := func(n part) []uint32 { return column[uint32](p[n]) }
	return &Tree{
		texts: texts, path: u(partPath), language: u(partLanguage), pkg: u(partPackage), flags: u(partFlags),
		revision: u(partRevision), symbols: u(partSymStarts), hashes: p[partHash], shapes: p[partShape],
		dir: u(partDir), dirStarts: u(partDirStarts), dirFiles: column[resolve.FileID](p[partDirFiles]),
		lang: u(partLang), langStarts: u(partLangStarts), langFiles: column[resolve.FileID](p[partLangFiles]),
	}
}

func openNames(texts *texts, p *Columns) *Names {
	u := func(n part) []uint32 { return column[uint32](p[n]) }
	return &Names{
		texts:     texts,
		defStarts: u(partDefStarts), defs: pairColumn[resolve.SymbolID](p[partDefs]),
		refStarts: u(partRefStarts), refFiles: column[resolve.FileID](p[partRefFiles]),
		mentionStarts: u(partMentionStarts), mentions: u(partMentions),
		touchStarts: u(partTouchStarts), touchFiles: column[resolve.FileID](p[partTouchFiles]),
	}
}

// An Extent is where a part is in the file, and its checksum.
type Extent struct {
	At, Size int64
	Sum      uint32
}

// An opener makes a graph of its columns.
type opener struct{ g *Graph }

// rows checks that what is before parts of rows divides them.
func (o opener) rows(at *[parts]Extent, all ...part) error {
	c, g := &checker{}, o.g
	for _, n := range all {
		rows := map[part]*rowPart{
			partDecls: &g.Facts.declRows, partPlaces: &g.Facts.placeRows, partEdges: &g.Edges.rows,
			partUses: &g.Edges.useRows,
		}[n]
		data, where := g.columns[n], Extent{Size: int64(len(g.columns[n]))}
		if at != nil && data == nil {
			where = at[n]
		}
		var ok bool
		*rows, ok = rowsPart(column[uint32](g.columns[n-1]), data, where, g.Tree.Len())
		if c.that(ok, "rows"); ok {
			c.starts("rows", rows.starts, g.Tree.Len(), int(where.Size))
		}
	}
	return c.err
}

// edges reads the columns of edges, which are not there while they are
// being found.
func (o opener) edges() error {
	g := o.g
	u := func(n part) []uint32 { return column[uint32](g.columns[n]) }
	n := g.Names
	n.aliases, n.aliasStarts, n.fileAliases = pairColumn[pair](g.columns[partAliases]), u(partAliasStarts),
		pairColumn[pair](g.columns[partFileAliases])
	g.Edges.tally, g.Edges.starts = u(partTally), u(partEdgeStarts)
	g.Links = &Links{
		from: pairColumn[resolve.SymbolID](g.columns[partLinkFrom]), to: pairColumn[resolve.SymbolID](g.columns[partLinkTo]),
		kind: u(partLinkKind), confidence: column[float32](g.columns[partLinkConf]), back: u(partBackLinks),
	}
	return o.checkEdges()
}

// A checker notes what does not fit, by the name of the column.
type checker struct{ err error }

func (c *checker) that(ok bool, what string) {
	if !ok && c.err == nil {
		c.err = fmt.Errorf("%s: %w", what, errDamaged)
	}
}

// starts checks that a column divides all rows among n.
func (c *checker) starts(what string, starts []uint32, n, all int) {
	c.that(len(starts) == n+1, what)
	if c.err != nil {
		return
	}
	c.that(starts[0] == 0 && int(starts[n]) == all && slices.IsSorted(starts), what)
}

// fit tells whether no file has more of something than bytes that tell of it.
func fit(starts, bytes []uint32) bool {
	for i := range len(starts) - 1 {
		if starts[i+1]-starts[i] > bytes[i+1]-bytes[i] {
			return false
		}
	}
	return true
}

func below[W ~uint32 | ~int32](c *checker, what string, column []W, n int) {
	for _, w := range column {
		if uint32(w) >= uint32(n) {
			c.that(false, what)
			return
		}
	}
}

func (o opener) checkFiles() error {
	c, g := &checker{}, o.g
	t, names := g.Tree, g.Names
	c.that(len(g.texts.starts) > 0, "strings")
	if c.err != nil {
		return c.err
	}
	nStrings, nFiles := len(g.texts.starts)-1, g.Tree.Len()
	c.starts("strings", g.texts.starts, nStrings, len(g.texts.text))
	c.that(int(g.counts.Names) <= nStrings, "names")
	for _, col := range [][]uint32{t.path, t.language, t.pkg, t.revision, t.flags} {
		c.that(len(col) == nFiles, "files")
	}
	for _, col := range [][]uint32{t.path, t.language, t.pkg, t.revision, t.dir, t.lang} {
		below(c, "strings of files and symbols", col, nStrings)
	}
	c.that(len(g.columns[partHash]) == nFiles*len(Hash{}) && len(g.columns[partShape]) == nFiles*len(Shape{}), "hashes")
	c.that(len(t.symbols) > 0, "symbols of files")
	if c.err != nil {
		return c.err
	}
	nSyms := t.symbols.total()
	c.starts("symbols of files", t.symbols, nFiles, nSyms)
	c.starts("folders", t.dirStarts, len(t.dir), len(t.dirFiles))
	c.starts("languages", t.langStarts, len(t.lang), len(t.langFiles))
	c.starts("definitions", names.defStarts, int(g.counts.Names), len(names.defs))
	c.starts("references", names.refStarts, int(g.counts.Names), len(names.refFiles))
	c.starts("mentions", names.mentionStarts, int(g.counts.Names), len(names.mentions))
	below(c, "mentions", names.mentions, int(g.counts.Names))
	c.starts("files of mentions", names.touchStarts, int(g.counts.Names), len(names.touchFiles))
	for _, col := range [][]resolve.FileID{t.dirFiles, t.langFiles, names.refFiles, names.touchFiles} {
		below(c, "files of groups", col, nFiles)
	}
	if c.err == nil {
		t.checkSymbols(c, names.defs, "definitions")
	}
	return c.err
}

func (t *Tree) checkSymbols(c *checker, all []resolve.SymbolID, what string) {
	symbols := t.symbols[:t.Len()+1]
	for _, id := range all {
		if f := uint32(id.File); f >= uint32(t.Len()) || id.Index < 0 ||
			uint32(id.Index) >= symbols[f+1]-symbols[f] {
			c.that(false, what)
			return
		}
	}
}

func (o opener) checkEdges() error {
	c, g := &checker{}, o.g
	nFiles, starts, names := g.Tree.Len(), g.Edges.starts, g.Names
	l, nLinks, nEdges := g.Links, g.Links.Len(), 0
	if len(starts) > 0 {
		nEdges = int(starts[len(starts)-1])
	}
	c.starts("edges", starts, nFiles, nEdges)
	for _, n := range []int{len(l.from), len(l.kind), len(l.confidence), len(l.back)} {
		c.that(n == nLinks, "links")
	}
	c.that(len(g.Edges.tally) == 3*nFiles, "counts of files")
	below(c, "links back", l.back, nLinks)
	c.starts("aliases", names.aliasStarts, nFiles, len(names.fileAliases))
	for _, p := range slices.Concat(names.aliases, names.fileAliases) {
		c.that(p.name < g.counts.Names && p.as < g.counts.Names, "aliases")
	}
	for _, k := range l.kind {
		c.that(int(k&0xff) < len(Kinds), "kinds")
	}
	if c.err == nil {
		c.that(fit(starts, g.Edges.rows.starts), "edges")
		g.Tree.checkSymbols(c, l.from, "links")
		g.Tree.checkSymbols(c, l.to, "links")
	}
	return c.err
}
