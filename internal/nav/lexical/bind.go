package lexical

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A binder finds the names that functions bind themselves.
type binder struct {
	*reader

	bound map[int]map[string]string // types of the names that a function binds, or "", by its index; -1: outside of all
}

// bind finds the names that functions bind themselves.
func (b *binder) bind() {
	declared, aliases := map[string]bool{}, map[string]bool{}
	for _, s := range b.file.Symbols {
		declared[s.Name] = true
	}
	for _, x := range b.file.Imports {
		aliases[x.Local] = true
	}
	for n, t := range b.all {
		name := b.text(t)
		if t.own || t.member || aliases[name] {
			continue
		}
		if b.prefix {
			if b.isLet(n) {
				b.note(n)
			}
			continue
		}
		if b.declares(t, ">]?") || b.isNew(t) || b.isParameter(n) || !declared[name] && b.isAssigned(t) ||
			b.equations && b.inPattern(t) {
			b.note(n)
		}
	}
}

// note keeps that a function binds token n, with its type if the text says that.
func (b *binder) note(n int) {
	t := b.all[n]
	at, name := b.function(t), b.text(t)
	if b.bound[at] == nil {
		b.bound[at] = map[string]string{}
	}
	of := b.typeOf(n)
	if before, known := b.bound[at][name]; known && before != of {
		of = ""
	}
	b.bound[at][name] = of
}

// isParameter reports whether token n is a parameter: in the brackets behind the name of a
// declaration, of a function without a name, or between bars.
func (b *binder) isParameter(n int) bool {
	t := b.all[n]
	if b.typed && strings.IndexByte(",)=", t.after) < 0 {
		return false
	}
	code := b.src.Code
	before := t.start - 1
	for before >= 0 && strings.IndexByte(" \t\r\n*&.", code[before]) >= 0 {
		before--
	}
	if t.open < 0 || before < 0 || strings.IndexByte("(,[{", code[before]) < 0 {
		return t.before == '|' && (t.after == '|' || t.after == ',')
	}
	i := t.open - 1
	for i >= 0 && code[i] == ' ' {
		i--
	}
	start := i
	for b.isLetter(code, start) {
		start--
	}
	if _, ok := b.at[start+1]; ok && code[t.open] == '(' {
		return true
	}
	switch word := string(code[start+1 : i+1]); {
	case word == "function", word == "func", word == "fn", word == "fun", word == "proc", word == "catch", word == "sub":
		return true
	case word != "" || code[t.open] != '(':
		return false
	}
	end := b.closing(t.open)
	rest := strings.TrimLeft(string(code[end:min(len(code), end+20)]), " \t")
	return strings.HasPrefix(rest, "=>") || strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "{") ||
		strings.HasPrefix(rest, "async")
}

// binds reports whether a name means something in a function only, where a token is, and of
// which type.
func (b *binder) binds(t token, name string) (of string, ok bool) {
	for i := b.function(t); ; i = b.file.Symbols[i].Parent {
		if i < 0 || resolve.IsFunction(&b.file.Symbols[i]) {
			if of, ok = b.bound[i][name]; ok {
				return of, true
			}
		}
		if i < 0 {
			return "", false
		}
	}
}

func (b *binder) isBound(t token, name string) bool {
	_, ok := b.binds(t, name)
	return ok
}
