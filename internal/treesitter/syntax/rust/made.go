package rust

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// A made is what a macro by example of the file declares by a name that it is called with.
type made struct {
	at       int // which of the arguments is the name
	of       int // how many there are, 0 if that is not known
	each     bool
	kind     string
	exported bool
	result   string // of a function, the name of the type that it gives, if that is one
}

var (
	madeItem = regexp.MustCompile(`(\bpub\b(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const)\s+)*` +
		`\b(fn|struct|enum|union|trait|const|static|type)\s+\$(\w+)\b([^{;=]*)`)
	// What stands before a name for its documentation.
	madeAttributes = regexp.MustCompile(`^\$\(#\[\$\w+:\w+\]\)[*+]\s*`)

	madeResult = regexp.MustCompile(`->\s*([A-Z]\w*)`)
	madeKinds  = map[string]string{
		"fn": "func", "struct": "struct", "enum": "enum", "union": "union", "trait": "trait", "const": "const",
		"static": "const", "type": "type",
	}
)

// mostMade bounds what a rule of a macro declares.
const mostMade = 50

// noteMade notes what a macro declares, for the calls behind it. What is in an impl or a function that it makes is
// no item.
func noteMade(p *walker, macro binder.At) {
	name := p.TextAt(p.Child(macro, "name"))
	if p.makes == nil {
		p.makes = map[string][]made{}
	}
	p.makes[name] = nil // of another one of its name
	for rule := range p.Named(macro) {
		if p.Kind(rule) != "macro_rule" || len(p.makes[name]) >= mostMade {
			continue
		}
		right := p.TextAt(p.Child(rule, "right"))
		depth, from := -1, 0 // of braces, in those of the rule
		for _, m := range madeItem.FindAllStringSubmatchIndex(right, mostMade) {
			depth += strings.Count(right[from:m[0]], "{") - strings.Count(right[from:m[0]], "}")
			if from = m[0]; depth > 0 {
				continue
			}
			if x, ok := madeBy(p.TextAt(p.Child(rule, "left")), right, m); ok {
				p.makes[name] = append(p.makes[name], x)
			}
		}
	}
}

// madeBy is what a match of madeItem in a rule declares.
func madeBy(pattern, right string, match []int) (x made, ok bool) {
	part := func(i int) string {
		if match[2*i] < 0 {
			return ""
		}
		return right[match[2*i]:match[2*i+1]]
	}
	x = made{kind: madeKinds[part(2)], exported: part(1) != ""}
	if r := madeResult.FindStringSubmatch(part(4)); r != nil && part(2) == "fn" {
		x.result = r[1]
	}
	x.at, x.of, x.each = argumentOf(pattern, part(3))
	return x, x.at >= 0
}

// argumentOf is which of the arguments that a rule of a macro matches a variable of it stands for, which is
// the whole of one, or -1; of is how many there are, each says that it stands for any number of them.
func argumentOf(pattern, variable string) (at, of int, each bool) {
	if len(pattern) < 2 {
		return -1, 0, false
	}
	pattern = strings.TrimSpace(pattern[1 : len(pattern)-1])
	is := "$" + variable + ":ident"
	if rest, repeated := strings.CutPrefix(pattern, "$("+is+"),"); repeated {
		if strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, "+") {
			return 0, 0, true
		}
		return -1, 0, false
	}
	at = -1
	all := parts(pattern)
	of = len(all)
	for i, part := range all {
		part = madeAttributes.ReplaceAllString(strings.TrimSpace(part), "")
		if part == is {
			at = i
		}
		if strings.Contains(part, "$(") {
			of = 0
		}
	}
	return at, of, false
}

// parts are those of a text between commas that are in no brackets.
func parts(text string) (all []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				all, from = append(all, text[from:i]), i+1
			}
		}
	}
	return append(all, text[from:])
}

// declareMade declares what the call of a macro stands for where items are.
func declareMade(p *walker, call binder.At) {
	up := p.Parent(call)
	if p.Kind(up) == "expression_statement" {
		up = p.Parent(up)
	}
	list := p.First(call, "token_tree")
	all := p.makes[p.TextAt(p.Child(call, "macro"))]
	if list < 0 || len(all) == 0 || p.Kind(up) != "source_file" && p.Kind(up) != "declaration_list" {
		return
	}
	text := p.TextAt(list)
	if len(text) < 2 { // its end is missing
		return
	}
	given := parts(text[1 : len(text)-1])
	for _, m := range all {
		if !m.takes(given) {
			continue
		}
		offset := int(p.Nodes[list].Start) + 1
		for i, part := range given {
			name := strings.TrimSpace(part)
			spot := offset + strings.Index(part, name)
			offset += len(part) + 1
			if (m.each || i == m.at) && isIdentifier(name) {
				declareMadeAt(p, call, spot, name, m)
			}
		}
	}
}

// takes reports whether a rule may match arguments: it has as many, unless commas are in types.
func (m made) takes(given []string) bool {
	if n := len(given) - 1; n > 0 && strings.TrimSpace(given[n]) == "" {
		given = given[:n]
	}
	types := slices.ContainsFunc(given, func(s string) bool { return strings.Contains(s, "<") })
	return m.of == 0 || m.of == len(given) || types && m.of < len(given)
}

func isIdentifier(name string) bool {
	for i := range len(name) {
		if !binder.IsWord(name[i]) {
			return false
		}
	}
	return name != "" && !binder.IsDigit(name[0])
}

func declareMadeAt(p *walker, call binder.At, spot int, name string, m made) {
	if p.BySpot[spot] != nil {
		return
	}
	s := p.DeclareFrom(spot, spot+len(name), spot, &binder.Symbol{
		Enclosing: p.ScopeAround(call).Symbol, Symbol: facts.Symbol{Name: name, Kind: m.kind},
	})
	s.Exported = m.exported
	s.OwnerSource = p.ownerOf(call)
	if s.OwnerSource.Node > 0 && (s.Enclosing == nil || !binder.Types[s.Enclosing.Kind]) {
		s.Kind = kindIn(s.Kind)
	}
	switch {
	case m.result == "Self" && s.OwnerSource.Node > 0:
		s.ResultSources = []binder.Source{s.OwnerSource.Value()}
	case m.result != "" && m.result != "Self":
		s.ResultSources = []binder.Source{binder.Known(facts.Name(m.result).Value())}
	}
}
