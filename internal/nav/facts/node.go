package facts

import (
	"strconv"
	"strings"
)

// An Op is what makes an expression of others: its last operator.
type Op uint8

// The operators, by the constructors of expressions.
const (
	OpInvalid   Op = iota // Nothing, Unknown, TooLong, and what is no expression
	OpExternal            // External, or made of something that the grammar does not have
	OpName                // Name
	OpSymbolAt            // N
	OpTypeAt              // N
	OpModuleAt            // N
	OpMember              // Of, Name
	OpKeyed               // Of, Name with its brackets, as members are declared
	OpCall                // Of, N
	OpTaken               // Of, N: the N-th result of a call or of what is taken apart
	OpCallWith            // Of, N, Parts
	OpParam               // Of, N
	OpParamWith           // Of, N, Parts: what the call is to give, values
	OpFields              // Of
	OpValue               // Of
	OpElem                // Of
	OpKey                 // Of
	OpSuper               // Of
	OpGeneric             // Of, Parts
	OpRest                // Of
	OpList                // Parts: the element
	OpMap                 // Parts: key and element
	OpFunc                // Parts: the results; OpArgs at the end if it says what its parameters are
	OpArgs                // Parts
	OpTuple               // Parts
	OpUnion               // Parts
	OpBoth                // Parts
	OpCond                // Parts: as Cond takes them
	OpInfer               // Parts: the type, the pattern, the name
	OpOnly                // Parts: the union, the key, values
	OpExcept              // Parts: as of OpOnly
	OpIs                  // Parts: the union, types
	OpIsnt                // Parts: as of OpIs
	OpHas                 // Parts: the union, the key
	OpHasnt               // Parts: as of OpHas
	OpPick                // Parts: the type, keys
	OpOmit                // Parts: as of OpPick
	OpPredicate           // Parts: the parameter, the type
	OpGuard               // Parts: the function, the parameter
	OpMapped              // Parts: the type; OpFunc without any if members are functions
	OpDefault             // Parts: the bound, the type without an argument
	OpTypeOf              // Parts: the value
	OpClass               // Parts: the type
)

// A Node is an expression taken apart by its last operator.
type Node struct {
	Op   Op
	Of   Expr   // what the operator is applied to
	Name string // of OpName, OpMember, OpKeyed
	N    int    // an index
	list string // the expressions within
}

// Parts are the expressions within the brackets of a node.
func (n *Node) Parts() []Expr { return split(n.list) }

// Part is the one expression within, of OpList, OpTypeOf and OpClass.
func (n *Node) Part() Expr { return Expr{n.list} }

// composites are the types that the grammar has itself.
var composites = map[string]Op{
	"~list": OpList, "~map": OpMap, "~func": OpFunc, "~args": OpArgs, "~tuple": OpTuple, "~union": OpUnion,
	"~cond": OpCond, "~infer": OpInfer, "~mapped": OpMapped, "~of": OpTypeOf, "~class": OpClass, "~only": OpOnly,
	"~except": OpExcept,
	"~is":     OpIs, "~isnt": OpIsnt, "~has": OpHas, "~hasnt": OpHasnt, "~predicate": OpPredicate, "~guard": OpGuard,
	"~default": OpDefault, "~both": OpBoth, "~pick": OpPick, "~omit": OpOmit,
}

// Node takes an expression apart.
func (e Expr) Node() Node {
	text := e.text
	if !e.Known() {
		return Node{}
	}
	if rest, ok := strings.CutPrefix(text, "..."); ok {
		return Node{Op: OpRest, Of: Expr{rest}}
	}
	end := len(text) - 1
	switch text[end] {
	case ')':
		if i := opening(text, '(', ')'); i > 0 {
			return called(Expr{text[:i]}, text[i+1:end])
		}
	case '}':
		if base, ok := strings.CutSuffix(text, "{}"); ok {
			return Node{Op: OpValue, Of: Expr{base}}
		}
	case ']':
		if base, ok := strings.CutSuffix(text, "[]"); ok {
			return Node{Op: OpElem, Of: Expr{base}}
		}
		if base, ok := strings.CutSuffix(text, "[k]"); ok {
			return Node{Op: OpKey, Of: Expr{base}}
		}
		if i := opening(text, '[', ']'); i > 1 && text[i-1] == '.' {
			return Node{Op: OpKeyed, Of: Expr{text[:i-1]}, Name: text[i:]}
		}
	case '!':
		return Node{Op: OpSuper, Of: Expr{text[:end]}}
	case '>':
		if i := opening(text, '<', '>'); i > 0 {
			if op, ok := composites[text[:i]]; ok {
				return Node{Op: op, list: text[i+1 : end]}
			}
			return Node{Op: OpGeneric, Of: Expr{text[:i]}, list: text[i+1 : end]}
		}
	default:
		if i := strings.LastIndexByte(text, '.'); i > 0 {
			return Node{Op: OpMember, Of: Expr{text[:i]}, Name: text[i+1:]}
		}
		return atom(text)
	}
	return Node{}
}

