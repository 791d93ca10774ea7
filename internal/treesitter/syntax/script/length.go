package script

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Types of TypeScript may be longer than an expression. Then their type
// arguments are left out: the members are found without them.

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
	if e := base.Generic(args...); e != facts.TooLong {
		return e
	}
	return base
}
