package lexical

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// An objcScope is what is known at a place of a file of Objective-C, and what is used up to there.
type objcScope struct {
	*reader
	objcCursor

	class  string                  // whose declaration or implementation this is in, or ""
	symbol int                     // its symbol, or -1
	static bool                    // in a method of the class itself
	locals []map[string]facts.Expr // what variables are, by the block that they are in
	used   []objcUse
}

// An objcUse is a reference, and where it is.
type objcUse struct {
	facts.Ref

	at int
}

func (x *objcScope) refer(t objcToken, ref facts.Ref) {
	if _, own := x.at[t.at]; !own {
		x.used = append(x.used, objcUse{ref, t.at})
	}
}

func (x *objcScope) push() { x.locals = append(x.locals, map[string]facts.Expr{}) }
func (x *objcScope) pop()  { x.locals = x.locals[:len(x.locals)-1] }

func (x *objcScope) bind(name string, value facts.Expr) {
	if n := len(x.locals); n > 0 {
		x.locals[n-1][name] = value
	}
}

func (x *objcScope) local(name string) (facts.Expr, bool) {
	for _, block := range slices.Backward(x.locals) {
		if v, ok := block[name]; ok {
			return v, true
		}
	}
	return facts.Unknown, false
}

func (x *objcScope) isLocal(name string) bool {
	_, ok := x.local(name)
	return ok
}

// member adds a reference to a member of a value.
func (x *objcScope) member(at objcToken, ref facts.Ref, of facts.Expr) {
	if of.Known() {
		ref.Of = of
	}
	x.refer(at, ref)
}

// self is the object or class that a method is of.
func (x *objcScope) self() facts.Expr {
	if x.class == "" {
		return facts.Unknown
	}
	if x.static {
		return facts.Name(x.class)
	}
	return facts.Name(x.class).Value()
}
