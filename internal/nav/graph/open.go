package graph

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

var errDamaged = errors.New("the columns do not fit together")

// open makes a graph of its columns. It checks every number that is used as an
// index, because the files lie in a folder that others write to.
func open(p [parts][]byte) (*Graph, error) {
	g := &Graph{parts: p}
	u := func(n part) []uint32 { return column[uint32](p[n]) }
	c := u(partCounts)
	if len(c) != 4 {
		return nil, fmt.Errorf("counts: %w", errDamaged)
	}
	g.counts = counts{Names: c[0], References: c[1], External: c[2], Unresolved: c[3]}
	g.text, g.textStarts = p[partText], u(partTextStarts)
	g.path, g.language, g.pkg, g.flags, g.revision = u(partPath), u(partLanguage), u(partPackage), u(partFlags), u(partRevision)
	g.symStarts, g.factStarts = u(partSymStarts), u(partFactStarts)
	g.dir, g.dirStarts, g.dirFiles = u(partDir), u(partDirStarts), column[resolve.FileID](p[partDirFiles])
	g.lang, g.langStarts, g.langFiles = u(partLang), u(partLangStarts), column[resolve.FileID](p[partLangFiles])
	g.sym = symbolColumns{
		name: u(partSymName), qualified: u(partSymQualified), kind: u(partSymKind), parent: column[int32](p[partSymParent]),
		line: u(partSymLine), column: u(partSymColumn), start: u(partSymStart), end: u(partSymEnd), nth: u(partSymNth),
	}
	g.defStarts, g.defs = u(partDefStarts), pairColumn[resolve.SymbolID](p[partDefs])
	g.refStarts, g.refFiles = u(partRefStarts), column[resolve.FileID](p[partRefFiles])
	g.mentionStarts, g.mentions = u(partMentionStarts), u(partMentions)
	g.touchStarts, g.touchFiles = u(partTouchStarts), column[resolve.FileID](p[partTouchFiles])
	if err := g.checkFiles(); err != nil {
		return nil, err
	}
	g.decoded = make([]atomic.Pointer[facts.File], len(g.path))
	return g, g.openEdges()
}

