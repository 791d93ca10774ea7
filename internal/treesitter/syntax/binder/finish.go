package binder

import (
	"cmp"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
)

// File runs both walks and gathers what they found.
func (b *Builder) File() facts.File {
	b.Declare()
	number(b)
	b.Use()
	f := facts.File{Path: b.Path, Language: b.Language, Package: b.Pkg, Imports: b.Imports, Refs: b.Refs}
	implement(b.Impls, b.Symbols)
	for _, s := range b.Symbols {
		f.Symbols = append(f.Symbols, finished(b, s))
	}
	if b.Notes != nil {
		b.Notes.symbols = f.Symbols
	}
	slices.SortStableFunc(f.Refs, func(x, y facts.Ref) int { return cmp.Or(x.Line-y.Line, x.Column-y.Column) })
	placeRefs(b.Symbols, b.lines, f.Refs)
	placeTraits(b, f.Refs)
	placeImports(b, f.Imports)
	return f
}

// implement adds traits to the methods that say how they are implemented, and to the
// types of this file that they are implemented for.
func implement(impls []Implemented, symbols []*Symbol) {
	for _, i := range impls {
		of := slices.Clip(i.Methods)
		if at := slices.IndexFunc(symbols, func(s *Symbol) bool { return s.Name == i.Name && Types[s.Kind] }); at >= 0 {
			of = append(of, symbols[at])
		}
		for _, s := range of {
			s.BaseSources = append(s.BaseSources, Base{facts.Implements, i.Of, None})
		}
	}
}

// Most is how many bases and results are kept of a symbol.
const Most = 32

func finished(b *Builder, s *Symbol) facts.Symbol {
	out := s.Symbol
	out.Parent = -1
	if s.Enclosing != nil {
		out.Parent = s.Enclosing.Index
	}
	if out.Type == facts.Nothing && len(s.Values) > 0 {
		out.Type = union(b, s.Values)
	}
	if out.Type == facts.Nothing && len(s.Decorators) > 0 {
		out.Type = decorated(b, s)
	}
	if len(s.ResultSources) > 0 && len(out.Results) == 0 {
		r := AsType(union(b, s.ResultSources))
		if s.Generator {
			r = facts.List(r)
		}
		out.Results = []facts.Expr{r}
	}
	s.assignedTo(&out)
	if s.SelfType {
		out.Type = facts.TypeAt(s.Index)
	}
	if u := under(b, s); u != facts.Nothing {
		out.Under = u
	}
	if s.OwnerName != facts.Nothing {
		out.Owner = s.OwnerName
	} else if s.OwnerSource.Node > 0 && (s.Enclosing == nil || !Types[s.Enclosing.Kind]) {
		if e := b.Eval(s.OwnerSource); e.Known() && e.Root() == facts.OpInvalid {
			out.Owner = e
		}
	}
	for i, x := range s.ArgSources {
		t := AsType(b.Eval(x))
		if s.Rest && i == len(s.ArgSources)-1 {
			t = facts.Rest(restOf(t))
		}
		out.Args = append(out.Args, t)
	}
	if !slices.ContainsFunc(out.Args, saysSomething) {
		out.Args = nil
	}
	if types := parameterTypes(b, s, out.Args); types != nil {
		out.ParameterTypes = types
	}
	for _, x := range s.BoundSources {
		out.Bounds = append(out.Bounds, b.Eval(x))
	}
	for i, x := range s.BaseSources {
		e := b.Eval(x.Of)
		if p, ok := b.Walker.(typed); ok && x.Args > 0 && e.Known() {
			e = e.Generic(p.TypeArguments(x.Args)...)
		}
		if i < Most && e.Known() {
			out.Bases = append(out.Bases, facts.Base{Kind: x.Kind, Of: e})
		}
	}
	return out
}

// parameterTypes are the types of parameters that say what the type parameters of a function
// are. Of what takes whatever follows the last one says nothing.
func parameterTypes(b *Builder, s *Symbol, args []facts.Expr) []facts.Expr {
	_, ok := b.Walker.(typed)
	switch n := len(args) - 1; {
	case len(s.Params) == 0 || !ok && b.Language != "Java" && b.Language != "PHP" && b.Language != "Swift" &&
		b.Language != "Scala" && b.Language != "Kotlin":
	case !s.Rest:
		return args
	case n > 0 && facts.Script(b.Language) && slices.ContainsFunc(args[:n], saysSomething):
		return append(slices.Clone(args[:n]), facts.External)
	}
	return nil
}

