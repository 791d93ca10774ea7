package clike

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Builtin implements Language: methods of containers. An iterator is taken for what it
// points to, a pair of a key and a value of a map.
func (Language) Builtin(_ *resolve.Query, e resolve.Entity, name string) resolve.Found {
	switch {
	case e.Kind == resolve.List && (element[name] || iterator[name]):
		return resolve.Gives(e.Arg(0))
	case e.Kind == resolve.Map && name == "at":
		return resolve.Gives(e.Arg(1))
	case e.Kind == resolve.Map && iterator[name]:
		return resolve.Gives(resolve.Entity{Kind: resolve.Tuple, Args: e.Args})
	case e.Kind == resolve.Tuple && (name == "first" || name == "second"):
		part := resolve.Instance(e.Arg(strings.Index("first second", name) / len("first ")))
		return resolve.Found{Entity: &part, External: true}
	}
	return resolve.Found{}
}

var (
	element  = resolve.Set("front back at top emplace_back")
	iterator = resolve.Set("begin end cbegin cend rbegin rend find lower_bound upper_bound erase data")
)

// Usual implements Language: what a file sees.
func (l Language) Usual(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	return l.Narrow(q, f, list)
}

// Lacking implements Language: what a value with an operator -> points to has the member.
// What of std is not here is in the library.
func (l Language) Lacking(q *resolve.Query, f resolve.FileID, e resolve.Entity, name string) resolve.Found {
	if e.Kind == resolve.TypeName && len(e.Symbols) > 0 && q.Symbol(e.Symbols[0]).Qualified == "std" {
		return resolve.Found{External: true}
	}
	if e.Kind != resolve.Value || len(e.Symbols) == 0 || !q.Enter(e.Symbols[0], "->") {
		return resolve.Found{}
	}
	defer q.Leave(e.Symbols[0], "->")
	to := l.result(q, f, e, "operator->")
	if to.Kind != resolve.Value {
		return resolve.Found{}
	}
	return q.Member(f, to, name)
}

// Operate implements Language. What has no elements of its own is a pointer to some.
func (l Language) Operate(q *resolve.Query, f resolve.FileID, e resolve.Entity, op string) resolve.Entity {
	switch op {
	case "()":
		return l.result(q, f, e, "operator()")
	case "[]":
		if len(q.Inherited(e, "operator[]").Symbols) > 0 {
			return l.result(q, f, e, "operator[]")
		}
		return e
	}
	return resolve.Entity{}
}

// result is what calling a member of a value gives.
func (Language) result(q *resolve.Query, f resolve.FileID, e resolve.Entity, name string) resolve.Entity {
	if found := q.Inherited(e, name); len(found.Symbols) > 0 {
		return q.Call(f, q.Entity(f, found), 0)
	}
	return resolve.Entity{}
}
