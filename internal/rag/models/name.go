package models

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PlainName is the name of a symbol as documents write it, with a dot between its
// parts, of what its language writes: A::B#c (Ruby), \A\B::c() and $b->c (PHP),
// crate::a::B::<T>::c (Rust), ns::A<T>::b(int) (C++), a.B#c(int) (Java),
// http.(*Client).Do (Go). What only says where paths begin, type arguments and
// parameters are left out. Operators keep their signs.
func PlainName(name string) string {
	name, sign := cutOperator(strings.TrimSpace(name))
	if before, after, ok := strings.Cut(name, "(*"); ok {
		name = before + strings.Replace(after, ")", "", 1)
	}
	if i := strings.LastIndexByte(name, '('); i > 0 && strings.HasSuffix(name, ")") {
		name = name[:i]
	}
	name = separators.Replace(withoutTypes(name))
	for _, root := range []string{"crate.", "self.", "super."} { // of Rust
		name = strings.TrimPrefix(name, root)
	}
	return strings.TrimLeft(name, ".") + sign
}

var separators = strings.NewReplacer("::$", ".", "->", ".", "::", ".", "#", ".", "\\", ".")

// cutOperator cuts the last part of a name off where it is an operator of C++, without
// its parameters: operator-> or operator().
func cutOperator(name string) (before, operator string) {
	const word = "operator"
	i := strings.LastIndex(name, word)
	if i < 0 || i > 0 && strings.IndexByte(":.#", name[i-1]) < 0 {
		return name, ""
	}
	rest := name[i+len(word):]
	sign := rest[:len(rest)-len(strings.TrimLeft(rest, "+-*/%^&|~!=<>,[]"))]
	if sign == "" && strings.HasPrefix(rest, "()") {
		sign = "()"
	}
	if rest = rest[len(sign):]; sign == "" || rest != "" && rest[0] != '(' {
		return name, ""
	}
	return name[:i], word + sign
}

// withoutTypes leaves type arguments out: what is between angles that begins as a
// type does, which what operators are called does not.
func withoutTypes(name string) string {
	var b strings.Builder
	depth, last := 0, strings.LastIndexByte(name, '>')
	for i := range len(name) {
		switch {
		case name[i] == '<' && (depth > 0 || i > 0 && beginsType(name[i+1:]) && i < last):
			depth++
		case name[i] == '>' && depth > 0:
			depth--
		case depth == 0:
			b.WriteByte(name[i])
		}
	}
	return strings.ReplaceAll(b.String(), "::::", "::") // of a::<T>::b
}

func beginsType(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) || text != "" && strings.ContainsRune("_&'[(?", r)
}

// NameMeans reports whether a name, as its language writes it, is that of a symbol
// by its qualified name: all of that or the last parts, or that behind the last parts
// of what is around the symbol (its package, its folders, its file without the
// extension). One name alone needs to be the whole or the last part.
func NameMeans(name, qualified string, around ...string) bool {
	asked, have := nameParts(name), nameParts(qualified)
	if len(asked) == 0 || len(have) == 0 {
		return false
	}
	if len(asked) <= len(have) {
		return slices.Equal(asked, have[len(have)-len(asked):])
	}
	rest, ok := cutParts(asked, have)
	return ok && slices.ContainsFunc(around, func(s string) bool {
		_, is := cutParts(nameParts(s), rest)
		return is
	})
}

// NameEnds reports whether a name ends with a qualified one, whatever is before it.
func NameEnds(name, qualified string) bool {
	have := nameParts(qualified)
	_, ok := cutParts(nameParts(name), have)
	return ok && len(have) > 0
}

// cutParts cuts the last parts off, if they are there.
func cutParts(parts, last []string) ([]string, bool) {
	at := len(parts) - len(last)
	if at < 0 || !slices.Equal(parts[at:], last) {
		return nil, false
	}
	return parts[:at], true
}

func nameParts(name string) []string {
	return strings.FieldsFunc(PlainName(name), func(r rune) bool { return r == '.' || r == '/' || r == ':' })
}