// openEdges reads the columns of edges, which are not there while they are
// being found.
func (g *Graph) openEdges() error {
	u := func(n part) []uint32 { return column[uint32](g.parts[n]) }
	f := func(n part) []float32 { return column[float32](g.parts[n]) }
	g.aliases, g.aliasStarts, g.fileAliases = pairColumn[pair](g.parts[partAliases]), u(partAliasStarts), pairColumn[pair](g.parts[partFileAliases])
	g.edges = edgeColumns{
		starts: u(partEdgeStarts), from: column[int32](g.parts[partEdgeFrom]), line: u(partEdgeLine), column: u(partEdgeColumn),
		kind: u(partEdgeKind), confidence: f(partEdgeConf), to: u(partEdgeTo), targets: pairColumn[resolve.SymbolID](g.parts[partTargets]),
		outStarts: u(partOutStarts), out: u(partOut), useStarts: u(partUseStarts), uses: u(partUses), tally: u(partTally),
	}
	g.links = linkColumns{
		starts: u(partLinkStarts), from: pairColumn[resolve.SymbolID](g.parts[partLinkFrom]), to: pairColumn[resolve.SymbolID](g.parts[partLinkTo]),
		kind: u(partLinkKind), confidence: f(partLinkConf), backStarts: u(partBackStarts), backLinks: u(partBackLinks),
	}
	if len(g.edges.starts) == 0 {
		return nil
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
	nStrings, nFiles, nSyms := len(g.textStarts)-1, len(g.path), len(g.sym.name)
	c.starts("strings", g.textStarts, nStrings, len(g.text))
	c.that(int(g.Names) <= nStrings, "names")
	for _, col := range [][]uint32{g.path, g.language, g.pkg, g.revision, g.flags} {
		c.that(len(col) == nFiles, "files")
	}
	for _, col := range [][]uint32{g.path, g.language, g.pkg, g.revision, g.dir, g.lang, g.sym.name, g.sym.qualified, g.sym.kind} {
		below(c, "strings of files and symbols", col, nStrings)
	}
	c.that(len(g.parts[partHash]) == nFiles*len(Hash{}) && len(g.parts[partShape]) == nFiles*len(shape{}), "hashes")
	c.starts("symbols of files", g.symStarts, nFiles, nSyms)
	c.starts("facts", g.factStarts, nFiles, len(g.parts[partFacts]))
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
	s := &g.sym
	for _, n := range []int{len(s.qualified), len(s.kind), len(s.parent), len(s.line), len(s.column), len(s.start), len(s.end), len(s.nth)} {
		c.that(n == nSyms, "symbols")
	}
	if c.err == nil {
		g.checkSymbols(c, g.defs, "definitions")
		g.checkParents(c)
	}
	return c.err
}

func (g *Graph) checkSymbols(c *checker, all []resolve.SymbolID, what string) {
	for _, id := range all {
		if uint32(id.File) >= uint32(len(g.path)) || id.Index < 0 || uint32(id.Index) >= g.symStarts[id.File+1]-g.symStarts[id.File] {
			c.that(false, what)
			return
		}
	}
}

// checkParents checks that a parent is before its children.
func (g *Graph) checkParents(c *checker) {
	for f := range g.path {
		for i, parent := range rows(g.symStarts, g.sym.parent, f) {
			c.that(parent >= -1 && int(parent) < i, "parents")
		}
	}
}

func (g *Graph) checkEdges() error {
	c := &checker{}
	e, l := &g.edges, &g.links
	nEdges, nLinks, nSyms := len(e.line), len(l.to), len(g.sym.name)
	c.starts("edges", e.starts, len(g.path), nEdges)
	for _, n := range []int{len(e.from), len(e.column), len(e.kind), len(e.confidence)} {
		c.that(n == nEdges, "edges")
	}
	for _, n := range []int{len(l.from), len(l.kind), len(l.confidence), len(l.backLinks)} {
		c.that(n == nLinks, "links")
	}
	c.starts("targets", e.to, nEdges, len(e.targets))
	c.starts("uses", e.useStarts, nSyms, len(e.uses))
	c.starts("edges of symbols", e.outStarts, nSyms, len(e.out))
	c.that(len(e.tally) == 3*len(g.path), "counts of files")
	c.starts("links", l.starts, nSyms, nLinks)
	c.starts("links back", l.backStarts, nSyms, nLinks)
	below(c, "uses", e.uses, nEdges)
	below(c, "edges of symbols", e.out, nEdges)
	below(c, "links back", l.backLinks, nLinks)
	c.starts("aliases", g.aliasStarts, len(g.path), len(g.fileAliases))
	for _, p := range slices.Concat(g.aliases, g.fileAliases) {
		c.that(p.name < g.Names && p.as < g.Names, "aliases")
	}
	if c.err != nil {
		return c.err
	}
	g.checkSymbols(c, l.from, "links")
	g.checkSymbols(c, l.to, "links")
	g.checkEdgeEnds(c)
	return c.err
}

func (g *Graph) checkEdgeEnds(c *checker) {
	for f := range g.path {
		n := int32(g.symStarts[f+1] - g.symStarts[f])
		for _, from := range rows(g.edges.starts, g.edges.from, f) {
			c.that(from >= -1 && from < n, "edges")
		}
	}
	for n, k := range g.edges.kind {
		targets := rows(g.edges.to, g.edges.targets, n)
		c.that(len(targets) > 0, "targets")
		for i := range targets {
			g.checkTarget(c, k, targets[i:i+1])
		}
	}
	for _, k := range g.edges.kind {
		c.that(int(k&0xff) < len(kinds), "kinds")
	}
	for _, k := range g.links.kind {
		c.that(int(k&0xff) < len(kinds), "kinds")
	}
}

// checkTarget checks a target of an edge of a kind. Only imports lead to files
// and folders.
func (g *Graph) checkTarget(c *checker, kind uint32, target []resolve.SymbolID) {
	t := target[0]
	switch {
	case t.Index >= 0:
		g.checkSymbols(c, target, "targets")
	case kind&0xff != kindImports:
		c.that(false, "targets")
	case t.Index == fileTarget:
		c.that(uint32(t.File) < uint32(len(g.path)), "imported files")
	default:
		c.that(t.Index == folderTarget && uint32(t.File) < uint32(len(g.dir)), "imported folders")
	}
}
