package lexical

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// objcQualifiers stand beside types and say nothing that matters here.
var objcQualifiers = resolve.Set(`
const volatile static extern inline register restrict nullable nonnull null_unspecified null_resettable _Nullable _Nonnull
_Null_unspecified __nullable __nonnull __weak __strong __block __unsafe_unretained __autoreleasing __kindof __unused
__covariant __contravariant struct enum union in out inout byref bycopy oneway __restrict __inline __inline__ typedef
IBOutlet IBInspectable CF_RETURNS_RETAINED NS_RETURNS_RETAINED FOUNDATION_EXPORT FOUNDATION_EXTERN UIKIT_EXTERN
OBJC_EXPORT OBJC_EXTERN NS_INLINE NS_NOESCAPE __deprecated virtual mutable constexpr typename`)

// objcTypes are those that the language has itself: nothing of a repository is meant.
var objcTypes = resolve.Set(`
void char short int long float double signed unsigned bool BOOL size_t ssize_t id Class SEL IMP instancetype auto
__auto_type _Bool NSInteger NSUInteger CGFloat uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t`)

// objcLists and objcMaps are the classes whose type arguments say what is in them.
var (
	objcLists = resolve.Set(`
NSArray NSMutableArray NSSet NSMutableSet NSOrderedSet NSMutableOrderedSet NSEnumerator NSHashTable`)
	objcMaps = resolve.Set("NSDictionary NSMutableDictionary NSMapTable NSCache")
)

var objcTypeOf = resolve.Set("typeof __typeof __typeof__")

// An objcType is a type as it is written.
type objcType struct {
	expr  facts.Expr // Nothing for id and what is not known
	names int        // how many names of types were read
	any   bool       // id, or that of what is assigned
}

func (t *objcType) value() facts.Expr {
	if !t.expr.Known() {
		return facts.Unknown
	}
	return t.expr.Value()
}

// isMacro reports whether a name looks like that of a macro.
func isMacro(name string) bool {
	return strings.ToUpper(name) == name && strings.IndexByte(name, '_') > 0
}

// typ reads a type up to the name that is declared with it, if it declares one, or what cannot be in a type.
func (x *objcExpr) typ(declares bool) (t objcType) {
	var names []objcToken
	var args []facts.Expr
	var pointers, stars bool
	for !x.ended() {
		switch k := x.tok(); {
		case k.kind == '*' || k.kind == '&':
			stars = true
			x.i++
		case k.kind != 'a':
			return x.typeOf(names, args, pointers)
		case objcQualifiers[k.text]:
			x.i++
		case k.text == "__attribute__" || k.text == "alignas":
			x.i++
			x.skipBrackets()
		case stars:
			return x.typeOf(names, args, pointers)
		case objcTypeOf[k.text] && x.ahead(1).kind == '(':
			x.i += 2
			of := x.expr(false)
			x.skip(")")
			return objcType{expr: facts.TypeOf(of), names: 1}
		case declares && len(names) > 0 && x.declaredHere():
			return x.typeOf(names, args, pointers)
		default:
			names = append(names, *k)
			x.i++
			if n := x.past(0, 60); x.tok().kind == '<' && n > 0 && x.ahead(n).kind != '(' {
				args, pointers = x.typeArguments()
			} else if len(names) > 0 && x.tok().kind == 's' { // of C++
				names = names[:len(names)-1]
				x.i++
			}
		}
	}
	return x.typeOf(names, args, pointers)
}

// declaredHere reports whether the name here, behind one of a type, is what is declared.
func (x *objcExpr) declaredHere() bool {
	switch next := x.ahead(1); next.kind {
	case '*', '<', '&', '^', 's':
		return false
	case 'a':
		return next.text == "in" || isMacro(next.text) && !isMacro(x.tok().text) || next.text == "__attribute__"
	case '(':
		return !isMacro(x.tok().text) && x.ahead(2).kind != '^' && x.ahead(2).kind != '*'
	}
	return true
}

// typeArguments reads what is between angle brackets; pointers are written where those are no protocols.
func (x *objcExpr) typeArguments() (args []facts.Expr, pointers bool) {
	end := x.i + x.past(0, 60)
	for k := x.i; k < end; k++ {
		pointers = pointers || x.toks[k].kind == '*'
	}
	x.i++
	for x.i < end-1 {
		at := x.i
		protocol := !pointers && x.tok().kind == 'a' && x.tok().text != "id" && !objcTypes[x.tok().text] &&
			x.ahead(1).kind != '<'
		if t := *x.tok(); protocol {
			x.i++
			x.refer(t, facts.Ref{Name: t.text, Kind: facts.Type, Bare: true, Arguments: facts.Protocol})
			args = append(args, facts.Name(t.text).Member(facts.Protocol))
		} else if t := x.typ(false); t.names > 0 {
			args = append(args, t.expr)
		}
		if x.tok().kind == '(' { // of a block
			x.skipBrackets()
		}
		if x.i == at || x.tok().kind == ',' {
			x.i++
		}
	}
	x.i = end
	return args, pointers
}

