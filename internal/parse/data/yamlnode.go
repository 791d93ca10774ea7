package data

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse/patterns"
)

// A yamlNode is a key of a mapping or an item of a sequence.
type yamlNode struct {
	name, value string // of a key; the value as far as it is on the line
	line, end   int    // from 0
	indent      int
	parent      int // index, or -1
	depth       int // 1 at the top
	item        bool
}

// deepest is how deep nodes are told apart: a step in the blocks of a task in a play.
const deepest = 24

// A yamlTree is being read of the lines of one document.
type yamlTree struct {
	*yamlFile

	nodes []yamlNode
	open  []int // indexes of those around the line at hand
	skip  int   // what is indented more is a value
	last  int   // last line with anything on it
}

// yamlNodes are the keys and items of the lines from first to last, of sequences too.
func yamlNodes(y *yamlFile, first, last int) []yamlNode {
	t := yamlTree{yamlFile: y, skip: noSkip, last: first}
	for n := first; n <= last; n++ {
		t.line(n)
	}
	t.leave(func(yamlNode) bool { return true })
	return t.nodes
}

func (t *yamlTree) line(n int) {
	raw := strings.TrimRight(t.RawLine(n), " \t\r")
	text := strings.TrimLeft(raw, " \t")
	if text == "" || strings.HasPrefix(raw, "---") {
		return
	}
	indent := t.Indent(n)
	if indent > t.skip {
		t.last = n
		return
	}
	if text[0] == '#' || strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "{%") {
		return
	}
	t.skip = noSkip
	if strings.IndexByte("}])", text[0]) >= 0 {
		t.last = n
		return
	}
	around := indent // of what a scalar is in
	for text == "-" || strings.HasPrefix(text, "- ") {
		t.leave(func(k yamlNode) bool { return k.indent > indent || k.indent == indent && k.item })
		t.add(yamlNode{line: n, indent: indent, item: true})
		rest := strings.TrimLeft(text[1:], " \t")
		t.last, around, indent, text = n, indent, indent+len(text)-len(rest), rest
	}
	if text == "" {
		return
	}
	t.leave(func(k yamlNode) bool { return k.indent >= indent })
	t.last = n
	name, value, ok := keyAndValue(text[:min(len(text), patterns.MaxMatched)])
	switch {
	case !ok: // a scalar, which may go on
		t.skip = around
	case value != "":
		t.add(yamlNode{line: n, indent: indent, name: name, value: t.scalar(value, n)})
		t.skip = indent
	default:
		t.add(yamlNode{line: n, indent: indent, name: name})
	}
}

// scalar is a value on one line: its first line where it is a block.
func (t *yamlTree) scalar(value string, n int) string {
	if value[0] != '|' && value[0] != '>' || n+1 >= len(t.Class) {
		return strings.Trim(value, `"'`)
	}
	return strings.ToValidUTF8(strings.TrimSpace(t.RawLine(n+1)), "")
}

func (t *yamlTree) add(k yamlNode) {
	k.parent, k.end, k.depth = -1, k.line, len(t.open)+1
	if len(t.open) > 0 {
		k.parent = t.open[len(t.open)-1]
	}
	if k.depth > deepest {
		return
	}
	t.nodes = append(t.nodes, k)
	t.open = append(t.open, len(t.nodes)-1)
}

func (t *yamlTree) leave(ends func(yamlNode) bool) {
	for n := len(t.open); n > 0 && ends(t.nodes[t.open[n-1]]); n-- {
		t.nodes[t.open[n-1]].end = t.last
		t.open = t.open[:n-1]
	}
}
