package markup

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/patterns"
	"github.com/ragnav/ragnav/internal/pattern"
)

// atRule matches the head of an at-rule: its word and the rest.
var atRule = pattern.NewLazy(`^@(?:-(?:webkit|moz|ms|o)-)?([\w-]+)\s*(.*)$`)

// grouping are the at-rules whose rules are listed as those in them.
var grouping = map[string]bool{
	"media": true, "supports": true, "container": true, "layer": true, "scope": true, "document": true,
	"starting-style": true,
}

// named are the other at-rules that are kinds of symbols.
var named = map[string]bool{"keyframes": true, "page": true, "property": true, "counter-style": true, "utility": true}

// flow are the at-rules around rules that say nothing about these.
var flow = map[string]bool{
	"if": true, "else": true, "each": true, "for": true, "while": true, "include": true, "at-root": true, "content": true,
	"tailwind": true, "variants": true, "responsive": true, "screen": true, "nest": true,
}

// lessMixin matches the head of a mixin of Less, or its guard.
var lessMixin = pattern.NewLazy(`^[.#]([\w-]+)\s*\([^()]*\)(?:\s+when\b.*)?$`)

// maxSelector is the length of names from which a selector is not put
// together with those around it.
const maxSelector = 200

// describe lists the block whose head starts at an offset, and says what it
// means to what is in it.
func (s *sheet) describe(b *block, head string, start int) {
	if head == "" || s.isProperty() { // "font: { family: x }" of SCSS, "@rules: {…}" of Less
		b.opaque = true
		return
	}
	if m := atRule().FindStringSubmatch(head); m != nil {
		s.describeAt(b, strings.ToLower(m[1]), m[2], head, start)
		return
	}
	sym := parse.Symbol{Kind: "rule", Name: head, Parent: b.path, Signature: head}
	if m := lessMixin().FindStringSubmatch(head); m != nil && !b.inner {
		sym.Kind, sym.Name = "mixin", m[1]
	} else if b.inner {
		sym.Name = nested(b.path, head)
	} else {
		b.isRoot = head == ":root" || head == ":host" || head == ":root, :host"
	}
	sym.Qualified = sym.Name
	b.path, b.inner = sym.Name, sym.Kind == "rule"
	b.symbol = s.add(sym, start, sym.Kind == "rule")
}

// isProperty reports whether the block that begins here is a value.
func (s *sheet) isProperty() bool {
	i := s.i - 1
	for i > s.head && s.Code[i] <= ' ' {
		i--
	}
	return i >= 0 && s.Code[i] == ':'
}

func (s *sheet) describeAt(b *block, word, rest, head string, start int) {
	sym := parse.Symbol{Kind: word, Name: nameIn(rest), Parent: b.path, Signature: head}
	switch {
	case flow[word]:
		return
	case grouping[word] && b.inner: // what is in it is still of the rule around
		return
	case grouping[word]:
		sym.Name, b.path = head, head
	case word == "mixin":
		b.path, b.inner = sym.Name, false
	case word == "function":
		sym.Kind, b.opaque = "func", true
	case word == "font-face":
		sym.Name, b.opaque = family(s.Text[s.i:min(len(s.Text), s.i+patterns.MaxMatched)]), true
	default:
		b.opaque = true
		if !named[word] {
			sym.Kind = "at-rule"
		}
	}
	if sym.Name == "" {
		sym.Name = strings.TrimSpace("@" + word + " " + rest)
	}
	sym.Qualified = sym.Name
	b.symbol = s.add(sym, start, false)
}

// nameIn is the name that a head begins with, without its parameters.
func nameIn(rest string) string {
	if i := strings.IndexAny(rest, "( "); i >= 0 {
		rest = rest[:i]
	}
	return strings.Trim(rest, `"'`)
}

var familyName = pattern.NewLazy(`^[^}]*?font-family\s*:\s*["']?([^"';}]+)`)

// family is the font of the block that a text begins with, or "".
func family(text string) string {
	if m := familyName().FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

// nested is a selector within another one, as the compiler puts it together.
func nested(outer, inner string) string {
	var all []string
	length := 0
	for o := range strings.SplitSeq(outer, ", ") {
		for in := range strings.SplitSeq(inner, ",") {
			in = strings.TrimSpace(in)
			one := o + " " + in
			if strings.Contains(in, "&") {
				one = strings.ReplaceAll(in, "&", o)
			}
			if length += len(one) + len(", "); length > maxSelector {
				return inner
			}
			all = append(all, one)
		}
	}
	return strings.Join(all, ", ")
}

// variable matches a declaration of a variable: CSS, SCSS and Less.
var variable = pattern.NewLazy(`^(--[\w-]+|\$[\w-]+|@[\w-]+)\s*:`)

// declaration is for the statement that ends at an offset. Variables count at
// the top of the sheet, and custom properties in :root.
func (s *sheet) declaration(end int) {
	n := len(s.open)
	if n > 1 || n == 1 && !s.open[0].isRoot {
		return
	}
	start := s.first(s.head, end)
	m := variable().FindSubmatch(s.Code[start:min(end, start+patterns.MaxMatched)])
	if m == nil || (n == 1) != (m[1][0] == '-') {
		return
	}
	sym := parse.Symbol{Kind: "const", Name: string(m[1]), Qualified: string(m[1]), Signature: s.signature(start, end)}
	if n == 1 {
		sym.Parent = s.open[0].path
	}
	i := s.add(sym, start, true)
	s.symbols[i].EndLine = max(s.Lines.LineAt(max(end-1, start)), s.symbols[i].StartLine)
}
