package rust

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Reference implements Language: macros are looked up by themselves.
func (l Language) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	if !isMacroCall(ref) {
		return resolve.Found{}, false
	}
	return l.macroCall(q, f, ref), true
}

// isMacroCall reports whether a reference calls a macro: those have names of
// their own.
func isMacroCall(ref *facts.Ref) bool { return ref.Arguments == "!" }

// macroCall finds the macro that a bare name means at a reference: by textual
// scope, then by imports, then one of the crate that is handed on by
// #[macro_use], then what other crates export. See
// https://doc.rust-lang.org/reference/macros-by-example.html#scoping-exporting-and-importing
func (l Language) macroCall(q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Found {
	var own, crate, exported []resolve.SymbolID
	for _, id := range q.World().Defs(ref.Name) {
		s := q.Symbol(id)
		switch {
		case s.Kind != "macro" || q.File(id.File).Language != "Rust":
		case textual(q, f, ref, id):
			own = append(own, id)
		case id.File != f && inModules(q, id) && root(q, id.File) == root(q, f):
			crate = append(crate, id)
		case s.Exported && id.File != f:
			exported = append(exported, id)
		}
	}
	if len(own) > 0 {
		return resolve.Found{Symbols: []resolve.SymbolID{nearest(q, f, own)}, Tier: resolve.TierA}
	}
	if found := importedMacro(l, q, f, ref); len(found.Symbols) > 0 {
		return found
	}
	if !rustMacros[ref.Name] {
		for _, list := range [][]resolve.SymbolID{crate, exported} {
			if len(list) > 0 && len(list) <= resolve.MaxTargets {
				return resolve.Found{Symbols: list, Tier: resolve.TierB}
			}
		}
	}
	return resolve.Found{External: true}
}

// textual reports whether a reference is in the textual scope of a macro:
// behind it, in the block or module that it is in, or in a file that is a
// module of its file.
func textual(q *resolve.Query, f resolve.FileID, ref *facts.Ref, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	if id.File == f {
		if ref.Line < s.Line || ref.Line == s.Line && ref.Column < s.Column {
			return false
		}
		in := ref.In
		for in >= 0 && in != s.Parent {
			in = q.File(f).Symbols[in].Parent
		}
		return in == s.Parent
	}
	if s.Parent >= 0 {
		return false
	}
	for up, n := parent(q, f), 0; up >= 0 && n < resolve.MaxDepth; up, n = parent(q, up), n+1 {
		if up == id.File {
			return true
		}
	}
	return false
}

// nearest is the macro of the file itself that was declared last, or that of
// the closest module around.
func nearest(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) resolve.SymbolID {
	for n := 0; f >= 0 && n < resolve.MaxDepth; f, n = parent(q, f), n+1 {
		best := resolve.SymbolID{File: -1}
		for _, id := range list {
			if id.File == f && (best.File < 0 || q.Symbol(id).Line >= q.Symbol(best).Line) {
				best = id
			}
		}
		if best.File >= 0 {
			return best
		}
	}
	return list[0]
}

// inModules reports whether a macro is in a module, and not in a function.
func inModules(q *resolve.Query, id resolve.SymbolID) bool {
	symbols := q.File(id.File).Symbols
	for p := q.Symbol(id).Parent; p >= 0; p = symbols[p].Parent {
		if symbols[p].Kind != "module" {
			return false
		}
	}
	return true
}

// importedMacro finds a macro that the modules around import.
func importedMacro(l Language, q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Found {
	symbols := q.File(f).Symbols
	for in := ref.In; ; in = symbols[in].Parent {
		var out []resolve.SymbolID
		for _, id := range l.names(q, f, in, ref.Name, true).Symbols {
			if q.Symbol(id).Kind == "macro" && id.File != f {
				out = append(out, id)
			}
		}
		if len(out) > 0 {
			return resolve.Found{Symbols: out, Tier: resolve.TierB}
		}
		if in < 0 {
			return resolve.Found{}
		}
	}
}

// rustMacros are the macros of the prelude of std.
var rustMacros = resolve.Set(`
assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne env
eprint eprintln file format format_args include include_bytes include_str line matches module_path option_env
panic print println stringify thread_local todo try unimplemented unreachable vec write writeln`)
