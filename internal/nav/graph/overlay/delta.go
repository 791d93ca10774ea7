package overlay

import (
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// When a changed file looks different to others, their references may stand
// for something else. Most don't: what a reference stands for can only change if
// on the way from its expression to its target something is looked up whose name
// is that of a symbol which is new, gone or different. Every symbol on the way
// is mentioned by name: in the expression, or in an expression of a symbol that
// is mentioned. So the names that lead to a changed one are found by following
// the mentions back, and references that mention none of them keep their edges.
// A reference also mentions itself and the symbols around it, through which
// members are found that it does not write.

// A delta is how the changed files look different to others.
type delta struct {
	all   bool                    // anything may be different
	links bool                    // so may links between symbols
	names map[string]bool         // whoever mentions one of these may get something else
	files map[resolve.FileID]bool // with references that do
	whole map[resolve.FileID]bool // of those, files of which any reference may
	moved map[resolve.FileID]move // symbols of changed files that stayed
}

// A move says where the symbols of a changed file are now: those before from
// stayed, those from old on are by farther, the rest changed.
type move struct{ from, old, by int32 }

// before is the index that a symbol had, if it stayed.
func (m move) before(i int32) (int32, bool) {
	if i < m.from {
		return i, true
	}
	return i - m.by, i-m.by >= m.old
}

// after is the index that a symbol has now, if it stayed.
func (m move) after(i int32) (int32, bool) {
	if i < m.from {
		return i, true
	}
	return i + m.by, i >= m.old
}

// maxDelta bounds the names; with more of them anything may be different.
const maxDelta = 3000

// newDelta compares changed files with what they were.
func newDelta(e *edits) *delta {
	d := &delta{
		names: map[string]bool{}, files: map[resolve.FileID]bool{}, whole: map[resolve.FileID]bool{},
		moved: map[resolve.FileID]move{},
	}
	for _, f := range e.w.ChangedFiles() {
		if old := e.w.Old(f); old >= 0 {
			d.compare(e, f, e.w.changed[f])
		} else {
			d.comesOrGoes(e, e.w.changed[f])
		}
	}
	for old, now := range e.w.toNew {
		if now < 0 {
			d.comesOrGoes(e, e.g.Facts.File(resolve.FileID(old)))
		}
	}
	if d.all {
		return d
	}
	d.spread(e)
	return d
}

// compare adds what is different in one file.
func (d *delta) compare(e *edits, f resolve.FileID, now *facts.File) {
	old := e.g.Facts.File(e.w.Old(f))
	// A file that refers to nothing may be a manifest, which says how the
	// imports of others are read.
	manifest := len(old.Refs)+len(now.Refs) == 0 && graph.ShapeOf(now) != e.g.Tree.Shape(e.w.Old(f))
	if manifest || old.Language != now.Language || old.Package != now.Package || old.Build != now.Build {
		d.all = true
		return
	}
	m := stayed(old.Symbols, now.Symbols)
	d.all = d.all || isGlobal(old) != isGlobal(now)
	if !slices.EqualFunc(old.Imports, now.Imports, sameImport) {
		// All that the file says is read with other imports.
		d.importsChanged(old)
		d.importsChanged(now)
		d.all = d.all || whole(old) != whole(now) || isGlobal(now)
		m.from, m.old = 0, int32(len(old.Symbols))
	}
	d.moved[f] = m
	for i := m.from; i < m.old; i++ {
		d.add(e, old, &old.Symbols[i])
	}
	for i := m.from; i < m.old+m.by; i++ {
		d.add(e, now, &now.Symbols[i])
	}
}

// comesOrGoes adds a file that is only in one of the trees. Whether a file is
// there matters to imports, unless it is one of several that make a package of
// Go, in which it only declares names.
func (d *delta) comesOrGoes(e *edits, file *facts.File) {
	if file.Language != "Go" || !e.hasPeer(file) {
		d.all = true
		return
	}
	for i := range file.Symbols {
		d.add(e, file, &file.Symbols[i])
	}
}

// hasPeer tells whether a file that did not change is of the same package.
func (e *edits) hasPeer(file *facts.File) bool {
	t := e.g.Tree
	for _, old := range t.Folder(FolderOf(file.Path)) {
		if _, same := e.w.now(old); same && t.Language(old) == file.Language && t.Package(old) == file.Package {
			return true
		}
	}
	return false
}

// add notes a symbol that is new, gone or different.
func (d *delta) add(e *edits, file *facts.File, s *facts.Symbol) {
	d.names[s.Name] = true
	for _, name := range graph.OtherNames(s.Name) {
		d.names[name] = true
	}
	for _, name := range facts.JavaNames(file.Language, s) {
		d.names[name] = true
	}
	if resolve.IsObjC(file.Language) {
		for _, name := range facts.ObjCNames(s) {
			d.names[name] = true
		}
	}
	if of := graph.OperatorOf(file, s); of != "" {
		d.names[of] = true
	}
	if file.Language == "Ruby" {
		d.addRuby(e, file, s)
	}
	if !d.links && linkable(s) {
		d.links = file.Language != "Go" || !e.aloneInGo(s)
	}
}

// addRuby notes what else a symbol of Ruby matters to: calls of it by other names; a module calls
// what the classes have that it is mixed into. One that is opened in many places is the part that declares most.
func (d *delta) addRuby(e *edits, file *facts.File, s *facts.Symbol) {
	for _, name := range graph.RubyNames(s) {
		d.names[name] = true
	}
	d.addMixed(e, s, map[string]bool{})
	for p := s.Parent; p >= 0; p = file.Symbols[p].Parent {
		if name := file.Symbols[p].Name; len(e.w.Defs(name))+len(e.g.Names.Defs(name)) > 2 {
			d.names[name] = true
		}
	}
}

// addMixed notes all that a class or module of Ruby is made from.
func (d *delta) addMixed(e *edits, s *facts.Symbol, seen map[string]bool) {
	for _, b := range s.Bases {
		name := b.Of.LastName()
		if name == "" || seen[name] {
			continue
		}
		seen[name], d.names[name] = true, true
		for _, id := range e.g.Names.Defs(name) {
			d.addMixed(e, &e.g.Facts.Declared(id.File).Symbols[id.Index], seen)
		}
		for _, id := range e.w.Defs(name) {
			d.addMixed(e, &e.w.Declared(id.File).Symbols[id.Index], seen)
		}
	}
}

// aloneInGo tells that a member of a Go type has a name that no interface and no
// embedded type knows, so whether it is there does not matter to links: a method
// that is the only declaration of its name, a field whose name no function has.
func (e *edits) aloneInGo(s *facts.Symbol) bool {
	n, functions := 0, 0
	count := func(kind string) {
		n++
		if graph.IsCode(kind) {
			functions++
		}
	}
	for _, d := range e.w.Defs(s.Name) {
		count(e.w.Kind(d))
	}
	now := n
	n = 0
	for _, d := range e.g.Names.Defs(s.Name) {
		count(e.g.Facts.Declared(d.File).Symbols[d.Index].Kind)
	}
	if s.Kind == "field" {
		return functions == 0
	}
	return s.Kind == "method" && s.Owner != facts.Nothing && s.Parent < 0 && now <= 1 && n <= 1
}

func (d *delta) importsChanged(file *facts.File) {
	for i := range file.Imports {
		m := &file.Imports[i]
		if m.Name == "*" || m.Local == "." || m.Export && m.Name == "" {
			d.all = true // names come through it that nothing here tells
		}
		d.links = d.links || m.Local == facts.Extension // what a type of another file conforms to
		for _, name := range []string{m.Name, m.Local, graph.LastName(m.Path)} {
			d.names[name] = true
		}
	}
}

// isGlobal reports whether other files may see what a file imports: "global using" of C#.
func isGlobal(file *facts.File) bool {
	return file.Language == "C#" && slices.ContainsFunc(file.Imports, func(x facts.Import) bool { return x.Export })
}

// whole is what a file of JavaScript exports as a whole, which others require by a name of
// their own.
func whole(file *facts.File) (of facts.Import) {
	for i := range file.Imports {
		if file.Imports[i].Local == "export=" {
			of = file.Imports[i]
		}
	}
	of.Line, of.Column = 0, 0
	return of
}

func sameImport(a, b facts.Import) bool {
	a.Line, a.Column, b.Line, b.Column = 0, 0, 0, 0
	return a == b
}

// stayed finds the symbols at the start and at the end that are the same.
func stayed(old, now []facts.Symbol) move {
	n := int32(min(len(old), len(now)))
	by := int32(len(now) - len(old))
	from, tail := int32(0), int32(0)
	for from < n && sameSymbol(&old[from], &now[from], 0, 0) {
		from++
	}
	for tail < n-from && sameSymbol(&old[int32(len(old))-1-tail], &now[int32(len(now))-1-tail], int(from), int(by)) {
		tail++
	}
	m := move{from: from, old: int32(len(old)) - tail, by: by}
	// A symbol inside of one that changed is not the same.
	for i := int32(len(old)) - 1; i >= m.old; i-- {
		if p := old[i].Parent; p >= int(from) && p < int(m.old) {
			m.old = i + 1
		}
	}
	return m
}

// sameSymbol tells whether two symbols look the same to others. Parents from
// the index from on are by farther in the second file.
func sameSymbol(a, b *facts.Symbol, from, by int) bool {
	parent := a.Parent
	if parent >= from {
		parent += by
	}
	if parent != b.Parent || a.Name != b.Name || a.Exported != b.Exported || a.Static != b.Static ||
		a.Prototype != b.Prototype ||
		!slices.Equal(a.Bases, b.Bases) || !slices.Equal(a.Params, b.Params) {
		return false
	}
	other := graph.SymbolStrings(b)
	for i, p := range graph.SymbolStrings(a) {
		if *p != *other[i] {
			return false
		}
	}
	exprs := graph.SymbolExprs(b)
	for i, e := range graph.SymbolExprs(a) {
		if *e != *exprs[i] || by != 0 && e.HasSymbols() {
			return false
		}
	}
	lists := graph.SymbolLists(b)
	for i, list := range graph.SymbolLists(a) {
		if !slices.Equal(*list, *lists[i]) || by != 0 && slices.ContainsFunc(*list, facts.Expr.HasSymbols) {
			return false
		}
	}
	return by == 0 || !slices.ContainsFunc(a.Bases, func(b facts.Base) bool { return b.Of.HasSymbols() })
}

// spread follows who mentions the names, as far as it goes, and finds the files
// with references that do.
func (d *delta) spread(e *edits) {
	next := slices.Collect(maps.Keys(d.names))
	for len(next) > 0 && !d.all {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		add := func(by string) {
			if !d.names[by] {
				d.names[by] = true
				next = append(next, by)
			}
		}
		mentions := func(by string) {
			add(by)
			// What a member belongs to or a type is made of may be something else.
			d.links = d.links || slices.ContainsFunc(e.w.Defs(by),
				func(s resolve.SymbolID) bool { return linkable(e.w.Symbol(s)) })
		}
		d.mentionedBy(e, name, mentions)
		if strings.HasSuffix(name, "*") {
			d.wholeFiles(e, name, mentions)
		}
		for _, as := range e.said().aliases[name] {
			add(as)
		}
		e.g.Names.Aliases(name, add)
		d.reach(e, name)
		d.all = len(d.names) > maxDelta
	}
}

// wholeFiles adds the files in which all names that come with an import may stand for
// something else, and calls f with the names of their symbols.
func (d *delta) wholeFiles(e *edits, all string, f func(by string)) {
	files := e.w.ChangedFiles()
	for _, old := range e.g.Names.Touched(all) {
		if now, same := e.w.now(old); same {
			d.whole[now] = true
			files = append(files, now)
		}
	}
	for _, id := range files {
		file := e.w.File(id)
		is := func(m facts.Import) bool { return m.Name == "*" && graph.AllOf(m.Path) == all }
		if slices.ContainsFunc(file.Imports, is) {
			for i := range file.Symbols {
				f(file.Symbols[i].Name)
			}
		}
	}
}

// mentionedBy calls f with the names of symbols whose expressions mention a
// name.
func (d *delta) mentionedBy(e *edits, name string, f func(by string)) {
	e.g.Names.Mentioning(name, f)
	for _, by := range e.said().mentions[name] {
		f(by)
	}
}

// reach adds the files with references that a name may matter to.
func (d *delta) reach(e *edits, name string) {
	for _, files := range [][]resolve.FileID{e.g.Names.Files(name), e.g.Names.Touched(name)} {
		for _, old := range files {
			if f, same := e.w.now(old); same {
				d.files[f] = true
			}
		}
	}
}

// linkable tells whether a symbol has to do with links.
func linkable(s *facts.Symbol) bool {
	return s.Parent >= 0 || s.Owner != facts.Nothing || len(s.Bases) > 0 || graph.IsType(s.Kind)
}
