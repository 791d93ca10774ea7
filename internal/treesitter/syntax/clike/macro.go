package clike

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// useMacro adds the references of what a macro is replaced by, which grammars
// take for plain text. Its parameters, what it declares itself, and names that are
// pasted together are none.
func useMacro(p *walker, n binder.At) {
	if p.Child(n, "name") < 0 {
		return
	}
	m := bodyOf(p, n)
	m.declare()
	for i := range m.tokens {
		if kind, of, ok := m.reference(i); ok {
			t := m.tokens[i]
			p.RefAtOffset(t.start, t.text, kind, of, of == facts.Nothing && !m.isMember(i))
		}
	}
}

// openNamespaces declares the namespaces that a macro opens, within the macro: what
// stands behind a use of it is in them.
func openNamespaces(p *walker, n binder.At, macro *binder.Symbol) {
	if !strings.Contains(p.TextAt(n), "namespace") || p.Child(n, "name") < 0 {
		return
	}
	m, around := bodyOf(p, n), macro
	for i, t := range m.tokens {
		if t.text != "namespace" || m.text(i-1) == "inline" || !m.isName(i+1) || m.text(i+2) != "{" || m.bound[m.text(i+1)] {
			continue
		}
		s := p.DeclareAt(m.tokens[i+1].start, m.text(i+1), n, "namespace", around)
		s.SelfType, s.Exported = true, true
		if s.Qualified = s.Name; around != macro {
			s.Qualified = around.Qualified + "." + s.Name
		}
		around = s
	}
}

// bodyOf is the body of a macro that has a name.
func bodyOf(p *walker, n binder.At) macroBody {
	start := int(p.Nodes[p.Child(n, "name")].End)
	bound := map[string]bool{}
	if params := p.Child(n, "parameters"); params >= 0 {
		start = int(p.Nodes[params].End)
		for c := range p.Named(params) {
			bound[p.TextAt(c)] = true
		}
	}
	return macroBody{tokens: cTokens(p.Text, start), bound: bound}
}

// A macroBody is what a macro is replaced by.
type macroBody struct {
	tokens []cToken
	bound  map[string]bool
}

func (m *macroBody) text(i int) string {
	if i < 0 || i >= len(m.tokens) {
		return ""
	}
	return m.tokens[i].text
}

func (m *macroBody) isName(i int) bool {
	return i >= 0 && i < len(m.tokens) && m.tokens[i].name && !cKeywords[m.tokens[i].text]
}

// declare finds the variables that the body declares: what stands behind a type
// and before what ends a declarator.
func (m *macroBody) declare() {
	for i := range m.tokens {
		if !m.isName(i) || !slices.Contains([]string{"=", ";", "["}, m.text(i+1)) {
			continue
		}
		typ := i - 1
		for m.text(typ) == "*" || m.text(typ) == "const" {
			typ--
		}
		isType := m.isName(typ) || cTypes[m.text(typ)]
		if isType && typ < i-1 && m.text(i+1) == "[" { // a product
			isType = cTypes[m.text(typ)]
		}
		if isType {
			m.bound[m.text(i)] = true
		}
	}
}

// reference is how a token refers to something: its kind, and the expression of
// what it is a member of.
func (m *macroBody) reference(i int) (kind facts.Kind, of facts.Expr, ok bool) {
	if !m.isName(i) || m.bound[m.text(i)] && !m.isMember(i) || m.text(i-1) == "##" || m.text(i+1) == "##" {
		return "", facts.Nothing, false
	}
	switch before := m.text(i - 1); before {
	case "goto", "#", "namespace":
		return "", facts.Nothing, false
	case "struct", "union", "enum", "class", "typename", "new":
		return facts.Type, facts.Nothing, true
	case "::":
		if of = m.scope(i - 2); of == facts.Unknown {
			return "", facts.Nothing, false
		}
	}
	switch m.text(i + 1) {
	case "(":
		return facts.Call, of, true
	case "=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "++", "--":
		return facts.Write, of, true
	case "::":
		return facts.Type, of, true
	}
	if isStar := m.text(i+1) == "*"; m.isName(i+1) || isStar && m.text(i+2) == ")" || isStar && m.bound[m.text(i+2)] &&
		m.text(i+3) == "=" {
		return facts.Type, of, true
	}
	return facts.Read, of, true
}

