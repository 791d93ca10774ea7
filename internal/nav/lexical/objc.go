package lexical

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parse"
)

// An objcReader reads Objective-C: classes with their methods and properties, and what stands outside of them.
type objcReader struct{ *objcExpr }

// readObjC reads the facts of a file of Objective-C.
func readObjC(r *reader, outline []parse.Symbol) {
	scope := objcScope{reader: r, objcCursor: objcCursor{toks: objcTokens(r.src)}, symbol: -1}
	x := objcReader{&objcExpr{objcScope: scope}}
	r.names = x.words()
	plain := slices.DeleteFunc(slices.Clone(outline), func(s parse.Symbol) bool { return s.Kind == "chunk" })
	whole := slices.Clone(plain)
	for i := range plain {
		plain[i].Parent = "" // members are given to theirs as they are read
		plain[i].Name, _, _ = strings.Cut(plain[i].Name, ":")
	}
	r.declare(plain)
	for i := range whole {
		r.file.Symbols[i].Name = whole[i].Name
	}
	r.imports()
	for i := range r.file.Imports {
		r.file.Imports[i].Export = true // who imports the file sees what that imports
	}
	for x.tok().kind != 0 {
		at := x.i
		x.declared()
		if x.i == at {
			x.i++
		}
	}
	slices.SortStableFunc(x.used, func(a, b objcUse) int { return a.at - b.at })
	for _, u := range x.used {
		u.Line, u.Column, u.In = r.position(u.at)
		r.file.Refs = append(r.file.Refs, u.Ref)
	}
}

// words are the names of the file, for declarations to find theirs.
func (x objcReader) words() []word {
	out := []word{}
	for _, t := range x.toks {
		if t.kind == 'a' {
			out = append(out, word{t.text, t.at})
		}
	}
	return out
}

// declared reads what stands outside of functions.
func (x objcReader) declared() {
	switch t := x.tok(); {
	case t.text == "@class":
		x.forward()
	case t.text == "@interface" || t.text == "@implementation":
		x.classHead(t.text)
	case t.text == "@protocol":
		if x.ahead(2).kind == ',' || x.ahead(2).kind == ';' {
			x.forward()
		} else {
			x.classHead(t.text)
		}
	case t.text == "@end":
		x.class, x.symbol = "", -1
		x.i++
	case t.text == "@property":
		x.properties()
	case t.text == "@synthesize" || t.text == "@dynamic" || t.text == "@import":
		for !x.ended() && x.tok().kind != ';' {
			x.i++
		}
	case (t.kind == '-' || t.kind == '+') && x.class != "":
		x.method()
	case t.fence, t.kind == '@', t.kind == ';', t.kind == '}', t.kind == ')', t.kind == ']':
		x.i++
	default:
		x.external()
	}
}

// forward reads "@class A, B;".
func (x objcReader) forward() {
	for x.i++; !x.ended() && x.tok().kind != ';'; x.i++ {
		if t := x.tok(); t.kind == 'a' {
			x.refer(*t, facts.Ref{Name: t.text, Kind: facts.Type, Bare: true})
		} else if t.kind == '<' {
			x.i += max(x.past(0, 30)-1, 0)
		}
	}
}

// classHead reads the head of a class, category or protocol, with its variables.
func (x objcReader) classHead(word string) {
	x.i++
	name := *x.tok()
	x.class, x.symbol = name.text, -1
	if name.kind != 'a' {
		x.class = ""
		return
	}
	if i, ok := x.at[name.at]; ok {
		x.symbol = i
		x.file.Symbols[i].Signature = word
	}
	x.i++
	if x.tok().kind == '(' {
		x.skipBrackets()
		if word != "@implementation" { // whose class is declared elsewhere
			x.refer(name, facts.Ref{Name: name.text, Kind: facts.Type, Bare: true})
		}
	}
	if n := x.past(0, 60); x.tok().kind == '<' && x.ahead(n).kind == ':' {
		x.i += n
	}
	if x.skip(":") && x.tok().kind == 'a' {
		x.base(facts.Extends)
		if n := x.past(0, 60); x.tok().kind == '<' && x.ahead(n).kind == '<' {
			x.i += n
		}
	}
	if x.tok().kind == '<' {
		end := x.i + x.past(0, 200)
		for x.i++; x.i < end-1; {
			if x.tok().kind == 'a' {
				x.base(facts.Implements)
			} else {
				x.i++
			}
		}
		x.i = max(x.i, end)
	}
	if x.tok().kind == '{' {
		x.variables()
	}
}

