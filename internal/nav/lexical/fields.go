package lexical

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// fields makes symbols of what types declare directly in their bodies and outlines leave out.
func (r *reader) fields() {
	depth := map[int]int{} // of the body of each type
	for _, t := range r.all {
		if i, ok := r.at[t.start]; ok && resolve.IsType(&r.file.Symbols[i]) {
			depth[i] = t.depth + 1
		}
	}
	for n := range r.all {
		t := &r.all[n]
		if t.in < 0 || t.depth != depth[t.in] || t.own || !resolve.IsType(&r.file.Symbols[t.in]) {
			continue
		}
		switch of := &r.file.Symbols[t.in]; {
		case of.Kind == "enum" && r.isValue(*t):
			r.declareIn(t, "const", facts.Nothing)
		case t.after != ')' && r.declares(*t, ")>]?"):
			r.declareIn(t, "field", value(r.typeOf(n)))
		}
	}
}

// isValue reports whether a token right in the body of an enumeration is one of its values.
func (r *reader) isValue(t token) bool {
	return t.before == '{' || t.before == ',' || t.before == ';' && !r.typed
}

// declareIn makes a token the declaration of a member of the type around it.
func (r *reader) declareIn(t *token, kind string, of facts.Expr) {
	typ, name := r.file.Symbols[t.in], r.text(*t)
	r.at[t.start], t.own = len(r.file.Symbols), true
	r.file.Symbols = append(r.file.Symbols, facts.Symbol{
		Name: name, Qualified: typ.Qualified + "." + name, Kind: kind, Parent: t.in,
		Line: t.line, Column: t.start - r.src.Lines[t.line-1] + 1, StartLine: t.line, EndLine: t.line,
		Exported: typ.Exported && !strings.HasPrefix(name, "_"), Type: of,
	})
}

// value is a value of the type of a name.
func value(of string) facts.Expr {
	if of == "" {
		return facts.Nothing
	}
	return facts.Name(of).Value()
}

// storage are words between a type and a name that it declares.
var storage = resolve.Set("memory storage calldata payable public private internal immutable constant override")

// typeOf is the name of the type that token n is declared with, or made by the call of; "" if
// that is not known.
func (r *reader) typeOf(n int) string {
	t := r.all[n]
	if !r.typed {
		return ""
	}
	typ := n - 1
	for typ > 0 && storage[r.text(r.all[typ])] {
		typ--
	}
	if t.word != "" && r.all[typ].line == t.line && isCapital(r.text(r.all[typ])) && !r.all[typ].member {
		return r.text(r.all[typ])
	}
	if n+1 >= len(r.all) || t.after != '=' {
		return ""
	}
	made := r.all[n+1]
	if r.text(made) == "new" || r.text(made) == "const" || r.text(made) == "await" {
		if n+2 >= len(r.all) {
			return ""
		}
		made = r.all[n+2]
	}
	if made.line == t.line && made.after == '(' && !made.member && isCapital(r.text(made)) &&
		(made.before == '=' || made.word != "") {
		return r.text(made)
	}
	return ""
}

// function is the innermost function around a token, or -1.
func (r *reader) function(t token) int {
	i := t.in
	for i >= 0 && !resolve.IsFunction(&r.file.Symbols[i]) {
		i = r.file.Symbols[i].Parent
	}
	return i
}

// class is the innermost type around a symbol, or -1.
func (r *reader) class(i int) int {
	for i >= 0 && !resolve.IsType(&r.file.Symbols[i]) {
		i = r.file.Symbols[i].Parent
	}
	return i
}
