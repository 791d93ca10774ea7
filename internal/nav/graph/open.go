package graph

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

var errDamaged = errors.New("the columns do not fit together")

// open makes a graph of its columns, with rows in memory or in a file at
// offsets. It checks every number that is used as an index, because the files
// lie in a folder that others write to.
func open(p [parts][]byte, at *[parts]extent) (*Graph, error) {
	g := &Graph{parts: p}
	u := func(n part) []uint32 { return column[uint32](p[n]) }
	c := u(partCounts)
	if len(c) != 4 {
		return nil, fmt.Errorf("counts: %w", errDamaged)
	}
	g.counts = counts{Names: c[0], References: c[1], External: c[2], Unresolved: c[3]}
	g.text, g.textStarts = p[partText], u(partTextStarts)
	g.path, g.language, g.pkg, g.flags, g.revision = u(partPath), u(partLanguage), u(partPackage), u(partFlags),
		u(partRevision)
	g.symStarts = u(partSymStarts)
	g.dir, g.dirStarts, g.dirFiles = u(partDir), u(partDirStarts), column[resolve.FileID](p[partDirFiles])
	g.lang, g.langStarts, g.langFiles = u(partLang), u(partLangStarts), column[resolve.FileID](p[partLangFiles])
	g.defStarts, g.defs = u(partDefStarts), pairColumn[resolve.SymbolID](p[partDefs])
	g.refStarts, g.refFiles = u(partRefStarts), column[resolve.FileID](p[partRefFiles])
	g.mentionStarts, g.mentions = u(partMentionStarts), u(partMentions)
	g.touchStarts, g.touchFiles = u(partTouchStarts), column[resolve.FileID](p[partTouchFiles])
	if err := g.checkFiles(); err != nil {
		return nil, err
	}
	if err := g.openRows(at, partDecls, partPlaces); err != nil {
		return nil, err
	}
	if !fit(g.symStarts, g.declRows.starts) {
		return nil, fmt.Errorf("symbols of files: %w", errDamaged)
	}
	g.decls = make([]atomic.Pointer[declared], len(g.path))
	g.decoded = make([]atomic.Pointer[facts.File], len(g.path))
	g.found = make([]atomic.Pointer[fileEdges], len(g.path))
	g.includes = sync.OnceValue(func() map[string][]resolve.FileID { return includesOf(g) })
	if len(p[partEdgeStarts]) == 0 {
		return g, nil // they are still to be found
	}
	if err := g.openRows(at, partEdges, partUses); err != nil {
		return nil, err
	}
	return g, g.openEdges()
}

// An extent is where a part is in the file, and its checksum.
type extent struct {
	at, size int64
	sum      uint32
}

// openRows checks that what is before parts of rows divides them.
func (g *Graph) openRows(at *[parts]extent, all ...part) error {
	c := &checker{}
	for _, n := range all {
		rows := map[part]*rowPart{
			partDecls: &g.declRows, partPlaces: &g.placeRows, partEdges: &g.edgeRows,
			partUses: &g.useRows,
		}[n]
		data, where := g.parts[n], extent{size: int64(len(g.parts[n]))}
		if at != nil && data == nil {
			where = at[n]
		}
		var ok bool
		*rows, ok = rowsPart(column[uint32](g.parts[n-1]), data, where, len(g.path))
		if c.that(ok, "rows"); ok {
			c.starts("rows", rows.starts, len(g.path), int(where.size))
		}
	}
	return c.err
}

