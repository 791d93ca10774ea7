package script

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Types of TypeScript may be longer than an expression. Then their type
// arguments are left out, the longest first: the members are found without them.

// oneOrBoth is a union or an intersection of two types.
func oneOrBoth(a, b facts.Expr, both bool) facts.Expr {
	u := binder.UnionOfTypes(a, b)
	if both && u.Node().Op == facts.OpUnion {
		u = facts.Both(a, b)
	}
	if u.Known() || !a.Known() || !b.Known() {
		return u
	}
	return binder.UnionOfTypes(a.WithoutArguments(), b.WithoutArguments()) // what is of both is found so, too
}

// withTypes is a type with arguments.
func withTypes(base facts.Expr, args []facts.Expr) facts.Expr {
	args = slices.Clone(args)
	for range 2 * len(args) {
		if e := base.Generic(args...); e != facts.TooLong {
			return e
		}
		longest := 0
		for i, a := range args {
			if a.Size() > args[longest].Size() {
				longest = i
			}
		}
		short := args[longest].WithoutArguments()
		if short.Size() == args[longest].Size() {
			short = facts.External
		}
		args[longest] = short
	}
	return base
}