// base reads the name of what a class is made from.
func (x objcReader) base(kind facts.Kind) {
	t := *x.tok()
	x.i++
	x.refer(t, facts.Ref{Name: t.text, Kind: kind, Bare: true})
	of := facts.Name(t.text)
	if kind == facts.Implements {
		of = of.Member(facts.Protocol)
	}
	if x.symbol >= 0 {
		s := &x.file.Symbols[x.symbol]
		s.Bases = append(s.Bases, facts.Base{Kind: kind, Of: of})
	}
}

// variables reads the variables of a class, in braces.
func (x objcReader) variables() {
	for x.i++; !x.ended() && x.tok().kind != '}'; {
		if x.tok().kind == '@' || x.tok().kind == ';' {
			x.i++
			continue
		}
		at := x.i
		t := x.typ(true)
		for !x.ended() && x.tok().kind != ';' && x.tok().kind != '}' {
			switch k := x.tok(); {
			case k.kind == 'a' && !objcQualifiers[k.text] && !isMacro(k.text):
				x.symbolAt(*k, facts.Symbol{Kind: "field", Type: t.value(), Parent: x.symbol})
				x.i++
			case k.kind == '(' && x.ahead(1).kind == '^' && x.ahead(2).kind == 'a':
				x.symbolAt(*x.ahead(2), facts.Symbol{Kind: "field", Type: facts.Unknown, Parent: x.symbol})
				x.i += 4
			case k.kind == '(' || k.kind == '[':
				x.skipBrackets()
			default:
				x.i++
			}
		}
		if x.i == at {
			x.i++
		}
	}
	x.skip("}")
}

