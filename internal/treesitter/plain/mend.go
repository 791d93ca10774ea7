package plain

import (
	"slices"
	"strings"
)

// MendC puts spaces in the place of macros of C and C++ that stand where errors of
// its grammar are, and say nothing of what is declared there: "LIB_API int LIB_CALL f()",
// "T *at LIFETIME_BOUND", "LIB_CHECK(<, lt)", and in the place of branches of
// conditions that close what others open. wrong are the errors' offsets, in order of
// where they begin. What stands elsewhere stays.
func MendC(text string, wrong [][2]int) string {
	branches := conditional{text, []byte(text), wrong}
	branches.conditions()
	m := mender{text: string(branches.out), out: branches.out, wrong: wrong}
	m.tokens = tokensOf(m.text)
	m.pairs = pairsOf(m.tokens)
	m.blocks()
	return string(m.out)
}

// A mender is a text of which parts become spaces.
type mender struct {
	text   string
	out    []byte
	wrong  [][2]int
	tokens []token
	pairs  []int // for each token the one that closes or opens it, or -1
	at     int   // the error that is looked at
}

// blank puts spaces in the place of some tokens.
func (m *mender) blank(from, to int) {
	if from < to {
		blank(m.out[m.tokens[from].start:m.tokens[to-1].end])
	}
}

// suspect reports whether there is an error within some bytes, or where they end. Calls
// must be in the order of the bytes.
func (m *mender) suspect(from, to int) bool {
	for m.at < len(m.wrong) && m.wrong[m.at][1] <= from {
		m.at++
	}
	return m.at < len(m.wrong) && m.wrong[m.at][0] <= to
}

// near reports the same of bytes in any order.
func near(wrong [][2]int, from, to int) bool {
	return slices.ContainsFunc(wrong, func(w [2]int) bool { return w[0] <= to && from < w[1] })
}

func (m *mender) is(i int, texts ...string) bool {
	return i >= 0 && i < len(m.tokens) && slices.Contains(texts, m.tokens[i].text)
}

func (m *mender) word(i int) string {
	if i < 0 || i >= len(m.tokens) || !m.tokens[i].name {
		return ""
	}
	return m.tokens[i].text
}

// A block is what is in braces.
type block byte

const (
	declaring block = iota // as a file, a namespace, a class
	enumerating
	executing
)

// blocks mends statement after statement.
func (m *mender) blocks() {
	open := []block{declaring}
	from := 0 // where the statement begins
	for i := 0; i <= len(m.tokens); i++ {
		in := open[len(open)-1]
		if i == from && in == declaring && m.calls(i) {
			i, from = m.pairs[i+1]+1, m.pairs[i+1]+2
			continue
		}
		switch {
		case i < len(m.tokens) && m.is(i, "(", "[") && m.pairs[i] > i && !m.bodied(i):
			i = m.pairs[i]
			continue
		case i == len(m.tokens), m.is(i, ";", "{", "}"), m.is(i, ":") && i == from+1 && accesses[m.word(from)]:
		default:
			continue
		}
		next := kindOfBlock(m.tokens[from:i])
		if from < i && m.suspect(m.tokens[from].start, m.tokens[i-1].end+1) {
			m.statement(from, i, in)
		}
		switch {
		case m.is(i, "{"):
			open = append(open, next)
		case m.is(i, "}") && len(open) > 1:
			open = open[:len(open)-1]
		}
		from = i + 1
	}
}

// bodied reports whether there are braces in brackets, as around a function without name.
func (m *mender) bodied(i int) bool {
	for j := i + 1; j < m.pairs[i]; j++ {
		if m.is(j, "{") {
			return true
		}
	}
	return false
}

var accesses = wordSet("public private protected signals slots default")

// kindOfBlock is what braces hold behind a statement.
func kindOfBlock(head []token) block {
	for i, t := range head {
		switch t.text {
		case "enum":
			return enumerating
		case "namespace", "extern", "class", "struct", "union":
			if !slices.ContainsFunc(head[i:], func(t token) bool { return t.text == "(" || t.text == "=" }) {
				return declaring
			}
		}
	}
	return executing
}

// statement mends the tokens of one.
func (m *mender) statement(from, to int, in block) {
	switch {
	case in == enumerating:
		m.enumerators(from, to)
		return
	case m.instantiates(from, to):
		m.blank(from, to)
		return
	}
	m.parts(from, to, in)
}

// calls blanks the call of a macro that is in the place of a declaration, if it has errors.
func (m *mender) calls(i int) bool {
	if !isMacroName(m.word(i)) || !m.is(i+1, "(") || m.pairs[i+1] < 0 || !m.is(m.pairs[i+1]+1, ";") {
		return false
	}
	end := m.pairs[i+1] + 2
	if !near(m.wrong, m.tokens[i].start, m.tokens[end-1].end) {
		return false
	}
	m.blank(i, end)
	return true
}

// instantiates reports whether a statement is "template class A<int>", which declares
// nothing.
func (m *mender) instantiates(from, to int) bool {
	if m.is(from, "extern") {
		from++
	}
	return m.is(from, "template") && !m.is(from+1, "<") && m.is(to, ";") &&
		near(m.wrong, m.tokens[from].start, m.tokens[to].end)
}

