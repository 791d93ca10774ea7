package binder

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// Notes are what is seen of names that are bound in a part of a file.
type Notes struct {
	Of map[*Binding]*Noted

	named   []facts.Local // that nothing binds: Mention
	taken   []taken       // members that are used
	symbols []facts.Symbol
	steps   int // of following members
}

// Noted is one of them: the nodes where it is bound, and used.
type Noted struct{ bound, used []At }

func note(notes *Notes, v *Binding) *Noted {
	n := notes.Of[v]
	if n == nil {
		n = &Noted{}
		notes.Of[v] = n
	}
	return n
}

func noteBound(b *Builder, v *Binding, id At) {
	if b.Notes != nil && id >= 0 {
		n := note(b.Notes, v)
		n.bound = append(n.bound, id)
	}
}

// noteUse notes that a node is a name, or begins with one, that stands for a
// binding.
func noteUse(b *Builder, v *Binding, id At, name string) {
	if b.Notes != nil && id >= 0 && strings.HasPrefix(b.TextAt(id), name) {
		n := note(b.Notes, v)
		n.used = append(n.used, id)
	}
}

// local is a name that is bound in several places, of which the first is its
// declaration; the others write it.
func local(b *Builder, n *Noted) facts.Local {
	slices.Sort(n.bound)
	first := n.bound[0]
	l := facts.Local{Name: b.TextAt(first), Kind: "variable"}
	l.Line, l.Column = b.Position(int(b.Nodes[first].Start))
	l.Text = textOf(b, first)
	if strings.Contains(around(b, first), "param") {
		l.Kind = "parameter"
		if f := functionOf(b, first); f >= 0 {
			l.Of.Line, l.Of.Column = b.Position(int(b.Nodes[f].Start))
		}
	}
	kinds := map[facts.Spot]facts.Kind{}
	add := func(id At, kind facts.Kind) {
		var s facts.Spot
		s.Line, s.Column = b.Position(int(b.Nodes[id].Start))
		if kinds[s] == "" && s != (facts.Spot{Line: l.Line, Column: l.Column}) {
			kinds[s] = kind
		}
	}
	for _, id := range n.bound {
		add(id, facts.Write)
		if line, column := b.Position(int(b.Nodes[id].Start)); line != l.Line || column != l.Column {
			l.Again = append(l.Again, facts.Bound{Line: line, Column: column, Text: textOf(b, id)})
		}
	}
	for _, id := range n.used {
		add(id, usedAs(b, id))
	}
	for s, kind := range kinds {
		s.Kind = kind
		l.Uses = append(l.Uses, s)
	}
	slices.SortFunc(l.Uses, func(x, y facts.Spot) int { return cmp.Or(x.Line-y.Line, x.Column-y.Column) })
	return l
}

// functionOf is the name of the function that a node is a parameter of, or None.
func functionOf(b *Builder, id At) At {
	for up := b.Parent(id); up >= 0; up = b.Parent(up) {
		if b.Child(up, "parameters") >= 0 {
			return b.Child(up, "name")
		}
	}
	return None
}

// usedAs is how the name at a node is used.
func usedAs(b *Builder, id At) facts.Kind {
	if up := b.Parent(id); up >= 0 && b.Field(id) == "function" && strings.HasPrefix(b.Kind(up), "call") {
		return facts.Call
	}
	if strings.HasPrefix(b.Kind(id), "type") {
		return facts.Type
	}
	if b.Field(id) == "left" && strings.Contains(b.Kind(b.Parent(id)), "assign") {
		return facts.Write
	}
	return facts.Read
}

// around is the kinds of the nodes around a name, up to the function.
func around(b *Builder, id At) string {
	var kinds []string
	for up := b.Parent(id); up >= 0 && b.Scopes[up] == nil && len(kinds) < 8; up = b.Parent(up) {
		if strings.HasSuffix(b.Kind(up), "statement") || strings.HasSuffix(b.Kind(up), "block") {
			break
		}
		kinds = append(kinds, b.Kind(up))
	}
	return strings.Join(kinds, " ")
}

// maxText is the longest text of a binding in bytes.
const maxText = 200

// textOf is how a name is bound: the parameter, or the line.
func textOf(b *Builder, id At) string {
	up := b.Parent(id)
	text := b.TextAt(up)
	if up < 0 || !strings.Contains(b.Kind(up), "parameter") || strings.HasSuffix(b.Kind(up), "parameters") {
		return lineAt(b, int(b.Nodes[id].Start))
	}
	return shown(text)
}

// lineAt is the line around an offset.
func lineAt(b *Builder, offset int) string {
	line := b.lines.LineAt(offset)
	return shown(b.Text[b.lines[line-1]:lineEndOf(b.lines, b.Text, line)])
}

// shown is a text on one line that is not too long.
func shown(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}
