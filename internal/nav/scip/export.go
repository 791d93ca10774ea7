package scip

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Package is what a file is published in.
type Package struct{ Manager, Name, Version string }

// An Export says of what an index is written.
type Export struct {
	View    *overlay.View
	Tool    Metadata
	Read    func(ctx context.Context, path string) (text string, ok bool)
	Package func(path string) Package
	IsTest  func(path string) bool
}

// Counts are what an index has.
type Counts struct{ Documents, Occurrences, Symbols int }

// Write writes an index of a graph: each file that has symbols or uses some,
// with positions in bytes. A choice of several symbols is no occurrence.
func (e Export) Write(ctx context.Context, out io.Writer) (Counts, error) {
	x := exporter{Export: e, ctx: ctx, names: map[resolve.FileID][]string{}}
	w := NewWriter(out)
	if err := w.Metadata(e.Tool); err != nil {
		return x.counts, err
	}
	world := e.View.World()
	for f := range resolve.FileID(world.Len()) {
		if err := ctx.Err(); err != nil {
			return x.counts, err
		}
		d, err := x.document(f)
		if err != nil || len(d.Occurrences) == 0 {
			if err != nil {
				return x.counts, err
			}
			continue
		}
		x.counts.Documents++
		x.counts.Occurrences += len(d.Occurrences)
		x.counts.Symbols += len(d.Symbols)
		if err := w.Document(d); err != nil {
			return x.counts, err
		}
	}
	return x.counts, nil
}

type exporter struct {
	Export

	ctx    context.Context //nolint:containedctx // of one export
	names  map[resolve.FileID][]string
	counts Counts
}

func (x *exporter) document(f resolve.FileID) (Document, error) {
	world := x.View.World()
	file := world.File(f)
	d := Document{Path: file.Path, Language: languageID(file.Language), Encoding: UTF8}
	references := usage.References(x.View, file.Path)
	if len(file.Symbols)+len(references) == 0 {
		return d, nil
	}
	text, ok := x.Read(x.ctx, file.Path)
	if !ok {
		return d, nil
	}
	p := page{lines: strings.Split(text, "\n"), test: x.IsTest(file.Path)}
	names := x.namesOf(f)
	for i := range file.Symbols {
		if err := x.declare(&d, &p, file, i, names[i]); err != nil {
			return d, err
		}
	}
	for i := range references {
		x.refer(&d, &p, &references[i])
	}
	slices.SortStableFunc(d.Occurrences, func(a, b Occurrence) int {
		if a.Range.StartLine != b.Range.StartLine {
			return int(a.Range.StartLine - b.Range.StartLine)
		}
		return int(a.Range.StartChar - b.Range.StartChar)
	})
	return d, nil
}

// declare adds a symbol with what it implements.
func (x *exporter) declare(d *Document, p *page, file *facts.File, i int, name string) error {
	s := &file.Symbols[i]
	at, ok := p.name(s.Line, s.Column)
	def, known := x.View.World().DefAt(file.Path, i)
	if !ok || !known {
		return nil
	}
	d.Occurrences = append(d.Occurrences,
		Occurrence{Range: at, Symbol: name, Roles: Definition | p.role(), Enclosing: p.around(s)})
	info := SymbolInformation{Symbol: name, Kind: kindOf(s.Kind), DisplayName: s.Name}
	bases, err := lineage.Hierarchy(x.ctx, x.View, def, true)
	if err != nil {
		return err
	}
	for _, b := range bases {
		if b.Depth == 1 {
			info.Relationships = append(info.Relationships,
				Relationship{Symbol: x.symbolOf(b.Def), IsImplementation: true, IsReference: suffixOf(s.Kind) == Method})
		}
	}
	d.Symbols = append(d.Symbols, info)
	return nil
}

func (x *exporter) refer(d *Document, p *page, r *usage.Reference) {
	at, ok := p.name(r.Line, r.Column)
	if !ok || r.Choice {
		return
	}
	role := p.role()
	switch r.Edge {
	case string(facts.Write):
		role |= WriteAccess
	case string(facts.Read):
		role |= ReadAccess
	case string(facts.Imported):
		role |= Imported
	}
	for _, to := range r.To {
		d.Occurrences = append(d.Occurrences, Occurrence{Range: at, Symbol: x.symbolOf(to), Roles: role})
	}
}

// symbolOf is what the index calls a declaration.
func (x *exporter) symbolOf(d overlay.Def) string {
	f, _ := x.View.World().ByPath(d.File)
	return x.namesOf(f)[d.Index()]
}

// namesOf are the symbols of a file, by their index: the package, the path, what
// they are in. Of two that are called the same the second has a number.
func (x *exporter) namesOf(f resolve.FileID) []string {
	if all, ok := x.names[f]; ok {
		return all
	}
	file := x.View.World().File(f)
	pkg := x.Package(file.Path)
	base := Symbol{Scheme: "ragnav", Manager: pkg.Manager, Package: pkg.Name, Version: pkg.Version}
	for part := range strings.SplitSeq(file.Path, "/") {
		base.Descriptors = append(base.Descriptors, Descriptor{Name: part, Suffix: Namespace})
	}
	all, chains, seen := make([]string, len(file.Symbols)), make([][]Descriptor, len(file.Symbols)), map[string]int{}
	for i := range file.Symbols {
		s := &file.Symbols[i]
		chain := base.Descriptors
		switch owner := s.Owner.LastName(); {
		case s.Parent >= 0:
			chain = chains[s.Parent]
		case owner != "":
			chain = append(slices.Clip(chain), Descriptor{Name: owner, Suffix: TypeName})
		}
		d := Descriptor{Name: s.Name, Suffix: suffixOf(s.Kind)}
		if d.Name == "" {
			d.Name = "_"
		}
		write := func() string {
			chains[i] = append(slices.Clip(chain), d)
			base := base
			base.Descriptors = chains[i]
			return base.String()
		}
		all[i] = write()
		first := all[i]
		if n := seen[first]; n > 0 && d.Suffix == Method {
			d.Disambiguator = fmt.Sprintf("+%d", n)
			all[i] = write()
		} else if n > 0 {
			d.Name = fmt.Sprintf("%s~%d", d.Name, n+1)
			all[i] = write()
		}
		seen[first]++
	}
	x.names[f] = all
	return all
}

// A page finds places in a text.
type page struct {
	lines []string
	test  bool
}

func (p *page) role() Role {
	if p.test {
		return Test
	}
	return 0
}

// name is the range of the name that begins at a place, from 1.
func (p *page) name(line, column int) (Range, bool) {
	if line < 1 || line > len(p.lines) || column < 1 || column > len(p.lines[line-1]) {
		return Range{}, false
	}
	text := p.lines[line-1][column-1:]
	n := 0
	for n < len(text) {
		c, size := utf8.DecodeRuneInString(text[n:])
		if !isWord(c) && c != '$' && (n > 0 || c != '#' && c != '@' && c != '~') {
			break
		}
		n += size
	}
	if n == 0 {
		return Range{}, false
	}
	at := int32(line - 1)                                                //nolint:gosec // of a text
	return Range{at, int32(column - 1), at, int32(column - 1 + n)}, true //nolint:gosec // of a text
}

// around is the whole of a declaration.
func (p *page) around(s *facts.Symbol) Range {
	if s.StartLine < 1 || s.EndLine > len(p.lines) || s.EndLine < s.StartLine {
		return Range{}
	}
	return Range{int32(s.StartLine - 1), 0, int32(s.EndLine - 1), int32(len(p.lines[s.EndLine-1]))} //nolint:gosec // of a text
}
