package rust

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// undeclared is a member that no type declares: of what one dereferences to, a method of a
// trait that the file sees, or of optionals, references and locks one that gives what it
// is called on.
func undeclared(l Language, q *resolve.Query, from resolve.FileID, e resolve.Entity, name string) resolve.Found {
	if e.Kind == resolve.Value && name != "Target" {
		if target := dereferenced(q, e); target.Kind != resolve.Unknown {
			if found := q.Member(from, target, name); len(found.Symbols) > 0 || found.Entity != nil {
				return found
			}
		}
	}
	if list := ofTraits(l, q, from, e, name); len(list) > 0 {
		found := resolve.Found{Symbols: list, Tier: resolve.TierD, Recv: &e}
		if len(list) == 1 && e.Kind != resolve.Function { // which may be a field of its name
			// what the trait says that it gives is known better
			found.Entity = &resolve.Entity{Kind: resolve.Function, Symbols: list, Recv: &e}
			found.Symbols = []resolve.SymbolID{blanket(q, list[0])}
		}
		return found
	}
	switch {
	case e.Kind == resolve.Value && sameValue[name]:
		return resolve.Gives(e)
	case e.Kind == resolve.TypeName && makesSelf[name]:
		return resolve.Gives(resolve.Instance(e))
	}
	return resolve.Found{}
}

// dereferenced is what a value stands for where its type implements Deref.
func dereferenced(q *resolve.Query, e resolve.Entity) resolve.Entity {
	if len(e.Symbols) == 0 || len(q.Own(e, "deref")) == 0 || !q.Enter(e.Symbols[0], "*") {
		return resolve.Entity{}
	}
	defer q.Leave(e.Symbols[0], "*")
	owner := resolve.Entity{Kind: resolve.TypeName, Symbols: e.Symbols, Args: e.Args}
	for _, id := range q.Own(e, "Target") {
		if resolve.IsType(q.Symbol(id)) {
			return resolve.Instance(q.StandsFor(id, &owner))
		}
	}
	return resolve.Entity{}
}

// ofTraits are the methods of a name that the one trait declares which has it and
// which a file sees: those of other traits can't be called there. Of types that are
// not of the repository the trait may be implemented anywhere, and what is as usual
// as len may be theirs.
func ofTraits(l Language, q *resolve.Query, from resolve.FileID, e resolve.Entity, name string) []resolve.SymbolID {
	switch e.Kind {
	case resolve.External, resolve.List, resolve.Map, resolve.Tuple:
		if l.Common(name) {
			return nil
		}
	}
	for _, id := range e.Symbols {
		if s := q.Symbol(id); s.Kind == "module" || s.Kind == "trait" {
			return nil
		}
	}
	var out []resolve.SymbolID
	for _, m := range q.World().Defs(name) {
		s := q.Symbol(m)
		if s.Kind != "method" || s.Parent < 0 || q.File(m.File).Language != "Rust" {
			continue
		}
		trait := resolve.SymbolID{File: m.File, Index: int32(s.Parent)} //nolint:gosec // an index
		if q.Symbol(trait).Kind != "trait" || !seesTrait(l, q, from, trait) {
			continue
		}
		if len(out) > 0 && q.Symbol(out[0]).Parent != s.Parent {
			return nil
		}
		out = append(out, m)
	}
	return out
}

type blanketKey struct{ method resolve.SymbolID }