// typeOf is the type that is written by some names, which are used so.
func (x *objcExpr) typeOf(names []objcToken, args []facts.Expr, pointers bool) objcType {
	if len(names) == 0 {
		return objcType{}
	}
	for _, n := range names {
		if !objcTypes[n.text] {
			x.refer(n, facts.Ref{Name: n.text, Kind: facts.Type, Bare: true})
		}
	}
	last, t := names[len(names)-1].text, objcType{names: len(names)}
	switch {
	case last == "id" || last == "auto" || last == "__auto_type":
		t.any = len(args) == 0
		for _, p := range args {
			t.expr = both(t.expr, p)
		}
	case last == "instancetype":
		t.expr = facts.This
	case last == "Class" || last == "NSObject" && len(args) > 0:
		t.expr = facts.Unknown
		for _, p := range args {
			t.expr = both(t.expr, p)
		}
	case objcTypes[last]:
		t.expr = facts.External
	case objcLists[last] && len(args) == 1 && args[0].Known():
		t.expr = facts.List(args[0])
	case objcMaps[last] && len(args) == 2 && args[1].Known():
		t.expr = facts.Map(facts.External, args[1])
	default:
		t.expr = facts.Name(last)
		for _, p := range args {
			if !pointers {
				t.expr = both(t.expr, p)
			}
		}
	}
	return t
}

// both is what is a and b, of which a may be nothing.
func both(a, b facts.Expr) facts.Expr {
	switch {
	case !a.Known():
		return b
	case !b.Known():
		return a
	}
	return facts.Both(a, b)
}

// isDeclaration reports whether a statement declares variables.
func (x *objcExpr) isDeclaration() bool {
	n := 0
	for x.ahead(n).kind == 'a' && objcQualifiers[x.ahead(n).text] {
		n++
	}
	t := x.ahead(n)
	if t.kind != 'a' || objcStatements[t.text] {
		return false
	}
	if objcTypeOf[t.text] {
		return true
	}
	local := x.isLocal(t.text)
	n++
	for objcTypes[t.text] && objcTypes[x.ahead(n).text] {
		n++
	}
	if x.ahead(n).kind == '<' {
		m := x.past(n, 60)
		if m == 0 || local {
			return false
		}
		n += m
	}
	stars := 0
	for x.ahead(n).kind == '*' || x.ahead(n).kind == 'a' && objcQualifiers[x.ahead(n).text] && x.ahead(n).text != "in" {
		stars++
		n++
	}
	if x.ahead(n).kind == '(' && x.ahead(n+1).kind == '^' {
		return !local && (x.ahead(n+2).kind == 'a' && x.ahead(n+3).kind == ')')
	}
	if x.ahead(n).kind != 'a' || local && stars > 0 {
		return false
	}
	switch next := x.ahead(n + 1); next.kind {
	case '=', ';', ',', '[', ')':
		return true
	case 'a':
		return next.text == "in" || next.text == "__attribute__"
	}
	return false
}

// declaration reads local variables with their type.
func (x *objcExpr) declaration() {
	t := x.typ(true)
	for !x.ended() {
		for x.tok().kind == '*' || x.tok().kind == 'a' && objcQualifiers[x.tok().text] && !x.is("in") {
			x.i++
		}
		if x.tok().kind == '(' && (x.ahead(1).kind == '^' || x.ahead(1).kind == '*') {
			x.blockVariable()
		} else if x.tok().kind == 'a' {
			x.variable(t)
		}
		if !x.skip(",") {
			return
		}
	}
}

// variable reads one variable of a type.
func (x *objcExpr) variable(t objcType) {
	name := x.tok().text
	x.i++
	value := t.value()
	for x.tok().kind == '[' {
		x.i++
		x.expr(false)
		x.skip("]")
	}
	switch {
	case x.skip("="):
		if made := x.expr(false); t.any {
			value = made
		}
	case x.is("in"):
		x.i++
		if of := x.expr(false); t.any {
			value = of.Elem()
		}
	}
	x.bind(name, value)
}

// blockVariable reads "(^name)(…)", a variable that is a block or a function.
func (x *objcExpr) blockVariable() {
	for n := x.past(0, 20); n > 0; n-- {
		if x.tok().kind == 'a' && !objcQualifiers[x.tok().text] {
			x.bind(x.tok().text, facts.Unknown)
		}
		x.i++
	}
	if x.tok().kind == '(' {
		x.push()
		x.parameters()
		x.pop()
	}
	if x.skip("=") {
		x.expr(false)
	}
}

// parameters reads the parameters of a function or block, which become variables.
func (x *objcExpr) parameters() {
	x.i++
	for !x.ended() && x.tok().kind != ')' {
		at := x.i
		t := x.typ(true)
		switch {
		case x.tok().kind == 'a':
			x.bind(x.tok().text, t.value())
			x.i++
		case x.tok().kind == '(' && (x.ahead(1).kind == '^' || x.ahead(1).kind == '*'):
			x.blockVariable()
		}
		for !x.ended() && x.tok().kind != ',' && x.tok().kind != ')' {
			if x.tok().kind == '(' || x.tok().kind == '[' {
				x.skipBrackets()
			} else {
				x.i++
			}
		}
		if !x.skip(",") && x.i == at {
			x.i++
		}
	}
	x.skip(")")
}
