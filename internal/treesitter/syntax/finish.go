package syntax

import (
	"cmp"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// file runs both walks and gathers what they found.
func (b *builder) file() facts.File {
	b.declare()
	b.number()
	b.use()
	f := facts.File{Path: b.path, Language: b.language, Package: b.pkg, Imports: b.imports, Refs: b.refs}
	b.implement()
	for _, s := range b.symbols {
		f.Symbols = append(f.Symbols, b.finished(s))
	}
	slices.SortStableFunc(f.Refs, func(x, y facts.Ref) int { return cmp.Or(x.Line-y.Line, x.Column-y.Column) })
	b.placeRefs(f.Refs)
	b.placeTraits(f.Refs)
	b.placeImports(f.Imports)
	return f
}

// implement adds traits to the types of this file that they are implemented
// for.
func (b *builder) implement() {
	for _, i := range b.impls {
		for _, s := range b.symbols {
			if s.Name == i.name && types[s.Kind] {
				s.bases = append(s.bases, base{facts.Implements, i.of, none})
				break
			}
		}
	}
}

// most is how many bases and results are kept of a symbol.
const most = 32

func (b *builder) finished(s *symbol) facts.Symbol {
	out := s.Symbol
	out.Parent = -1
	if s.parent != nil {
		out.Parent = s.parent.index
	}
	if out.Type == facts.Nothing && len(s.value) > 0 {
		out.Type = b.union(s.value)
	}
	if out.Type == facts.Nothing && len(s.decorators) > 0 {
		out.Type = b.decorated(s)
	}
	if len(s.results) > 0 && len(out.Results) == 0 {
		r := asType(b.union(s.results))
		if s.generator {
			r = facts.List(r)
		}
		out.Results = []facts.Expr{r}
	}
	s.assignedTo(&out)
	if s.selfType {
		out.Type = facts.TypeAt(s.index)
	}
	if s.indexed != nil {
		out.Under = facts.Map(facts.External, b.eval(*s.indexed))
	}
	if s.ownerName != facts.Nothing {
		out.Owner = s.ownerName
	} else if s.owner.node > 0 && (s.parent == nil || !types[s.parent.Kind]) {
		if e := b.eval(s.owner); e.Known() && e.Root() == facts.OpInvalid {
			out.Owner = e
		}
	}
	for i, x := range s.args {
		t := asType(b.eval(x))
		if s.rest && i == len(s.args)-1 {
			t = facts.Rest(restOf(t))
		}
		out.Args = append(out.Args, t)
	}
	if !slices.ContainsFunc(out.Args, saysSomething) {
		out.Args = nil
	}
	if _, ok := b.walker.(*script); ok && len(s.Params) > 0 && !s.rest {
		out.ParameterTypes = out.Args
	}
	for _, x := range s.bounds {
		out.Bounds = append(out.Bounds, b.eval(x))
	}
	for i, x := range s.bases {
		e := b.eval(x.of)
		if p, ok := b.walker.(*script); ok && x.args > 0 && e.Known() {
			e = e.Generic(p.arguments(x.args)...)
		}
		if i < most && e.Known() {
			out.Bases = append(out.Bases, facts.Base{Kind: x.kind, Of: e})
		}
	}
	return out
}

// restOf is what each of the parameters is that one of a list type takes.
func restOf(t facts.Expr) facts.Expr {
	if n := t.Node(); n.Op == facts.OpList {
		return n.Part()
	}
	return t
}

// saysSomething reports whether it is of use what a parameter is.
func saysSomething(t facts.Expr) bool {
	return t.Known() && t != facts.External
}

// assignedTo makes a function a constructor and a variable an object of its
// own, if members are assigned to them.
func (s *symbol) assignedTo(out *facts.Symbol) {
	self := facts.TypeAt(s.index)
	if s.constructs {
		out.Results = []facts.Expr{self}
	}
	if s.expando && s.Kind == "const" && out.Type != self.Value() {
		if t := asType(out.Type); t.Known() && t != facts.External {
			out.Bases = append(out.Bases, facts.Base{Kind: facts.Embeds, Of: t})
		}
		out.Type = self.Value()
	}
}

// placeRefs sets the innermost symbol around each reference; of an attribute
// that a function declares, as in self.x = f(), that is the function.
func (b *builder) placeRefs(refs []facts.Ref) {
	order := slices.Clone(b.symbols)
	slices.SortStableFunc(order, func(x, y *symbol) int { return cmp.Or(x.start-y.start, y.end-x.end) })
	var stack []*symbol
	next := 0
	for i := range refs {
		offset := b.lines[refs[i].Line-1] + refs[i].Column - 1
		for next < len(order) && order[next].start <= offset {
			for len(stack) > 0 && stack[len(stack)-1].end <= order[next].start {
				stack = stack[:len(stack)-1]
			}
			stack, next = append(stack, order[next]), next+1
		}
		for len(stack) > 0 && stack[len(stack)-1].end <= offset {
			stack = stack[:len(stack)-1]
		}
		refs[i].In = -1
		for _, s := range slices.Backward(stack) {
			if s.end <= offset {
				continue
			}
			if refs[i].In < 0 || functions[s.Kind] {
				refs[i].In = s.index
			}
			if s.Kind != "field" {
				break
			}
		}
	}
}

// functions are the kinds of symbols that are called.
var functions = map[string]bool{"func": true, "method": true}

// placeTraits makes the types of this file that traits are implemented for the
// ones that refer to them: what is around is the file, or a module.
func (b *builder) placeTraits(refs []facts.Ref) {
	for _, i := range b.impls {
		at := slices.IndexFunc(b.symbols,
			func(s *symbol) bool { return s.Name == i.name && types[s.Kind] && s.parent == i.in })
		if at < 0 {
			continue
		}
		offset := func(r facts.Ref) int { return b.lines[r.Line-1] + r.Column - 1 }
		trait := &b.Nodes[i.of.node]
		first, _ := slices.BinarySearchFunc(refs, int(trait.Start),
			func(r facts.Ref, start int) int { return offset(r) - start })
		for r := first; r < len(refs) && offset(refs[r]) < int(trait.End); r++ {
			if refs[r].Kind == facts.Implements {
				refs[r].In = b.symbols[at].index
			}
		}
	}
}

// placeImports sets the innermost symbol around each import.
func (b *builder) placeImports(imports []facts.Import) {
	for i := range imports {
		offset := b.lines[imports[i].Line-1] + imports[i].Column - 1
		size := len(b.Text) + 1
		for _, s := range b.symbols {
			if s.start <= offset && offset < s.end && s.end-s.start < size {
				imports[i].In, size = s.index, s.end-s.start
			}
		}
	}
}

// ref adds a reference at a node, once.
func (b *builder) ref(n at, name string, kind facts.Kind, of facts.Expr, bare bool) {
	if n >= 0 {
		b.refAtOffset(int(b.Nodes[n].Start), name, kind, of, bare)
	}
}

// longestName is the longest name that is kept.
const longestName = 200

func (b *builder) refAtOffset(offset int, name string, kind facts.Kind, of facts.Expr, bare bool) {
	if name == "" || len(name) > longestName || b.refAt[offset] || b.isName(offset) {
		return
	}
	b.refAt[offset] = true
	if of == facts.Unknown {
		of = facts.Nothing
	}
	line, column := b.position(offset)
	b.refs = append(b.refs,
		facts.Ref{Name: name, Kind: kind, Of: of, Bare: bare && of == facts.Nothing, Line: line, Column: column, In: -1})
}

// isName reports whether a symbol is declared by the name at an offset. That of
// a member that is declared outside of its type, as A::b, is behind the type's.
func (b *builder) isName(offset int) bool {
	s := b.bySpot[offset]
	return s != nil && s.spot == offset
}

// imported adds an import whose name is at a node.
func (b *builder) imported(n at, i facts.Import) int {
	return b.importedAt(int(b.Nodes[n].Start), i)
}

func (b *builder) importedAt(offset int, i facts.Import) int {
	i.Line, i.Column = b.position(offset)
	i.In = -1
	b.imports = append(b.imports, i)
	return len(b.imports) - 1
}