// isMember reports whether a name is that of a member of a value.
func (m *macroBody) isMember(i int) bool { return m.text(i-1) == "." || m.text(i-1) == "->" }

// scope is the qualified name that ends at a token, as an expression; "" is the
// scope of all.
func (m *macroBody) scope(i int) facts.Expr {
	switch {
	case m.text(i) == ">", m.bound[m.text(i)]:
		return facts.Unknown
	case !m.isName(i):
		return facts.Nothing
	case m.text(i-1) != "::":
		return facts.Name(m.text(i))
	}
	around := m.scope(i - 2)
	if around == facts.Unknown {
		return facts.Unknown
	}
	if around == facts.Nothing {
		return facts.Name(m.text(i))
	}
	return around.Member(m.text(i))
}

// A cToken is a name or a sign of C, without numbers and what is in quotes.
type cToken struct {
	text  string
	start int
	name  bool
}

// cSigns are signs of several characters that matter here.
var cSigns = []string{"->", "##", "::", "++", "--", "==", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "<=", ">=", "!="}

// cTokens are those of the line that begins at an offset, and of the lines that
// it goes on in behind a backslash.
func cTokens(text string, i int) (all []cToken) {
	for i < len(text) {
		rest := text[i:]
		switch c := text[i]; {
		case c == '\n':
			return all
		case c == '\\':
			i += 1 + len(lineEnd(rest[1:]))
		case strings.HasPrefix(rest, "//"):
			i += max(strings.IndexByte(rest+"\n", '\n'), 2)
		case strings.HasPrefix(rest, "/*"):
			i += 2 + len(until(rest[2:], "*/"))
		case c == '"' || c == '\'':
			i += literal(rest)
		case binder.IsWord(c):
			end := i
			for end < len(text) && (binder.IsWord(text[end]) || binder.IsDigit(c) && text[end] == '.') {
				end++
			}
			all = append(all, cToken{text[i:end], i, !binder.IsDigit(c)})
			i = end
		case c == ' ' || c == '\t' || c == '\r':
			i++
		default:
			n := 1
			if slices.ContainsFunc(cSigns, func(s string) bool { return strings.HasPrefix(rest, s) }) {
				n = 2
			}
			all = append(all, cToken{text: rest[:n], start: i})
			i += n
		}
	}
	return all
}

// lineEnd is the end of a line that a text begins with.
func lineEnd(text string) string {
	for _, end := range []string{"\n", "\r\n"} {
		if strings.HasPrefix(text, end) {
			return end
		}
	}
	return ""
}

// until is a text up to the end of the first end in it, or all of it.
func until(text, end string) string {
	before, _, found := strings.Cut(text, end)
	if !found {
		return text
	}
	return text[:len(before)+len(end)]
}

// literal is the length of the literal that a text begins with, which ends at the
// end of its line at the latest.
func literal(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i += max(len(lineEnd(text[i+1:])), 1)
		case text[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}

// cTypes are keywords that a declaration's type may end with, cKeywords all.
var (
	cTypes    = binder.Words("int char short long float double void unsigned signed auto bool _Bool size_t")
	cKeywords = binder.Words(`
int char short long float double void unsigned signed auto bool _Bool break case const continue default do else
enum extern for goto if inline register restrict return sizeof static struct switch typedef union volatile while
_Alignas _Alignof _Atomic _Complex _Generic _Noreturn _Static_assert _Thread_local alignas alignof static_assert
thread_local typeof asm __asm__ __volatile__ __attribute__ __extension__ __inline __inline__ __restrict
__typeof__ __VA_ARGS__ __VA_OPT__ defined catch class const_cast constexpr constinit decltype delete
dynamic_cast explicit export false friend mutable namespace new noexcept nullptr operator private protected
public reinterpret_cast static_cast template this throw true try typeid typename using virtual __FILE__ __LINE__
__func__ __FUNCTION__`)
)