// openEdges reads the columns of edges, which are not there while they are
// being found.
func (g *Graph) openEdges() error {
	u := func(n part) []uint32 { return column[uint32](g.parts[n]) }
	g.aliases, g.aliasStarts, g.fileAliases = pairColumn[pair](g.parts[partAliases]), u(partAliasStarts),
		pairColumn[pair](g.parts[partFileAliases])
	g.tally, g.edgeStarts = u(partTally), u(partEdgeStarts)
	g.links = linkColumns{
		from: pairColumn[resolve.SymbolID](g.parts[partLinkFrom]), to: pairColumn[resolve.SymbolID](g.parts[partLinkTo]),
		kind: u(partLinkKind), confidence: column[float32](g.parts[partLinkConf]), back: u(partBackLinks),
	}
	return g.checkEdges()
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
	last := uint32(0)
	for _, s := range starts {
		c.that(s >= last, what)
		last = s
	}
	c.that(starts[0] == 0 && int(last) == all, what)
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

func (g *Graph) checkFiles() error {
	c := &checker{}
	c.that(len(g.textStarts) > 0, "strings")
	if c.err != nil {
		return c.err
	}
	nStrings, nFiles := len(g.textStarts)-1, len(g.path)
	c.starts("strings", g.textStarts, nStrings, len(g.text))
	c.that(int(g.Names) <= nStrings, "names")
	for _, col := range [][]uint32{g.path, g.language, g.pkg, g.revision, g.flags} {
		c.that(len(col) == nFiles, "files")
	}
	for _, col := range [][]uint32{g.path, g.language, g.pkg, g.revision, g.dir, g.lang} {
		below(c, "strings of files and symbols", col, nStrings)
	}
	c.that(len(g.parts[partHash]) == nFiles*len(Hash{}) && len(g.parts[partShape]) == nFiles*len(shape{}), "hashes")
	c.that(len(g.symStarts) > 0, "symbols of files")
	if c.err != nil {
		return c.err
	}
	nSyms := int(g.symStarts[len(g.symStarts)-1])
	c.starts("symbols of files", g.symStarts, nFiles, nSyms)
	c.starts("folders", g.dirStarts, len(g.dir), len(g.dirFiles))
	c.starts("languages", g.langStarts, len(g.lang), len(g.langFiles))
	c.starts("definitions", g.defStarts, int(g.Names), len(g.defs))
	c.starts("references", g.refStarts, int(g.Names), len(g.refFiles))
	c.starts("mentions", g.mentionStarts, int(g.Names), len(g.mentions))
	below(c, "mentions", g.mentions, int(g.Names))
	c.starts("files of mentions", g.touchStarts, int(g.Names), len(g.touchFiles))
	for _, col := range [][]resolve.FileID{g.dirFiles, g.langFiles, g.refFiles, g.touchFiles} {
		below(c, "files of groups", col, nFiles)
	}
	if c.err == nil {
		g.checkSymbols(c, g.defs, "definitions")
	}
	return c.err
}

func (g *Graph) checkSymbols(c *checker, all []resolve.SymbolID, what string) {
	for _, id := range all {
		if uint32(id.File) >= uint32(len(g.path)) || id.Index < 0 ||
			uint32(id.Index) >= g.symStarts[id.File+1]-g.symStarts[id.File] {
			c.that(false, what)
			return
		}
	}
}

func (g *Graph) checkEdges() error {
	c := &checker{}
	l, nLinks, nEdges := &g.links, len(g.links.to), 0
	if len(g.edgeStarts) > 0 {
		nEdges = int(g.edgeStarts[len(g.edgeStarts)-1])
	}
	c.starts("edges", g.edgeStarts, len(g.path), nEdges)
	for _, n := range []int{len(l.from), len(l.kind), len(l.confidence), len(l.back)} {
		c.that(n == nLinks, "links")
	}
	c.that(len(g.tally) == 3*len(g.path), "counts of files")
	below(c, "links back", l.back, nLinks)
	c.starts("aliases", g.aliasStarts, len(g.path), len(g.fileAliases))
	for _, p := range slices.Concat(g.aliases, g.fileAliases) {
		c.that(p.name < g.Names && p.as < g.Names, "aliases")
	}
	for _, k := range l.kind {
		c.that(int(k&0xff) < len(kinds), "kinds")
	}
	if c.err == nil {
		c.that(fit(g.edgeStarts, g.edgeRows.starts), "edges")
		g.checkSymbols(c, l.from, "links")
		g.checkSymbols(c, l.to, "links")
	}
	return c.err
}
