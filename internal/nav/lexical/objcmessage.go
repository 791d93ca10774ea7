package lexical

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// message reads "[receiver selector:argument …]" and returns what that gives.
func (x *objcExpr) message() facts.Expr {
	x.i++
	x.receiver = x.i
	of := x.expr(true)
	first := *x.tok()
	var parts strings.Builder
	for !x.ended() && x.tok().kind != ']' {
		at := x.i
		if x.tok().kind == 'a' {
			parts.WriteString(x.tok().text)
			x.i++
		}
		switch x.tok().kind {
		case 's': // two colons
			parts.WriteString("::")
			x.i++
		case ':':
			parts.WriteByte(':')
			x.i++
			x.argument(parts.String(), of)
			for x.skip(",") {
				x.expr(true)
			}
		}
		if x.i == at {
			x.i++
		}
	}
	x.skip("]")
	name := parts.String()
	if first.kind != 'a' {
		return facts.Unknown
	}
	if name == first.text && objcSame[name] || name == "class" {
		return sent(of, name)
	}
	x.member(first, facts.Ref{Name: name, Kind: facts.Call}, of)
	return sent(of, name)
}

// argument reads one of a message; a selector that an object is asked for is one of its methods.
func (x *objcExpr) argument(name string, of facts.Expr) {
	if x.is("@selector") && (name == "respondsToSelector:" || name == "performSelector:" ||
		name == "instancesRespondToSelector:") {
		x.i++
		x.selector(of)
	}
	x.expr(true)
}

// objcSame are messages to which an object answers with itself or its like.
var objcSame = resolve.Set("self copy mutableCopy retain autorelease")

// objcElements are messages to which lists and maps answer with what is in them.
var objcElements = resolve.Set(`
firstObject lastObject anyObject nextObject objectAtIndex: objectForKey: objectAtIndexedSubscript: objectForKeyedSubscript:
valueForKey:`)

// sent is what a message to something gives.
func sent(of facts.Expr, name string) facts.Expr {
	rest, isInit := strings.CutPrefix(name, "init")
	switch {
	case name == "alloc" || name == "new" || name == "allocWithZone:":
		return of.Value()
	case objcSame[name] || isInit && (rest == "" || rest[0] < 'a' || rest[0] > 'z'):
		return of
	case name == "class":
		return classOf(of)
	case objcElements[name] && isContainer(of):
		return of.Elem()
	case objcElements[name]: // anything may be in it
		return facts.Unknown
	case strings.Contains(name, ":"):
		return of.Member(name).Call(0)
	}
	return of.Member(name)
}

// isContainer reports whether a value is one of a list or map.
func isContainer(of facts.Expr) bool {
	t, ok := of.OfValue()
	return !ok || t.Root() == facts.OpList || t.Root() == facts.OpMap
}

// classOf is the class of an object, or a class itself.
func classOf(of facts.Expr) facts.Expr {
	if n := of.Node(); n.Op == facts.OpName && isCapital(n.Name) {
		return of
	}
	if t, ok := of.OfValue(); ok {
		return t
	}
	if !of.Known() {
		return facts.Unknown
	}
	return facts.TypeOf(of)
}

// marked reads what begins with "@": a literal, a selector, a protocol.
func (x *objcExpr) marked() facts.Expr {
	t := *x.tok()
	x.i++
	switch t.text {
	case "@":
		switch x.tok().kind {
		case '[':
			x.literal(']')
		case '{':
			x.literal('}')
		case '(':
			x.literal(')')
		}
	case "@selector":
		x.selector(facts.Nothing)
	case "@protocol":
		if x.tok().kind == '(' && x.ahead(1).kind == 'a' {
			name := *x.ahead(1)
			x.refer(name, facts.Ref{Name: name.text, Kind: facts.Type, Bare: true, Arguments: facts.Protocol})
		}
		x.skipBrackets()
	case "@encode", "@available":
		x.skipBrackets()
	}
	return facts.External
}

// selector reads "(a:b:)" behind "@selector", of a method of a value, or else of the class around.
func (x *objcExpr) selector(of facts.Expr) {
	if x.tok().kind != '(' {
		return
	}
	end := x.i + x.past(0, 40)
	x.i++
	first, name := *x.tok(), ""
	for ; x.i < end-1; x.i++ {
		name += x.tok().text
	}
	x.i = max(end, x.i)
	if first.kind == 'a' && !strings.ContainsAny(name, "() ") {
		if of == facts.Nothing {
			of = x.self()
		}
		x.member(first, facts.Ref{Name: name, Kind: facts.Read, Arguments: facts.Selector}, of)
	}
}
