package ruby

import (
	"slices"
	"strconv"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// What self is in a block: a reference there is Of the Param of what is called with it, and the method says in its Args
// what that is. It may be This, what it is called of itself; the Param of what it hands its block on to; a Default, one
// of its own parameters by its index. It is told only where one method is called and self is of one class.

var rubyEvaluators = resolve.Set("instance_eval instance_exec class_eval class_exec module_eval module_exec")

// A given is a call of a method with a block.
type given struct {
	self   resolve.Entity // what it is called of
	values []resolve.Entity
}

// A place is where expressions are: of a call, or in the method that is called so.
type place struct {
	file resolve.FileID
	in   int
	given
}

// isBlock reports whether an expression is self in a block.
func isBlock(e facts.Expr) bool {
	op := e.Node().Op
	return op == facts.OpParam || op == facts.OpParamWith
}

// ofBlock finds a bare name in self of the block around.
func ofBlock(q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Found {
	self := blockSelf(q, place{f, ref.In, given{self: selfIn(q, f, ref.In)}}, ref.Of)
	if !isOne(q, self) {
		return resolve.Found{}
	}
	return q.Inherited(self, ref.Name)
}

// isOne reports whether an entity is one class or module, or a value of it.
func isOne(q *resolve.Query, e resolve.Entity) bool {
	if e.Kind != resolve.Value && e.Kind != resolve.TypeName || len(e.Symbols) == 0 {
		return false
	}
	whole := q.Symbol(e.Symbols[0])
	return isRubyType(whole) && !slices.ContainsFunc(e.Symbols, func(id resolve.SymbolID) bool {
		return q.Symbol(id).Qualified != whole.Qualified
	})
}

// blockSelf is self in the block that is given to a call, or an argument of one, or Unknown.
func blockSelf(q *resolve.Query, at place, e facts.Expr) resolve.Entity {
	if e == facts.This {
		return at.self
	}
	n := e.Node()
	switch n.Op {
	case facts.OpDefault:
		parts := n.Parts()
		if len(parts) != 2 { //nolint:mnd // which, and what it is if none is given
			return resolve.Entity{}
		}
		text, _ := parts[0].LiteralText()
		if i, err := strconv.Atoi(text); err == nil && i < len(at.values) {
			return at.values[i]
		}
		return q.Eval(at.file, at.in, parts[1])
	case facts.OpParam, facts.OpParamWith:
	default:
		return q.Eval(at.file, at.in, e)
	}
	var values []resolve.Entity
	if n.Op == facts.OpParamWith {
		for _, v := range n.Parts()[1:] {
			values = append(values, blockSelf(q, at, v))
		}
	}
	c := n.Of.Node()
	of := at.self
	if c.Op == facts.OpMember {
		of = blockSelf(q, at, c.Of)
	}
	switch {
	case c.Op == facts.OpMember && rubyEvaluators[c.Name]:
		return of
	case c.Op == facts.OpMember && c.Name == "new" && c.Of == facts.Name("Class"):
		if len(values) > 0 {
			return values[0]
		}
		return resolve.Entity{}
	}
	callee, ok := taker(q, at, c, of)
	if !ok || len(q.Symbol(callee).Args) == 0 || !q.Enter(callee, "block") {
		return resolve.Entity{}
	}
	defer q.Leave(callee, "block")
	if s := q.Symbol(callee); of.Kind == resolve.TypeName && s.Name == "initialize" {
		of = resolve.Instance(of)
	}
	runs := q.Symbol(callee).Args[0]
	if value, ok := runs.OfType(); ok {
		runs = value
	}
	return blockSelf(q, place{callee.File, int(callee.Index), given{of, values}}, runs)
}

// taker is the one method that is called with a block, as a member of something or by a bare name.
func taker(q *resolve.Query, at place, c facts.Node, of resolve.Entity) (id resolve.SymbolID, ok bool) {
	if !runsBlocks(q, c.Name) && (c.Name != "new" || !runsBlocks(q, "initialize")) {
		return resolve.SymbolID{}, false // as most: it need not be known which it is
	}
	var found resolve.Found
	if c.Op == facts.OpMember && isOne(q, of) {
		found = q.Inherited(of, c.Name)
	}
	bare := c.Op == facts.OpName || c.Op == facts.OpMember && (c.Of == facts.This || isBlock(c.Of))
	if len(found.Symbols) == 0 && bare {
		found = Language.called(q, at.file, at.in, c.Name)
	}
	if len(found.Symbols) != 1 || found.Tier > resolve.TierC || !resolve.IsFunction(q.Symbol(found.Symbols[0])) {
		return resolve.SymbolID{}, false
	}
	return found.Symbols[0], true
}

// runsBlocks reports whether some method of a name says what self is in its block.
func runsBlocks(q *resolve.Query, name string) bool {
	return slices.ContainsFunc(q.World().Defs(name), func(id resolve.SymbolID) bool {
		return len(q.Symbol(id).Args) > 0 && q.File(id.File).Language == Language.Name
	})
}
