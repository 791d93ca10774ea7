package syntax

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// notes are what is seen of names that are bound in a part of a file.
type notes struct{ of map[*binding]*noted }

// noted is one of them: the nodes where it is bound, and used.
type noted struct{ bound, used []at }

func (b *builder) note(v *binding) *noted {
	n := b.notes.of[v]
	if n == nil {
		n = &noted{}
		b.notes.of[v] = n
	}
	return n
}

func (b *builder) noteBound(v *binding, id at) {
	if b.notes != nil && id >= 0 {
		n := b.note(v)
		n.bound = append(n.bound, id)
	}
}

// noteUse notes that a node is a name, or begins with one, that stands for a
// binding.
func (b *builder) noteUse(v *binding, id at, name string) {
	if b.notes != nil && id >= 0 && strings.HasPrefix(b.text(id), name) {
		n := b.note(v)
		n.used = append(n.used, id)
	}
}

// locals are what was noted of bindings that are no symbols.
func (b *builder) locals() []facts.Local {
	isTop := map[*binding]bool{}
	for _, v := range b.top.names {
		isTop[v] = true
	}
	var all []facts.Local
	for v, n := range b.notes.of {
		if len(n.bound) == 0 || isTop[v] || v.symbol != nil || v.imported > 0 {
			continue
		}
		all = append(all, b.local(n))
	}
	slices.SortFunc(all, func(x, y facts.Local) int { return cmp.Or(x.Line-y.Line, x.Column-y.Column) })
	return all
}

// local is a name that is bound in several places, of which the first is its
// declaration; the others write it.
func (b *builder) local(n *noted) facts.Local {
	slices.Sort(n.bound)
	first := n.bound[0]
	l := facts.Local{Name: b.text(first), Kind: "variable"}
	l.Line, l.Column = b.position(int(b.Nodes[first].Start))
	l.Text = b.textOf(first)
	if strings.Contains(b.around(first), "param") {
		l.Kind = "parameter"
	}
	kinds := map[facts.Spot]facts.Kind{}
	add := func(id at, kind facts.Kind) {
		var s facts.Spot
		s.Line, s.Column = b.position(int(b.Nodes[id].Start))
		if kinds[s] == "" && s != (facts.Spot{Line: l.Line, Column: l.Column}) {
			kinds[s] = kind
		}
	}
	for _, id := range n.bound {
		add(id, facts.Write)
	}
	for _, id := range n.used {
		add(id, b.usedAs(id))
	}
	for s, kind := range kinds {
		s.Kind = kind
		l.Uses = append(l.Uses, s)
	}
	slices.SortFunc(l.Uses, func(x, y facts.Spot) int { return cmp.Or(x.Line-y.Line, x.Column-y.Column) })
	return l
}

// usedAs is how the name at a node is used.
func (b *builder) usedAs(id at) facts.Kind {
	if up := b.parent(id); up >= 0 && b.field(id) == "function" && strings.HasPrefix(b.kind(up), "call") {
		return facts.Call
	}
	if strings.HasPrefix(b.kind(id), "type") {
		return facts.Type
	}
	if b.field(id) == "left" && strings.Contains(b.kind(b.parent(id)), "assign") {
		return facts.Write
	}
	return facts.Read
}

// around is the kinds of the nodes around a name, up to the function.
func (b *builder) around(id at) string {
	var kinds []string
	for up := b.parent(id); up >= 0 && b.scopes[up] == nil && len(kinds) < 8; up = b.parent(up) {
		if strings.HasSuffix(b.kind(up), "statement") || strings.HasSuffix(b.kind(up), "block") {
			break
		}
		kinds = append(kinds, b.kind(up))
	}
	return strings.Join(kinds, " ")
}

// maxText is the longest text of a binding in bytes.
const maxText = 200

// textOf is how a name is bound: the parameter, or the line.
func (b *builder) textOf(id at) string {
	up := b.parent(id)
	text := b.text(up)
	if up < 0 || !strings.Contains(b.kind(up), "parameter") || strings.HasSuffix(b.kind(up), "parameters") {
		line := b.lines.LineAt(int(b.Nodes[id].Start))
		text = b.Text[b.lines[line-1]:b.lineEnd(line)]
	}
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}