// blanket is the method of the one impl of a trait for all types by which a method of it is implemented, or that
// itself.
func blanket(q *resolve.Query, method resolve.SymbolID) resolve.SymbolID {
	return resolve.Once(q, blanketKey{method}, func() resolve.SymbolID {
		q := q.Anew()
		trait := resolve.SymbolID{File: method.File, Index: int32(q.Symbol(method).Parent)} //nolint:gosec // an index
		is := func(id resolve.SymbolID, e facts.Expr) bool {
			return slices.Contains(q.Eval(id.File, int(id.Index), e).Symbols, trait)
		}
		one := method
		for _, m := range q.World().Defs(q.Symbol(method).Name) {
			s := q.Symbol(m)
			n := s.Owner.Node()
			param := slices.Index(s.Params, n.Name)
			if s.Kind != "method" || len(s.Bases) == 0 || n.Op != facts.OpName || param < 0 ||
				q.File(m.File).Language != "Rust" || !is(m, s.Bases[0].Of) {
				continue
			}
			// That of references to what has the trait is not meant.
			if param < len(s.Bounds) && is(m, s.Bounds[param]) {
				continue
			}
			if one != method {
				return method
			}
			one = m
		}
		return one
	})
}

type seesKey struct {
	from  resolve.FileID
	trait resolve.SymbolID
}

// seesTrait reports whether a file declares or imports a trait.
func seesTrait(l Language, q *resolve.Query, from resolve.FileID, trait resolve.SymbolID) bool {
	if from == trait.File {
		return true
	}
	return resolve.Once(q, seesKey{from, trait}, func() bool {
		l.reach = plain // traits are in modules: what types have, which this is asked for, is not looked at
		file, name := q.File(from), q.Symbol(trait).Name
		is := func(found resolve.Found) bool { return len(found.Symbols) > 0 && found.Symbols[0] == trait }
		for i := range file.Imports {
			x := &file.Imports[i]
			switch x.Name {
			case name: // also as "_"
				if is(l.imports(q.Anew(), from, x)) {
					return true
				}
			case "*":
				module := x.In
				for module >= 0 && file.Symbols[module].Kind != "module" {
					module = file.Symbols[module].Parent
				}
				if is(l.names(q.Anew(), from, module, name, true)) {
					return true
				}
			}
		}
		return false
	})
}

// sameValue are methods of optionals, references, locks and iterators that give what
// they are called on.
var sameValue = resolve.Set(`
unwrap expect clone as_ref as_mut borrow borrow_mut unwrap_or_default to_owned as_deref as_deref_mut unwrap_or_else
unwrap_or ok iter iter_mut into_iter by_ref cloned copied map_err ok_or ok_or_else as_slice rev context with_context project
get_mut as_pin_mut filter skip take_while skip_while inspect fuse peekable collect get_unchecked_mut get_ref into_inner`)

// makesSelf are functions of traits that make a value of the type that they are called on,
// mostly derived.
var makesSelf = resolve.Set(`default parse parse_from try_parse try_parse_from from_args`)

// builtin are methods of lists and maps.
func builtin(e resolve.Entity, name string) resolve.Found {
	whole := e.Kind == resolve.List || e.Kind == resolve.Map || e.Kind == resolve.Tuple
	if whole && sameValue[name] && name != "get_mut" {
		return resolve.Gives(e)
	}
	switch e.Kind {
	case resolve.List:
		switch name {
		case "get", "pop", "first", "last", "next", "pop_front", "pop_back", "remove", "find", "nth", "front", "back",
			"first_mut", "last_mut", "swap_remove", "peek", "min_by_key", "max_by_key", "min_by", "max_by":
			return resolve.Gives(e.Arg(0))
		case "drain", "take", "chain", "split_off", "chunks", "as_mut_slice", "to_vec":
			return resolve.Gives(e)
		case "enumerate":
			return resolve.Gives(resolve.Entity{
				Kind: resolve.List,
				Args: []resolve.Entity{{Kind: resolve.Tuple, Args: []resolve.Entity{{Kind: resolve.External}, e.Arg(0)}}},
			})
		}
	case resolve.Map:
		switch name {
		case "get", "get_mut", "remove", "insert", "entry", "or_insert_with":
			return resolve.Gives(e.Arg(1))
		case "values", "values_mut", "into_values":
			return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(1)}})
		case "keys":
			return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(0)}})
		}
	}
	return resolve.Found{}
}
