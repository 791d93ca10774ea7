package lexical

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// An objcExpr reads types, statements and expressions, with what is known of the receivers of messages by types of
// variables.
type objcExpr struct {
	objcScope

	nested   int // expressions and statements that are open
	receiver int // where that of the last message begins
}

// objcStatements are words that begin statements, and others that are no names.
var objcStatements = resolve.Set(`
if else for while do switch case default return break continue goto sizeof delete throw try catch new using namespace
class public private protected`)

// objcConstants are values that the language has.
var objcConstants = resolve.Set(`
nil Nil NULL YES NO true false TRUE FALSE _cmd nullptr this __func__ __FILE__ __LINE__`)

// maxNested is how deep expressions and blocks are followed into each other.
const maxNested = 150

// block reads statements up to the brace that closes the one that opens here.
func (x *objcExpr) block() {
	x.i++
	x.push()
	for !x.ended() && x.tok().kind != '}' {
		at := x.i
		x.statement()
		if x.i == at {
			x.i++
		}
	}
	x.pop()
	x.skip("}")
}

func (x *objcExpr) statement() {
	if x.nested++; x.nested > maxNested {
		x.i++
		x.nested--
		return
	}
	defer func() { x.nested-- }()
	switch t := x.tok(); {
	case t.kind == '{':
		x.block()
	case t.kind == ';':
		x.i++
	case t.text == "for" && x.ahead(1).kind == '(', t.text == "@catch" && x.ahead(1).kind == '(':
		x.i += 2
		x.push()
		for !x.ended() && x.tok().kind != ')' {
			at := x.i
			x.simple()
			if x.skip(";"); x.i == at {
				x.i++
			}
		}
		x.skip(")")
		x.statement()
		x.pop()
	case t.kind == 'a' && objcStatements[t.text]:
		x.i++
		if x.tok().kind == '(' && t.text != "return" {
			x.i++
			x.expr(false)
			x.skip(")")
			return
		}
		if x.tok().kind != '{' {
			x.expr(false)
			x.skip(":")
		}
	case t.text == "@synchronized" && x.ahead(1).kind == '(':
		x.i += 2
		x.expr(false)
		x.skip(")")
	case t.kind == '@' && (t.text == "@try" || t.text == "@finally" || t.text == "@autoreleasepool"):
		x.i++
	default:
		x.simple()
		x.skip(";")
	}
}

// simple reads a declaration or an expression.
func (x *objcExpr) simple() {
	if x.isDeclaration() {
		x.declaration()
		return
	}
	for {
		x.expr(false)
		if !x.skip(",") {
			return
		}
	}
}

// expr reads an expression, up to what cannot go on with it, and returns what it is as far as it is one value.
// In a message a name behind a value is the next part of the selector.
func (x *objcExpr) expr(message bool) facts.Expr {
	if x.nested++; x.nested > maxNested {
		x.i++
		x.nested--
		return facts.Unknown
	}
	defer func() { x.nested-- }()
	value, operands, choices, first := facts.Unknown, 0, 0, true
	for !x.ended() {
		switch t := x.tok(); t.kind {
		case ';', ',', ')', ']', '}':
			return value
		case ':':
			if choices == 0 {
				return value
			}
			choices--
			first, operands = true, 0
			x.i++
		case '?':
			choices++
			x.i++
			if first = true; x.tok().kind != ':' {
				operands, value = 0, facts.Unknown
			}
		case 'a', '0', '"', '@', '(', '[', '{':
			switch {
			case !first && t.kind == '"':
				x.i++
				continue
			case !first && (t.kind == '{' || message && t.kind == 'a'):
				return value
			}
			v := x.operand(message)
			if operands++; operands == 1 && !value.Known() {
				value = v
			} else if operands > 1 {
				value = facts.External
			}
			first = false
		case '^':
			if first {
				x.blockLiteral()
				first, operands = false, operands+1
				continue
			}
			x.i++
			first = true
		case '=':
			x.i++
			x.expr(message)
		default:
			x.i++
			first = t.kind != 'u' || first
		}
	}
	return value
}

// operand reads a value with what is taken from it.
func (x *objcExpr) operand(message bool) facts.Expr {
	t := *x.tok()
	switch t.kind {
	case '(':
		return x.bracketed(message)
	case '[':
		return x.taken(x.message())
	case '{':
		if x.nested > maxNested/2 {
			x.skipBrackets()
			return facts.Unknown
		}
		x.literal('}')
		return facts.Unknown
	case '@':
		return x.taken(x.marked())
	case 'a':
		return x.taken(x.name(message))
	}
	x.i++
	return x.taken(facts.External)
}

// bracketed reads a cast, or an expression in brackets.
func (x *objcExpr) bracketed(message bool) facts.Expr {
	if x.isCast() {
		x.i++
		t := x.typ(false)
		for !x.ended() && x.tok().kind != ')' {
			x.i++
		}
		x.skip(")")
		if x.tok().kind == '^' {
			x.blockLiteral()
			return facts.Unknown
		}
		for k := x.tok().kind; k == '&' || k == '*' || k == '-' || k == '!'; k = x.tok().kind {
			x.i++
		}
		v := x.operand(message)
		if t.any {
			return v
		}
		return t.value()
	}
	x.i++
	if x.tok().kind == '{' {
		x.block()
		x.skip(")")
		return x.taken(facts.Unknown)
	}
	v := x.expr(false)
	for x.skip(",") {
		v = x.expr(false)
	}
	x.skip(")")
	return x.taken(v)
}

