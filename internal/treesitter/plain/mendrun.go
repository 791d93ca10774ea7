package plain

import "strings"

// A unit is a word of a declaration: a keyword, or a name with what it is in and its
// arguments.
type unit struct {
	from, to int
	kind     unitKind
}

type unitKind byte

const (
	specifies unitKind = iota // static, const
	types                     // int, struct name
	named                     // a name, maybe a macro
	called                    // a macro with arguments, before another unit
	points                    // * and &
)

var (
	specifying = wordSet("static const constexpr constinit consteval extern inline virtual explicit mutable volatile " +
		"thread_local register friend typedef using typename noexcept override final restrict")
	typing = wordSet("void bool char int long short float double auto unsigned signed wchar_t char8_t char16_t char32_t " +
		"size_t decltype")
	elaborating = wordSet("struct class enum union")
	leading     = wordSet("namespace return else do throw case goto new delete co_return co_await co_yield if while " +
		"for switch")
)

// run mends the units that stand side by side at a token, and returns where they end.
func (m *mender) run(from, to int, in block) int {
	units, end := m.units(from, to)
	stopped := leading[m.word(end)] || m.is(end, "template")
	if len(units) < 2 && !stopped {
		return max(end, from)
	}
	m.uncall(units, in)
	first, last := 0, len(units)
	for i, u := range units {
		if u.kind == points {
			if i > first {
				m.excess(units[first:i], 1, m.is(end, "("), false)
			}
			first = i + 1
		}
	}
	if first > 0 {
		m.excess(units[first:last], 1, m.is(end, "("), true)
	} else {
		names := 2
		switch {
		case m.is(end, ".", "->"):
			names = 1
		case stopped:
			names = 0
		}
		m.excess(units, names, m.is(end, "("), false)
	}
	return end
}

// units reads those that begin at a token.
func (m *mender) units(from, to int) (all []unit, end int) {
	i := from
	for i < to {
		word := m.word(i)
		switch {
		case m.is(i, "*", "&", "&&") && len(all) > 0:
			all = append(all, unit{i, i + 1, points})
			i++
			continue
		case word == "" && !m.is(i, "::") || leading[word] || word == "template" || word == "operator":
			return all, i
		case specifying[word]:
			all = append(all, unit{i, i + 1, specifies})
			i++
			continue
		case typing[word]:
			m.cast(i)
			next := i + 1
			if word == "decltype" && m.is(next, "(") && m.pairs[next] > next {
				next = m.pairs[next] + 1
			}
			all = append(all, unit{i, next, types})
			i = next
			continue
		}
		u := unit{from: i, kind: named}
		if elaborating[word] {
			u.kind = types
			for i++; isMacroName(m.word(i)) && m.word(i+1) != "" && !specifying[m.word(i+1)]; i++ { // a macro before its name
				m.blank(i, i+1)
			}
		}
		i = m.qualified(i, to)
		if u.to = i; u.to == u.from {
			return all, i
		}
		if u.kind == named && m.is(i, "(") && m.pairs[i] > i && m.pairs[i] < to && isMacroName(m.tokens[i-1].text) &&
			m.goesOn(m.pairs[i]+1) {
			i = m.pairs[i] + 1
			u.to, u.kind = i, called
		}
		all = append(all, u)
	}
	return all, i
}

// goesOn reports whether what is before a token is no call of a function.
func (m *mender) goesOn(i int) bool {
	return m.word(i) != "" || m.is(i, "~", "::") || m.is(i, "(") && m.is(i+1, "void") && m.is(i+2, ")")
}

// qualified is where a name ends, with what it is in and its arguments.
func (m *mender) qualified(i, to int) int {
	for i < to {
		if m.is(i, "::") {
			i++
		}
		if m.word(i) == "" {
			return i
		}
		i++
		if m.is(i, "<") {
			if end := m.arguments(i, to); end > 0 {
				i = end
			}
		}
		if !m.is(i, "::") {
			return i
		}
	}
	return i
}

// maxArguments bounds the tokens of a template's arguments.
const maxArguments = 200

// arguments is where a template's arguments end, or 0 if that is no list of them.
func (m *mender) arguments(i, to int) int {
	depth := 0
	for n := i; n < to && n < i+maxArguments; n++ {
		switch {
		case m.is(n, "<"):
			depth++
		case m.is(n, ">"):
			if depth--; depth == 0 {
				return n + 1
			}
		case m.is(n, "(", "[") && m.pairs[n] > n:
			n = m.pairs[n]
		case m.is(n, ";", "{", "}", ")", "||"):
			return 0
		}
	}
	return 0
}

// uncall blanks macros with arguments before other words; their arguments only where
// they must be the type of what is declared: "LIB_API(int) f()".
func (m *mender) uncall(units []unit, in block) {
	typed := 0
	for _, u := range units {
		if u.kind == types || u.kind == named || u.kind == called {
			typed++
		}
	}
	for i, u := range units {
		if u.kind != called {
			continue
		}
		if i+1 < len(units) && typed == 2 && m.isType(u) && (in == declaring || !m.newLine(u.to)) {
			m.blank(u.from+1, u.to)
			continue
		}
		m.blank(u.from, u.to)
		units[i].kind = specifies
		typed--
	}
}

// newLine reports whether a token is on another line than the one before.
func (m *mender) newLine(i int) bool {
	return strings.Contains(m.text[m.tokens[i-1].end:m.tokens[i].start], "\n")
}

// isType reports whether the arguments of a macro may be a type.
func (m *mender) isType(u unit) bool {
	some := false
	for i := u.from + 2; i < u.to-1; i++ {
		if m.word(i) == "" && !m.is(i, "*", "&", "::", "<", ">") {
			return false
		}
		some = true
	}
	return some
}

// excess blanks macros among units where there are more names than a declaration has.
// The last one is the name of a function if isFunc.
func (m *mender) excess(units []unit, names int, isFunc, behind bool) {
	count, typed := -names, 0
	for _, u := range units {
		switch u.kind {
		case named, called:
			count++
		case types:
			typed = 1
		}
	}
	count += typed
	for _, likely := range []func(string) bool{isMacroName, isReserved, func(string) bool { return behind }} {
		for i := range units {
			u := units[i]
			if count <= 0 || u.kind != named || isFunc && i == len(units)-1 || u.to > u.from+1 ||
				!likely(m.tokens[u.from].text) {
				continue
			}
			m.blank(u.from, u.to)
			units[i].kind = specifies
			count--
		}
	}
}

// isReserved reports whether a name is one that only the implementation and macros have.
func isReserved(name string) bool { return strings.HasPrefix(name, "__") }
