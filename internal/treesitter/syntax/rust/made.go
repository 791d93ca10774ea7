package rust

import (
	"regexp"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// A made is what a macro by example of the file declares by a name that it is called with.
type made struct {
	at       int // which of the arguments is the name
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

// noteMade notes what a macro declares, for the calls behind it.
func noteMade(p *walker, macro binder.At) {
	name := p.TextAt(p.Child(macro, "name"))
	for rule := range p.Named(macro) {
		if p.Kind(rule) != "macro_rule" {
			continue
		}
		for _, m := range madeItem.FindAllStringSubmatch(p.TextAt(p.Child(rule, "right")), -1) {
			at, each, ok := argumentOf(p.TextAt(p.Child(rule, "left")), m[3])
			if !ok {
				continue
			}
			x := made{at: at, each: each, kind: madeKinds[m[2]], exported: m[1] != ""}
			if r := madeResult.FindStringSubmatch(m[4]); r != nil && m[2] == "fn" {
				x.result = r[1]
			}
			if p.makes == nil {
				p.makes = map[string][]made{}
			}
			p.makes[name] = append(p.makes[name], x)
		}
	}
}

// argumentOf is which of the arguments that a rule of a macro matches a variable of it stands for, which is
// the whole of one; each says that it stands for any number of them.
func argumentOf(pattern, variable string) (at int, each, ok bool) {
	if len(pattern) < 2 {
		return 0, false, false
	}
	pattern = strings.TrimSpace(pattern[1 : len(pattern)-1])
	is := "$" + variable + ":ident"
	if rest, repeated := strings.CutPrefix(pattern, "$("+is+"),"); repeated {
		return 0, true, strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, "+")
	}
	for i, part := range parts(pattern) {
		if madeAttributes.ReplaceAllString(strings.TrimSpace(part), "") == is {
			return i, false, true
		}
	}
	return 0, false, false
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
	given := parts(text[1 : len(text)-1])
	for _, m := range all {
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