// under is what a symbol is told to be defined by.
func under(b *Builder, s *Symbol) facts.Expr {
	switch {
	case s.Indexed != nil:
		return facts.Map(facts.External, b.Eval(*s.Indexed))
	case s.Extended.Node > 0:
		return b.Eval(s.Extended)
	case len(s.Parts) > 0:
		return tuple(b, s.Parts)
	case s.Only != nil:
		return function(b, s.Only)
	}
	return facts.Nothing
}

// function is what a method is as a function.
func function(b *Builder, method *Symbol) facts.Expr {
	args := make([]facts.Expr, len(method.ArgSources))
	for i, x := range method.ArgSources {
		args[i] = AsType(b.Eval(x))
	}
	return facts.FuncWith(AsType(union(b, method.ResultSources)), args...)
}

// tuple are types side by side, of which some may not be known.
func tuple(b *Builder, types []Source) facts.Expr {
	all := make([]facts.Expr, len(types))
	for i, x := range types {
		if all[i] = b.Eval(x); !all[i].Known() {
			all[i] = facts.External
		}
	}
	return facts.Tuple(all...)
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
func (s *Symbol) assignedTo(out *facts.Symbol) {
	self := facts.TypeAt(s.Index)
	if s.Constructs {
		out.Results = []facts.Expr{self}
	}
	if s.Expando && s.Kind == "const" && out.Type != self.Value() {
		if t := AsType(out.Type); t.Known() && t != facts.External {
			out.Bases = append(out.Bases, facts.Base{Kind: facts.Embeds, Of: t})
		}
		out.Type = self.Value()
	}
}

// placeRefs sets the innermost symbol around each reference; of an attribute
// that a function declares, as in self.x = f(), that is the function.
func placeRefs(symbols []*Symbol, lines parse.Offsets, refs []facts.Ref) {
	order := slices.Clone(symbols)
	slices.SortStableFunc(order, func(x, y *Symbol) int { return cmp.Or(x.start-y.start, y.End-x.End) })
	var stack []*Symbol
	next := 0
	for i := range refs {
		offset := lines[refs[i].Line-1] + refs[i].Column - 1
		for next < len(order) && order[next].start <= offset {
			for len(stack) > 0 && stack[len(stack)-1].End <= order[next].start {
				stack = stack[:len(stack)-1]
			}
			stack, next = append(stack, order[next]), next+1
		}
		for len(stack) > 0 && stack[len(stack)-1].End <= offset {
			stack = stack[:len(stack)-1]
		}
		refs[i].In = -1
		for _, s := range slices.Backward(stack) {
			if s.End <= offset {
				continue
			}
			if refs[i].In < 0 || functions[s.Kind] {
				refs[i].In = s.Index
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
func placeTraits(b *Builder, refs []facts.Ref) {
	for _, i := range b.Impls {
		at := slices.IndexFunc(b.Symbols,
			func(s *Symbol) bool { return s.Name == i.Name && Types[s.Kind] && s.Enclosing == i.In })
		if at < 0 {
			continue
		}
		offset := func(r facts.Ref) int { return b.lines[r.Line-1] + r.Column - 1 }
		trait := &b.Nodes[i.Of.Node]
		first, _ := slices.BinarySearchFunc(refs, int(trait.Start),
			func(r facts.Ref, start int) int { return offset(r) - start })
		for r := first; r < len(refs) && offset(refs[r]) < int(trait.End); r++ {
			if refs[r].Kind == facts.Implements {
				refs[r].In = b.Symbols[at].Index
			}
		}
	}
}

// placeImports sets the innermost symbol around each import.
func placeImports(b *Builder, imports []facts.Import) {
	for i := range imports {
		offset := b.lines[imports[i].Line-1] + imports[i].Column - 1
		size := len(b.Text) + 1
		for _, s := range b.Symbols {
			if s.start <= offset && offset < s.End && s.End-s.start < size {
				imports[i].In, size = s.Index, s.End-s.start
			}
		}
	}
}

// Ref adds a reference at a node, once.
func (b *Builder) Ref(n At, name string, kind facts.Kind, of facts.Expr, bare bool) {
	if n >= 0 {
		b.RefAtOffset(int(b.Nodes[n].Start), name, kind, of, bare)
	}
}

// longestName is the longest name that is kept.
const longestName = 200

// RefAtOffset adds a reference like Ref, at an offset of the text.
func (b *Builder) RefAtOffset(offset int, name string, kind facts.Kind, of facts.Expr, bare bool) {
	if of == facts.Unknown {
		of = facts.Nothing
	}
	ref := facts.Ref{Name: name, Kind: kind, Of: of, Bare: bare && of == facts.Nothing}
	noteTaken(b, offset, ref)
	if !b.isName(offset) {
		addRef(b, offset, ref)
	}
}

// RefAtKey adds a reference at the key of an object whose type declares it, which may
// be the name of a symbol as well.
func (b *Builder) RefAtKey(n, object At, kind facts.Kind, of facts.Expr) {
	ref := facts.Ref{Name: b.TextAt(n), Kind: kind, Of: of}
	ref.Arguments = facts.ObjectAt(b.Position(int(b.Nodes[object].Start)))
	noteTaken(b, int(b.Nodes[n].Start), ref)
	addRef(b, int(b.Nodes[n].Start), ref)
}

// RefAtName adds a reference at the name of a symbol, which is called like what it uses.
func RefAtName(b *Builder, offset int, name string, kind facts.Kind, of facts.Expr) {
	if !of.Known() {
		return
	}
	ref := facts.Ref{Name: name, Kind: kind, Of: of}
	noteTaken(b, offset, ref)
	addRef(b, offset, ref)
}

func addRef(b *Builder, offset int, ref facts.Ref) {
	if ref.Name == "" || len(ref.Name) > longestName || b.RefAt[offset] {
		return
	}
	b.RefAt[offset] = true
	ref.Line, ref.Column = b.Position(offset)
	ref.In = -1
	b.Refs = append(b.Refs, ref)
}

// isName reports whether a symbol is declared by the name at an offset. That of
// a member that is declared outside of its type, as A::b, is behind the type's.
func (b *Builder) isName(offset int) bool {
	s := b.BySpot[offset]
	return s != nil && s.Spot == offset
}

// Imported adds an import whose name is at a node.
func (b *Builder) Imported(n At, i facts.Import) int {
	return b.ImportedAt(int(b.Nodes[n].Start), i)
}

// ImportedAt adds an import like Imported, at an offset of the text.
func (b *Builder) ImportedAt(offset int, i facts.Import) int {
	i.Line, i.Column = b.Position(offset)
	i.In = -1
	b.Imports = append(b.Imports, i)
	return len(b.Imports) - 1
}

// Mention notes a name that nothing binds, of a kind that facts.Local tells; of is
// what it is the argument of, or None.
func (b *Builder) Mention(kind string, id, of At) *facts.Local {
	if b.Notes == nil || id < 0 {
		return nil
	}
	l := facts.Local{Name: b.TextAt(id), Kind: kind, Text: textOf(b, id)}
	l.Line, l.Column = b.Position(int(b.Nodes[id].Start))
	if of >= 0 {
		l.Of.Line, l.Of.Column = b.Position(int(b.Nodes[of].Start))
	}
	b.Notes.named = append(b.Notes.named, l)
	return &b.Notes.named[len(b.Notes.named)-1]
}

// Locals are what was noted of bindings that are no symbols; before them the members
// that are used of what has no name.
func (b *Builder) Locals() []facts.Local {
	isTop := map[*Binding]bool{}
	for _, v := range b.Top.Names {
		isTop[v] = true
	}
	all := slices.Clone(b.Notes.named)
	for v, n := range b.Notes.Of {
		if len(n.bound) == 0 || isTop[v] || v.Symbol != nil || v.Imported > 0 {
			continue
		}
		all = append(all, local(b, n))
	}
	slices.SortFunc(all, func(x, y facts.Local) int { return cmp.Or(x.Line-y.Line, x.Column-y.Column) })
	return members(b, all)
}

// decorated is what resolve makes the value of a decorated function from.
func decorated(b *Builder, s *Symbol) facts.Expr {
	var all []facts.Expr
	for _, d := range s.Decorators {
		e := b.Expr(d.Node)
		if !e.Known() || e.Root() != facts.OpInvalid {
			break // what it makes is not known, whatever those below make
		}
		if d.Ends(takeResult) {
			e = e.Call(0)
		}
		all = append(all, e)
	}
	if len(all) == 0 {
		return facts.Nothing
	}
	return facts.Args(all...)
}