// called is what is between the brackets of a call.
func called(of Expr, inside string) Node {
	switch {
	case inside == "":
		return Node{Op: OpCall, Of: of}
	case inside == ":__init__":
		return Node{Op: OpFields, Of: of}
	case inside[0] == ':':
		nth, with, given := strings.Cut(inside[1:], "=")
		if given {
			return Node{Op: OpParamWith, Of: of, N: number(nth), list: with}
		}
		return Node{Op: OpParam, Of: of, N: number(nth)}
	}
	nth, args, given := strings.Cut(inside, "=")
	if given {
		return Node{Op: OpCallWith, Of: of, N: number(nth), list: args}
	}
	return Node{Op: OpTaken, Of: of, N: number(nth)}
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // 0 of what is none
	return n
}

// atom is an expression without operators.
func atom(text string) Node {
	op := OpName
	switch text[0] {
	case '^':
		op = OpSymbolAt
	case '@':
		op = OpTypeAt
	case '#':
		op = OpModuleAt
	case '~':
		if op, ok := composites[text]; ok {
			return Node{Op: op}
		}
		return Node{Op: OpExternal}
	default:
		return Node{Op: op, Name: text}
	}
	n, err := strconv.Atoi(text[1:])
	if err != nil || n < 0 {
		return Node{}
	}
	return Node{Op: op, N: n}
}

// opening is where the bracket that closes at the end of an expression opens,
// or -1.
func opening(text string, left, right byte) int {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case right:
			depth++
		case left:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// split takes a list of expressions apart.
func split(list string) []Expr {
	if list == "" {
		return nil
	}
	out := make([]Expr, 0, 2)
	depth, from := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '<', '(':
			depth++
		case '>', ')':
			depth--
		case ';':
			if depth == 0 {
				out = append(out, Expr{list[from:i]})
				from = i + 1
			}
		}
	}
	return append(out, Expr{list[from:]})
}

// Names calls name with the names in an expression, and symbol with the indexes
// of symbols in it, which have none.
func (e Expr) Names(name func(string), symbol func(index int)) {
	const between = ".(){}[]!<>;~^?=:"
	for text := e.text; text != ""; {
		i := strings.IndexAny(text, between)
		for i > 0 && text[i] == ':' && text[:i] != "ext" { // of a selector of Objective-C
			next := strings.IndexAny(text[i+1:], between)
			if next < 0 {
				next = len(text) - i - 1
			}
			if i += 1 + next; i == len(text) {
				i = -1
			}
		}
		switch {
		case i < 0:
			name(text)
			return
		case i > 0:
			name(text[:i])
		}
		isSymbol, isMember := text[i] == '^', text[i] == '.'
		text = text[i+1:]
		if isMember && strings.HasPrefix(text, "~") { // a part of its name
			end := strings.IndexAny(text[1:], between) + 1
			if end == 0 {
				end = len(text)
			}
			name(text[:end])
			text = text[end:]
		}
		if isSymbol {
			end := len(text) - len(strings.TrimLeft(text, "0123456789"))
			if index, err := strconv.Atoi(text[:end]); err == nil {
				symbol(index)
			}
			text = text[end:]
		}
	}
}

// HasSymbols reports whether the indexes of symbols are in an expression.
func (e Expr) HasSymbols() bool { return strings.Contains(e.text, "^") }

// WithoutArguments is an expression without the type arguments of names in it;
// those of what the grammar has itself stay.
func (e Expr) WithoutArguments() Expr {
	var out strings.Builder
	text := e.text
	for i := 0; i < len(text); {
		if text[i] != '<' || strings.HasPrefix(lastToken(text[:i]), "~") {
			out.WriteByte(text[i])
			i++
			continue
		}
		depth := 0
		for ; i < len(text); i++ {
			if text[i] == '<' {
				depth++
			} else if text[i] == '>' {
				if depth--; depth == 0 {
					i++
					break
				}
			}
		}
	}
	return Expr{out.String()}
}

// lastToken is the name that an expression ends with.
func lastToken(text string) string {
	return text[strings.LastIndexAny(text, ".(){}[]!<>;=:")+1:]
}