// symbolAt makes a token a declaration, or says more of the one that the outline has; -1 if it is none.
func (x objcReader) symbolAt(t objcToken, s facts.Symbol) int {
	i, known := x.at[t.at]
	if !known {
		i = len(x.file.Symbols)
		x.at[t.at] = i
		s.Name = cmpOr(s.Name, t.text)
		s.Qualified = s.Name
		if s.Parent >= 0 {
			s.Qualified = x.file.Symbols[s.Parent].Qualified + "." + s.Name
		}
		s.Line = x.src.Lines.LineAt(t.at)
		s.Column = t.at - x.src.Lines[s.Line-1] + 1
		s.StartLine, s.EndLine, s.Exported = s.Line, s.Line, true
		x.file.Symbols = append(x.file.Symbols, s)
		return i
	}
	of := &x.file.Symbols[i]
	of.Type, of.Results, of.Args, of.Static, of.Prototype = s.Type, s.Results, s.Args, s.Static, s.Prototype
	if s.Parent >= 0 && s.Parent < i {
		of.Parent = s.Parent
	}
	of.Signature = s.Signature
	return i
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// properties reads "@property (…) T a, *b;".
func (x objcReader) properties() {
	x.i++
	static := false
	var getters []objcToken
	if x.tok().kind == '(' {
		for n := x.past(0, 60); n > 0; n-- {
			static = static || x.is("class")
			if x.is("getter") && x.ahead(1).kind == '=' {
				getters = append(getters, *x.ahead(2))
			}
			x.i++
		}
	}
	t := x.typ(true)
	for !x.ended() && x.tok().kind != ';' {
		switch k := x.tok(); {
		case k.kind == '(' && x.ahead(1).kind == '^' && x.ahead(2).kind == 'a':
			name := x.ahead(2)
			if objcQualifiers[name.text] {
				name = x.ahead(3)
			}
			x.symbolAt(*name, facts.Symbol{Kind: "property", Type: facts.Unknown, Parent: x.symbol, Static: static})
			x.skipBrackets()
			if x.tok().kind == '(' {
				x.push()
				x.parameters()
				x.pop()
			}
		case k.kind == 'a' && !objcQualifiers[k.text] && !isMacro(k.text):
			x.symbolAt(*k, facts.Symbol{Kind: "property", Type: t.value(), Parent: x.symbol, Static: static})
			x.i++
		case k.kind == '(':
			x.skipBrackets()
		default:
			x.i++
		}
	}
	for _, g := range getters {
		x.symbolAt(g, facts.Symbol{
			Kind: "method", Type: t.value(), Signature: facts.Parameterless, Parent: x.symbol, Static: static,
		})
	}
}

// method reads a method, declared or with its body.
func (x objcReader) method() {
	s := facts.Symbol{Kind: "method", Static: x.tok().kind == '+', Parent: x.symbol, Prototype: true}
	x.i++
	result := objcType{}
	if x.tok().kind == '(' {
		result = x.inBrackets()
	}
	first := *x.tok()
	x.push()
	for !x.ended() && (x.tok().kind == 'a' && (s.Name == "" || x.ahead(1).kind == ':') || x.tok().kind == ':') {
		if x.tok().kind == 'a' {
			s.Name += x.tok().text
			x.i++
		}
		if !x.skip(":") {
			break
		}
		s.Name += ":"
		t := objcType{}
		if x.tok().kind == '(' {
			t = x.inBrackets()
		}
		for x.tok().kind == 'a' && objcQualifiers[x.tok().text] {
			x.i++
		}
		if x.tok().kind == 'a' {
			x.bind(x.tok().text, t.value())
			x.i++
		}
		s.Args = append(s.Args, t.expr)
	}
	for !x.ended() && x.tok().kind != '{' && x.tok().kind != ';' {
		x.i++
	}
	s.Prototype = x.tok().kind == ';'
	s.Results, s.Type = []facts.Expr{result.expr}, facts.Nothing
	if !strings.Contains(s.Name, ":") && result.expr.Known() {
		s.Type, s.Signature = result.value(), facts.Parameterless
	}
	from := x.i
	if first.kind == 'a' {
		if i := x.symbolAt(first, s); x.file.Symbols[i].Name != s.Name {
			x.file.Symbols[i].Name = s.Name
		}
	}
	if x.tok().kind == '{' && x.i == from {
		x.static = s.Static
		x.block()
	}
	x.pop()
}

// inBrackets reads a type in brackets.
func (x objcReader) inBrackets() objcType {
	end := x.i + max(x.past(0, 200), 1)
	x.i++
	t := x.typ(false)
	if x.i < end-1 && x.tok().kind == '(' { // a block
		x.skipBrackets()
		if x.tok().kind == '(' && x.i < end {
			x.push()
			x.parameters()
			x.pop()
		}
		t = objcType{expr: facts.Unknown, names: 1}
	}
	x.i = max(x.i, end)
	return t
}

var objcEnums = resolve.Set("NS_ENUM NS_OPTIONS NS_CLOSED_ENUM NS_ERROR_ENUM CF_ENUM CF_OPTIONS CF_CLOSED_ENUM")

// external reads a declaration of C.
func (x objcReader) external() {
	class, symbol := x.class, x.symbol
	isType := false
	for x.tok().kind == 'a' && (objcQualifiers[x.tok().text] || objcEnums[x.tok().text]) {
		t := *x.tok()
		isType = isType || t.text == "typedef"
		x.i++
		if objcEnums[t.text] && x.tok().kind == '(' || t.text == "enum" {
			x.enumeration()
			return
		}
	}
	if x.tok().kind == 'a' && x.ahead(1).kind == '(' && x.ahead(2).kind != '^' && x.ahead(2).kind != '*' {
		x.push() // a macro, or what one makes part of a function
		x.operand(false)
		if x.is("{") {
			x.block()
		}
		x.pop()
		return
	}
	t := x.typ(true)
	for !x.ended() && x.tok().kind != ';' {
		switch k := x.tok(); {
		case isType && k.kind == 'a':
			i := x.symbolAt(*k, facts.Symbol{Kind: "type", Parent: -1, Type: t.expr})
			x.file.Symbols[i].Kind = "type"
			x.i++
		case k.kind == 'a' && x.ahead(1).kind == '(':
			if x.function(t) {
				x.class, x.symbol = class, symbol
				return
			}
		case k.kind == 'a' && !objcQualifiers[k.text] && !isMacro(k.text) && t.names > 0:
			x.symbolAt(*k, facts.Symbol{Kind: "var", Type: t.value(), Parent: -1})
			x.i++
		case k.kind == '=':
			x.i++
			x.push()
			x.expr(false)
			x.pop()
		case k.kind == '(':
			x.push()
			if x.ahead(1).kind == '^' || x.ahead(1).kind == '*' {
				x.declarator(isType)
			} else {
				x.parameters()
			}
			x.pop()
		case k.kind == '{':
			x.skipBrackets()
			if !isType {
				return
			}
		default:
			x.i++
		}
	}
}

// declarator reads "(^name)(…)".
func (x objcReader) declarator(isType bool) {
	for n := x.past(0, 20); n > 0; n-- {
		if t := *x.tok(); t.kind == 'a' && !objcQualifiers[t.text] {
			kind := "var"
			if isType {
				kind = "type"
			}
			x.symbolAt(t, facts.Symbol{Kind: kind, Type: facts.Unknown, Parent: -1})
		}
		x.i++
	}
	if x.tok().kind == '(' {
		x.parameters()
	}
}

// function reads a function from its name on, and reports whether it has a body.
func (x objcReader) function(t objcType) bool {
	name := *x.tok()
	x.i++
	x.push()
	defer x.pop()
	x.parameters()
	for !x.ended() && x.tok().kind == 'a' {
		x.i++
		if x.tok().kind == '(' {
			x.skipBrackets()
		}
	}
	if t.names > 0 {
		x.symbolAt(name, facts.Symbol{
			Kind: "func", Results: []facts.Expr{t.expr}, Parent: -1, Prototype: x.tok().kind == ';',
		})
	}
	if x.tok().kind != '{' {
		return false
	}
	class, symbol := x.class, x.symbol
	x.class, x.symbol, x.static = "", -1, false
	x.block()
	x.class, x.symbol = class, symbol
	return true
}

// enumeration reads the constants of an enumeration, from behind the word that begins it.
func (x objcReader) enumeration() {
	parent := -1
	for !x.ended() && x.tok().kind != '{' && x.tok().kind != ';' {
		if i, ok := x.at[x.tok().at]; ok {
			parent = i
		} else if t := x.tok(); t.kind == 'a' && !objcTypes[t.text] && !objcQualifiers[t.text] {
			x.refer(*t, facts.Ref{Name: t.text, Kind: facts.Type, Bare: true})
		}
		x.i++
	}
	if x.tok().kind != '{' {
		return
	}
	for x.i++; !x.ended() && x.tok().kind != '}'; {
		if t := *x.tok(); t.kind == 'a' && !isMacroCall(x) {
			x.symbolAt(t, facts.Symbol{Kind: "const", Parent: parent})
			x.i++
		}
		for !x.ended() && x.tok().kind != ',' && x.tok().kind != '}' {
			switch x.tok().kind {
			case '=':
				x.i++
				x.push()
				x.expr(false)
				x.pop()
			case '(':
				x.skipBrackets()
			default:
				x.i++
			}
		}
		x.skip(",")
	}
	x.skip("}")
}

func isMacroCall(x objcReader) bool { return isMacro(x.tok().text) && x.ahead(1).kind == '(' }
