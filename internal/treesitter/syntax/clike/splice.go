package clike

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// declareFields declares the fields that a macro declares which is nothing but fields,
// within the macro: types that use it have them.
func declareFields(p *walker, n binder.At, macro *binder.Symbol) {
	if p.Child(n, "name") < 0 || !strings.ContainsRune(p.TextAt(n), ';') {
		return
	}
	m := bodyOf(p, n)
	groups, ok := m.fields(0, len(m.tokens))
	if !ok {
		return
	}
	declareGroups(p, &m, groups, macro)
	if last := len(m.tokens) - 1; m.isName(last) {
		splice(macro, m.text(last))
	}
}

// splice notes that a macro stands for members of a type, or for some of another macro's.
func splice(s *binder.Symbol, macro string) {
	of := binder.Known(facts.Name(macro))
	s.BaseSources = append(s.BaseSources, binder.Base{Kind: facts.Shorthand, Of: of, Args: binder.None})
}

// spliceHidden notes the macros that stand alone where members of a type are declared.
func spliceHidden(p *walker, body binder.At, s *binder.Symbol) {
	from, _ := slices.BinarySearch(p.Hidden, int(p.Nodes[body].Start))
	for _, offset := range p.Hidden[from:] {
		if offset >= int(p.Nodes[body].End) {
			return
		}
		name, behind := p.HiddenName(offset)
		if name != strings.ToUpper(name) || behind == "" || !strings.ContainsRune("\r\n;}/", rune(behind[0])) {
			continue
		}
		covered := false
		for c := range p.Named(body) {
			covered = covered || p.Kind(c) != "comment" && int(p.Nodes[c].Start) <= offset && offset < int(p.Nodes[c].End)
		}
		if !covered {
			splice(s, name)
		}
	}
}

// A fieldGroup is a declaration of fields among the tokens of a macro: its type, the names,
// and the fields of a type that is written there.
type fieldGroup struct {
	from   int
	names  []int
	within []fieldGroup
}

// fields are the declarations that some tokens of a body are; ok is false if they are
// anything else. The name of another macro may stand alone at the end.
func (m *macroBody) fields(from, to int) (all []fieldGroup, ok bool) {
	for i := from; i < to; {
		end := m.until(i, to, ";")
		if end == to {
			return all, end == i+1 && m.isName(i)
		}
		g, ok := m.field(i, end)
		if !ok {
			return nil, false
		}
		all, i = append(all, g), end+1
	}
	return all, len(all) > 0
}

// until is the first of some tokens that is a sign outside of brackets, or their end.
func (m *macroBody) until(i, to int, sign string) int {
	depth := 0
	for ; i < to; i++ {
		switch t := m.text(i); {
		case depth == 0 && t == sign:
			return i
		case t == "(" || t == "{" || t == "[":
			depth++
		case t == ")" || t == "}" || t == "]":
			depth--
		}
	}
	return to
}

// notFields are words that no field is declared with.
var notFields = binder.Words(`break case continue default do else extern for goto if return sizeof static switch typedef
while delete new throw using namespace friend template operator virtual explicit inline`)

// field is one declaration.
func (m *macroBody) field(from, end int) (g fieldGroup, ok bool) {
	g.from = from
	behind := from
	if body := m.until(from, end, "{"); body < end {
		closed := m.until(body+1, end, "}")
		if k := m.text(from); k != "struct" && k != "union" {
			return g, false
		}
		if g.within, ok = m.fields(body+1, closed); !ok {
			return g, false
		}
		behind = closed + 1
	}
	for i := from; i < end; i++ {
		if t := m.text(i); notFields[t] || slices.Contains([]string{"=", "##", "#", ".", "->", "++", "--", "+="}, t) {
			return g, false
		}
	}
	for i := behind; i < end; {
		next := m.until(i, end, ",")
		name, ok := m.declared(i, next)
		if !ok {
			return g, false
		}
		g.names, i = append(g.names, name), next+1
	}
	return g, behind > from || len(g.names) > 0 && g.names[0] > from
}

