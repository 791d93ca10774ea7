//go:build cgo

package treesitter

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/parse"
)

// How much is kept of a name, which may be a path, and of the expression that
// it is taken from.
const (
	maxName = 300
	maxOf   = 80
)

// kindRequire is of references that are an import if the function that they
// are an argument of is one of requires.
const kindRequire = "require"

var requires = map[string]bool{
	"require": true, "require_relative": true, "load": true, "import": true, "source": true,
	".": true,
}

// references are those that were found, with the symbols that they are in.
func (o *outliner) references() []parse.Reference {
	slices.SortFunc(o.refs, func(a, b ref) int {
		return cmp.Or(a.name.start-b.name.start, b.name.end-a.name.end, cmp.Compare(a.kind, b.kind))
	})
	within := o.within()
	names := make(map[span]bool, len(o.decls))
	for _, d := range o.decls {
		names[d.name] = true
	}
	var all []parse.Reference
	for i, r := range o.refs {
		if r.kind == kindRequire {
			if !requires[o.slice(r.of)] {
				continue
			}
			r.kind, r.of = parse.RefImport, span{}
		}
		if i > 0 && o.refs[i-1].name == r.name || names[r.name] { // extends and import are before type
			continue
		}
		line := o.lines.LineAt(r.name.start)
		all = append(all, parse.Reference{
			Kind: r.kind, Name: unquoted(clip(o.slice(r.name), maxName)), Of: unquoted(clip(o.slice(r.of), maxOf)),
			Line: line, Column: r.name.start - o.lines[line-1] + 1, Symbol: within(r.name),
		})
	}
	return all
}

// within returns a function that finds the innermost symbol around a span. It
// must be called with spans in order.
func (o *outliner) within() func(span) int {
	order := make([]int, len(o.at))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return o.at[a] - o.at[b] }) // declarations are in order of position
	var stack []int
	return func(s span) int {
		for len(order) > 0 && o.decls[o.at[order[0]]].start <= s.start {
			stack, order = append(stack, order[0]), order[1:]
		}
		for len(stack) > 0 && o.decls[o.at[stack[len(stack)-1]]].end <= s.start {
			stack = stack[:len(stack)-1]
		}
		if len(stack) == 0 {
			return -1
		}
		return stack[len(stack)-1]
	}
}

// clip cuts a text to a length, on a character boundary and one line.
func clip(text string, most int) string {
	if len(text) > most {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text = text[:most]
	}
	return strings.Join(strings.Fields(text), " ")
}

func unquoted(text string) string {
	if len(text) > 1 && strings.IndexByte("\"'`<", text[0]) >= 0 {
		return strings.Trim(text, "\"'`<>")
	}
	return text
}