// parts mends what is between signs, in brackets too.
func (m *mender) parts(from, to int, in block) {
	for i := from; i < to; {
		if end := m.run(i, to, in); end > i {
			i = end
			continue
		}
		if m.is(i, "(", "[") && m.pairs[i] > i && m.pairs[i] <= to && !m.bodied(i) {
			m.parts(i+1, m.pairs[i], in)
			i = m.trailing(i, to)
			continue
		}
		m.joined(i)
		m.parameters(i, to)
		i++
	}
}

// parameters blanks the arguments of macros among the parameters of a template, which
// leaves them as types without name: "template <typename T, ENABLE_IF(!is_int<T>::value)>".
func (m *mender) parameters(i, to int) {
	if !m.is(i, "template") || !m.is(i+1, "<") {
		return
	}
	end := m.arguments(i+1, to)
	for i += 2; i < end; i++ {
		if isMacroName(m.word(i)) && m.is(i-1, "<", ",") && m.is(i+1, "(") && m.pairs[i+1] > i && m.pairs[i+1] < end {
			m.blank(i+1, m.pairs[i+1]+1)
		}
	}
}

// cast writes "unsigned(n)" as the grammar knows it.
func (m *mender) cast(i int) {
	if m.is(i, "unsigned") && m.is(i+1, "(") && m.tokens[i].end == m.tokens[i+1].start && !m.is(i+2, "*") {
		copy(m.out[m.tokens[i].start:], "int     ")
	}
}

// joined blanks a macro between two strings: "%" PRIu64 "\n".
func (m *mender) joined(i int) {
	if !m.tokens[i].quoted {
		return
	}
	for j := i + 1; isMacroName(m.word(j)) || strings.HasPrefix(m.word(j), "PRI"); {
		end := j + 1
		if m.is(end, "(") && m.pairs[end] > end {
			end = m.pairs[end] + 1
		}
		m.blank(j, end)
		j = end
	}
}

// trailing blanks macros behind the brackets that open at a token, if they are those of
// parameters, and returns where to go on.
func (m *mender) trailing(open, to int) int {
	i := m.pairs[open] + 1
	if !m.is(open, "(") || m.word(open-1) == "" || controlling[m.word(open-1)] {
		if !m.is(open-1, ")") {
			return i
		}
	}
	for ; i < to; i++ {
		switch word := m.word(i); {
		case word == "const" || word == "noexcept" || word == "override" || word == "final" || word == "volatile" ||
			m.is(i, "&", "&&"):
		case isMacroName(word) || strings.HasPrefix(word, "__"):
			end := i + 1
			if m.is(end, "(") && m.pairs[end] > end && m.pairs[end] < to {
				end = m.pairs[end] + 1
			}
			if end < to && !m.is(end, "=", ":", "->", ",") && m.word(end) == "" || m.is(end, "(") {
				return i
			}
			m.blank(i, end)
			i = end - 1
		default:
			return i
		}
	}
	return i
}

// enumerators mends the constants of an enum.
func (m *mender) enumerators(from, to int) {
	m.definitions(m.tokens[max(from-1, 0)].end, m.tokens[min(to, len(m.tokens)-1)].start)
	for i := from; i < to; {
		end := i
		for end < to && !m.is(end, ",") {
			if m.pairs[end] > end {
				end = m.pairs[end]
			}
			end++
		}
		m.enumerator(i, min(end, to), end < to)
		i = end + 1
	}
}

// enumerator mends one: macros before its name and behind it, and those that make some.
// comma says that one is behind it.
func (m *mender) enumerator(from, to int, comma bool) {
	type item struct{ from, to int }
	var items []item
	first, named := 0, -1 // of the last line that begins with a name; the constant's name
	for i := from; i < to && m.word(i) != ""; {
		next := item{i, i + 1}
		if m.is(i+1, "(") && m.pairs[i+1] > i && m.pairs[i+1] < to {
			next.to = m.pairs[i+1] + 1
		} else if i > from && m.newLine(i) {
			first = len(items)
		}
		items = append(items, next)
		i = next.to
	}
	for i := first; i < len(items) && named < 0; i++ {
		if items[i].to == items[i].from+1 {
			named = i
		}
	}
	for i, it := range items {
		switch {
		case i == named:
		case named < 0 && m.names(it.from):
			m.keepFirst(it.from, it.to)
		default:
			m.blank(it.from, it.to)
			if named < 0 && i == len(items)-1 && comma {
				m.blank(to, to+1)
			}
		}
	}
}

// names reports whether a macro that the text defines is replaced by its first
// argument and more: "#define OPTION(name, type) name = type". Another file's has
// several arguments.
func (m *mender) names(i int) bool {
	if !m.is(i+1, "(") {
		return false
	}
	_, behind, ok := strings.Cut(m.text, "define "+m.tokens[i].text+"(")
	if !ok {
		return m.word(i+2) != "" && m.is(i+3, ",")
	}
	params, body, ok := strings.Cut(behind, ")")
	first, _, _ := strings.Cut(params, ",")
	if first = strings.TrimSpace(first); !ok || first == "" {
		return false
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(body, " \t\\\r\n"), first)
	rest = strings.TrimLeft(rest, " \t")
	return ok && (rest == "" || !isNamePart(rest[0]) && rest[0] != '#' && rest[0] != '(')
}

// keepFirst blanks all of a call but its first argument.
func (m *mender) keepFirst(from, to int) {
	first := from + 2
	m.blank(from, first)
	end := first
	for end < to-1 && !m.is(end, ",") {
		end++
	}
	m.blank(end, to)
}
