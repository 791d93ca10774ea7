package binder

import (
	"cmp"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// Objects and types that have no name, as those of functions have none, are no symbols
// of a graph. Where somebody asks for the locals of a file their members are among
// them, with the uses that the file alone tells.

// taken is a place where a member is used.
type taken struct {
	offset int
	facts.Ref
}

func noteTaken(b *Builder, offset int, ref facts.Ref) {
	if b.Notes != nil && ref.Of.Known() {
		b.Notes.taken = append(b.Notes.taken, taken{offset, ref})
	}
}

// IsLocal reports whether a symbol is declared for locals only, or a member of one.
func (s *Symbol) IsLocal() bool {
	for ; s != nil; s = s.Enclosing {
		if s.Local {
			return true
		}
	}
	return false
}

// members are the locals of a file with the members of what has no name, of which those
// that are used come first: where one of them is taken apart it is what is meant.
func members(b *Builder, all []facts.Local) []facts.Local {
	variable := map[facts.Spot]bool{}
	for _, l := range all {
		for _, u := range l.Uses {
			variable[facts.Spot{Line: u.Line, Column: u.Column}] = true
		}
	}
	used, elsewhere := map[*Symbol][]facts.Spot{}, map[facts.Spot]bool{}
	var order []*Symbol
	for _, t := range b.Notes.taken {
		line, column := b.Position(t.offset)
		spot := facts.Spot{Line: line, Column: column}
		if variable[spot] { // of {name} the variable
			continue
		}
		for _, s := range membersOf(b, t.Of, t.Name, 0) {
			if !s.IsLocal() || s.Spot == t.offset {
				continue
			}
			elsewhere[spot] = true
			if used[s] == nil {
				order = append(order, s)
			}
			used[s] = append(used[s], facts.Spot{Line: line, Column: column, Kind: t.Kind})
		}
	}
	out := make([]facts.Local, 0, len(all)+len(order))
	for _, s := range order {
		l := facts.Local{Name: s.Name, Kind: "property", Line: s.Line, Column: s.Column, Uses: used[s]}
		l.Text = lineAt(b, s.Spot)
		slices.SortFunc(l.Uses, func(x, y facts.Spot) int { return cmp.Or(x.Line-y.Line, x.Column-y.Column) })
		out = append(out, l)
		elsewhere[facts.Spot{Line: s.Line, Column: s.Column}] = true
	}
	slices.SortFunc(out, func(x, y facts.Local) int { return cmp.Or(x.Line-y.Line, x.Column-y.Column) })
	for _, l := range all {
		if l.Kind != "property" || !elsewhere[facts.Spot{Line: l.Line, Column: l.Column}] {
			out = append(out, l)
		}
	}
	return out
}

// deepestMember and mostSteps bound how far members are followed within a file.
const (
	deepestMember = 24
	mostSteps     = 1 << 16
)

// membersOf are the symbols of this file that a member of e is.
func membersOf(b *Builder, e facts.Expr, name string, depth int) []*Symbol {
	var all []*Symbol
	for _, t := range typesOf(b, e, depth+1) {
		s := symbolOf(b, t)
		if s != nil && s.Members[name] != nil && !slices.Contains(all, s.Members[name]) {
			all = append(all, s.Members[name])
		}
	}
	return all
}

// symbolOf is the symbol that a type is, or nil.
func symbolOf(b *Builder, t facts.Expr) *Symbol {
	switch n := t.Base().Node(); n.Op {
	case facts.OpSymbolAt, facts.OpTypeAt:
		if n.N < len(b.Symbols) {
			return b.Symbols[n.N]
		}
	case facts.OpName:
		if v := b.Top.Names[n.Name]; v != nil {
			return v.Symbol
		}
	}
	return nil
}

// typesOf are the types of the value e, or that the type e stands for, as far as the
// file says them.
func typesOf(b *Builder, e facts.Expr, depth int) []facts.Expr {
	if b.Notes.steps++; depth > deepestMember || b.Notes.steps > mostSteps || !e.Known() {
		return nil
	}
	depth++
	each := func(all []facts.Expr) (out []facts.Expr) {
		for _, e := range all {
			out = append(out, typesOf(b, e, depth)...)
		}
		return out
	}
	switch n := e.Node(); n.Op {
	case facts.OpValue:
		return typesOf(b, n.Of, depth)
	case facts.OpTypeOf:
		return typesOf(b, n.Part(), depth)
	case facts.OpSymbolAt, facts.OpName:
		s := symbolOf(b, e)
		if s == nil || s.Kind == "func" || s.Kind == "method" {
			return []facts.Expr{e}
		}
		if t := b.Notes.symbols[s.Index].Type; t.Known() && t != e {
			return typesOf(b, t, depth)
		}
		return []facts.Expr{e}
	case facts.OpUnion, facts.OpBoth:
		return each(n.Parts())
	case facts.OpOnly, facts.OpExcept, facts.OpIs, facts.OpIsnt, facts.OpHas, facts.OpHasnt:
		return typesOf(b, n.Parts()[0], depth)
	case facts.OpMember:
		return memberTypes(b, n, depth)
	case facts.OpCall, facts.OpCallWith, facts.OpTaken, facts.OpElem:
		return gives(b, n, depth)
	}
	return []facts.Expr{e}
}

// memberTypes are the types of a member, of a map those of its elements.
func memberTypes(b *Builder, n facts.Node, depth int) (out []facts.Expr) {
	for _, t := range typesOf(b, n.Of, depth) {
		if m := t.Node(); m.Op == facts.OpMap {
			out = append(out, typesOf(b, m.Parts()[1], depth)...)
		}
	}
	for _, s := range membersOf(b, n.Of, n.Name, depth) {
		if s.Kind == "method" {
			out = append(out, s.Expr())
		}
		out = append(out, typesOf(b, b.Notes.symbols[s.Index].Type, depth)...)
	}
	return out
}

// gives are the types of what calling, taking apart or indexing gives.
func gives(b *Builder, n facts.Node, depth int) (out []facts.Expr) {
	for _, t := range typesOf(b, n.Of, depth) {
		switch of := t.Node(); of.Op {
		case facts.OpSymbolAt, facts.OpName:
			if s := symbolOf(b, t); s != nil && n.Op != facts.OpElem && n.N == 0 && len(b.Notes.symbols[s.Index].Results) > 0 {
				out = append(out, typesOf(b, b.Notes.symbols[s.Index].Results[0], depth)...)
			}
		case facts.OpFunc:
			if parts := of.Parts(); len(parts) > 0 && n.Op != facts.OpElem && n.Op != facts.OpTaken {
				out = append(out, typesOf(b, parts[0], depth)...)
			}
		case facts.OpList:
			if n.Op == facts.OpElem || n.Op == facts.OpTaken {
				out = append(out, typesOf(b, of.Part(), depth)...)
			}
		case facts.OpMap:
			if n.Op == facts.OpElem {
				out = append(out, typesOf(b, of.Parts()[1], depth)...)
			}
		case facts.OpTuple:
			for i, part := range of.Parts() {
				if n.Op == facts.OpElem || n.Op == facts.OpTaken && i == n.N {
					out = append(out, typesOf(b, part, depth)...)
				}
			}
		}
	}
	return out
}
