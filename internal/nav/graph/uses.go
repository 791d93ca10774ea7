package graph

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Counter knows how often symbols of a graph are used, for which a third of its columns is
// enough. It may be used concurrently.
type Counter struct {
	tree  *Tree
	facts *Facts
	edges *Edges
	names *Names // nil: symbols are looked for in their file
}

// Counter is that of a whole graph.
func (g *Graph) Counter() *Counter { return &Counter{g.Tree, g.Facts, g.Edges, g.Names} }

// ForCounting tells the parts that OpenCounter needs, by their numbers.
func ForCounting(n int) bool {
	switch part(n) {
	case partText, partTextStarts, partPath, partLanguage, partPackage, partSymStarts, partEdgeStarts,
		partDeclRows, partDecls, partUseRows, partUses:
		return true
	}
	return false
}

// OpenCounter opens that of a stored graph, as OpenStored opens all of it.
func OpenCounter(p Columns, at *[parts]Extent, r io.ReaderAt) (*Counter, error) {
	t := &texts{text: p[partText], starts: column[uint32](p[partTextStarts])}
	tree, file := openTree(t, &p), &rowFile{stored: r}
	u := &Counter{
		tree: tree, facts: &Facts{tree: tree, rows: file},
		edges: &Edges{tree: tree, file: file, starts: column[uint32](p[partEdgeStarts])},
	}
	g := &Graph{Tree: tree, Facts: u.facts, Edges: u.edges, columns: p, rows: file}
	if err := u.check(); err != nil {
		return nil, err
	}
	if err := (opener{g}).rows(at, partDecls, partUses); err != nil {
		return nil, err
	}
	if !fit(tree.symbols, u.facts.declRows.starts) {
		return nil, fmt.Errorf("symbols of files: %w", errDamaged)
	}
	u.facts.decls, u.facts.asked = make([]atomic.Pointer[Declared], tree.Len()), make(marks, tree.Len())
	return u, nil
}

// check looks at the numbers in the columns that are used as indexes.
func (u *Counter) check() error {
	c, t, n := &checker{}, u.tree, u.tree.Len()
	c.that(len(t.texts.starts) > 0 && len(t.symbols) > 0 && len(u.edges.starts) > 0, "starts")
	if c.err != nil {
		return c.err
	}
	c.starts("strings", t.texts.starts, len(t.texts.starts)-1, len(t.texts.text))
	for _, col := range [][]uint32{t.path, t.language, t.pkg} {
		c.that(len(col) == n, "files")
		below(c, "strings of files", col, len(t.texts.starts)-1)
	}
	c.starts("symbols of files", t.symbols, n, t.symbols.total())
	c.starts("edges", u.edges.starts, n, int(u.edges.starts[len(u.edges.starts)-1]))
	return c.err
}

// Count counts the uses of a symbol of a name that is declared between two lines of
// a file, and those of them in files that last says of. ok is false when there is
// no such symbol.
func (u *Counter) Count(file, name string, from, to int, last func(file string) bool) (uses, lasts int, ok bool) {
	f, known := u.tree.ByPath(file)
	if !known {
		return 0, 0, false
	}
	i, known := u.find(f, name, from, to)
	if !known {
		return 0, 0, false
	}
	files := u.edges.usingFiles(resolve.SymbolID{File: f, Index: i})
	at, is := resolve.FileID(-1), false
	for _, f := range files {
		if f != at {
			at, is = f, last(u.tree.Path(f))
		}
		if is {
			lasts++
		}
	}
	return len(files), lasts, true
}

// find is the first symbol of a name that is declared between two lines of a file.
func (u *Counter) find(f resolve.FileID, name string, from, to int) (int32, bool) {
	symbols := u.facts.Declared(f).Symbols
	if u.names == nil {
		for i := range symbols {
			if s := &symbols[i]; s.Line >= from && s.Line <= to && s.Name == name {
				return int32(i), true
			}
		}
		return 0, false
	}
	for _, s := range u.names.Defs(name) {
		if s.File == f && symbols[s.Index].Line >= from && symbols[s.Index].Line <= to {
			return s.Index, true
		}
	}
	return 0, false
}