// isCast reports whether the bracket here holds a type that what follows is taken for.
func (x *objcExpr) isCast() bool {
	n, names, stars, sure := 1, 0, 0, false
	for ; ; n++ {
		switch t := x.ahead(n); {
		case t.kind == 'a' && (objcQualifiers[t.text] || objcTypes[t.text]):
			names, sure = names+1, true
			if t.text == "id" && x.ahead(n+1).kind == '<' {
				n += x.past(n+1, 60)
			}
		case t.kind == 'a' && objcTypeOf[t.text] && x.ahead(n+1).kind == '(':
			names, sure = names+1, true
			n += max(x.past(n+1, 60), 1)
		case t.kind == 'a' && stars == 0 && !x.isLocal(t.text):
			names++
			sure = sure || isCapital(t.text) && !isMacro(t.text)
			if x.ahead(n+1).kind == '<' {
				m := x.past(n+1, 60)
				if m == 0 {
					return false
				}
				n += m
			}
		case t.kind == '*' && names > 0:
			stars++
		case t.kind == '(' && names > 0 && x.ahead(n+1).kind == '^' && x.ahead(n+2).kind == ')':
			return true
		case t.kind == ')' && names > 0:
			next := x.ahead(n + 1)
			switch next.kind {
			case 'a', '0', '"', '@', '{':
				return true
			case '(', '[', '^', '&':
				return stars > 0 || sure
			}
			return false
		default:
			return false
		}
	}
}

// taken reads what is taken from a value.
func (x *objcExpr) taken(v facts.Expr) facts.Expr {
	for !x.ended() {
		switch t := x.tok(); {
		case t.kind == '.' && x.ahead(1).kind == 'a':
			x.i++
			v = x.property(v)
		case t.kind == '[':
			x.i++
			x.expr(false)
			x.skip("]")
			v = v.Elem()
		case t.kind == '(':
			x.i++
			x.literalUntil(')')
			v = v.Call(0)
		case t.kind == 'u':
			x.i++
		default:
			return v
		}
	}
	return v
}

// property reads the name of a property or field of a value.
func (x *objcExpr) property(of facts.Expr) facts.Expr {
	name := *x.tok()
	x.i++
	kind := facts.Read
	if x.is("=") {
		kind = facts.Write
	}
	x.member(name, facts.Ref{Name: name.text, Kind: kind}, of)
	if name.text == "class" {
		return classOf(of)
	}
	if objcElements[name.text] {
		return of.Elem()
	}
	return of.Member(name.text)
}

// literal reads the parts of a literal, from its bracket to that which closes it.
func (x *objcExpr) literal(closing byte) {
	x.i++
	x.literalUntil(closing)
}

func (x *objcExpr) literalUntil(closing byte) {
	for !x.ended() && x.tok().kind != closing {
		at := x.i
		x.expr(false)
		if x.skip(",") || x.skip(":") || x.skip(";") {
			continue
		}
		if x.i == at {
			x.i++
		}
	}
	if x.tok().kind == closing {
		x.i++
	}
}

// blockLiteral reads "^(…) {…}".
func (x *objcExpr) blockLiteral() {
	x.i++
	x.push()
	if x.tok().kind == 'a' {
		x.typ(false)
	}
	if x.tok().kind == '(' {
		x.parameters()
	}
	if x.tok().kind == '{' {
		if x.nested < maxNested {
			x.nested++
			x.block()
			x.nested--
		} else {
			x.skipBrackets()
		}
	}
	x.pop()
}

// name reads a name that is a value, a function or a type.
func (x *objcExpr) name(message bool) facts.Expr {
	t := *x.tok()
	x.i++
	if v, ok := x.local(t.text); ok {
		return v
	}
	switch {
	case t.text == "self":
		return x.self()
	case t.text == "super":
		return x.self().Super()
	case objcConstants[t.text] || objcTypes[t.text] || objcQualifiers[t.text]:
		return facts.External
	case objcStatements[t.text]:
		return facts.Unknown
	}
	kind := facts.Read
	switch next := x.tok(); {
	case next.kind == '(':
		kind = facts.Call
	case next.kind == '=':
		kind = facts.Write
	case message && next.kind == '<' && isCapital(t.text): // [NSMutableArray<A *> array]
		if n := x.past(0, 30); n > 0 && x.ahead(n).kind == 'a' {
			x.typeArguments()
			kind = facts.Type
		}
	case isCapital(t.text) && !isMacro(t.text) && (x.i == x.receiver+1 && next.kind == 'a' || next.kind == '.'):
		kind = facts.Type
	}
	x.refer(t, facts.Ref{Name: t.text, Kind: kind, Bare: true})
	return facts.Name(t.text)
}