// declared is the name among the tokens of a declarator, and of the type before it.
func (m *macroBody) declared(from, to int) (name int, ok bool) {
	if open := m.until(from, to, "("); open < to { // a pointer to a function
		if m.text(open+1) != "*" || !m.isName(open+2) {
			return 0, false
		}
		return open + 2, true
	}
	to = min(m.until(from, to, "["), m.until(from, to, ":"))
	return to - 1, to > from && m.isName(to-1) && !m.bound[m.text(to-1)]
}

func declareGroups(p *walker, m *macroBody, groups []fieldGroup, parent *binder.Symbol) {
	for _, g := range groups {
		owner := parent
		for i, n := range g.names {
			t := m.tokens[n]
			start := t.start
			if i == 0 && len(g.within) > 0 {
				start = m.tokens[g.from].start
			}
			s := declareToken(p, start, t, "field", parent)
			switch {
			case len(g.within) == 0:
				s.Values = []binder.Source{m.typeOf(g.from, n)}
			case i == 0:
				s.SelfType = true
				owner = s
			}
		}
		declareGroups(p, m, g.within, owner)
	}
}

// typeOf is a value of the type that tokens before a name are.
func (m *macroBody) typeOf(from, name int) binder.Source {
	for i := from; i < name; i++ {
		if m.isName(i) && m.text(i+1) != "::" {
			s := binder.Known(facts.Name(m.text(i)).Value())
			if m.text(name+1) == "[" {
				return s.Done(binder.TakeArray)
			}
			return s
		}
	}
	return binder.ExternalSource
}

// declareList declares what a file lists that is nothing but uses of macros, to be
// included where they are defined: "OP(LOAD, 1)" on each line.
func declareList(p *walker) {
	if !beginsWithUse(p.Text) {
		return
	}
	m := macroBody{tokens: cTokens(withoutLines(p.Text), 0)}
	var names []cToken
	for i := 0; i < len(m.tokens); {
		if m.text(i) == ";" || m.text(i) == "," {
			i++
			continue
		}
		closed := m.until(i+2, len(m.tokens), ")")
		if !m.isName(i) || m.text(i+1) != "(" || closed == len(m.tokens) {
			return
		}
		if m.isName(i+2) && (m.text(i+3) == "," || m.text(i+3) == ")") {
			names = append(names, m.tokens[i+2])
		}
		i = closed + 1
	}
	if len(names) < fewestListed {
		return
	}
	for _, t := range names {
		declareToken(p, t.start, t, "const", nil)
	}
}

// declareToken declares the name that a token is, from an offset on.
func declareToken(p *walker, from int, t cToken, kind string, parent *binder.Symbol) *binder.Symbol {
	return p.DeclareFrom(from, t.start+len(t.text), t.start,
		&binder.Symbol{Enclosing: parent, Symbol: facts.Symbol{Name: t.text, Kind: kind}})
}

const wordCharacters = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// fewestListed is how much a list has at least.
const fewestListed = 3

// beginsWithUse reports whether the first line of a text that is code begins with a name
// and a bracket.
func beginsWithUse(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '*' || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") {
			continue
		}
		name, _, ok := strings.Cut(line, "(")
		return ok && name != "" && strings.Trim(name, wordCharacters) == ""
	}
	return false
}

// withoutLines is a text of the same length without lines of the preprocessor, comments
// that end with their line, and ends of lines.
func withoutLines(text string) string {
	out := []byte(text)
	start := 0
	for line := range strings.Lines(text) {
		from := len(line)
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			from = 0
		} else if i := strings.Index(line, "//"); i >= 0 {
			from = i
		}
		for i := from; i < len(line); i++ {
			out[start+i] = ' '
		}
		if strings.HasSuffix(line, "\n") {
			out[start+len(line)-1] = ' '
		}
		start += len(line)
	}
	return string(out)
}
