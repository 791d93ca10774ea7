package resolve

import "github.com/ragnav/ragnav/internal/nav/facts"

// isMacroCall reports whether a reference calls a macro: those have names of
// their own.
func isMacroCall(ref *facts.Ref) bool { return ref.Given == "!" }

// macroCall finds the macro that a bare name means at a reference: by textual
// scope, then by imports, then one of the crate that is handed on by
// #[macro_use], then what other crates export. See
// https://doc.rust-lang.org/reference/macros-by-example.html#scoping-exporting-and-importing
func (l rustLanguage) macroCall(q *Query, f FileID, ref *facts.Ref) Found {
	var own, crate, exported []SymbolID
	for _, id := range q.World().Defs(ref.Name) {
		s := q.Symbol(id)
		switch {
		case s.Kind != "macro" || q.File(id.File).Language != "Rust":
		case l.textual(q, f, ref, id):
			own = append(own, id)
		case id.File != f && l.inModules(q, id) && l.root(q, id.File) == l.root(q, f):
			crate = append(crate, id)
		case s.Exported && id.File != f:
			exported = append(exported, id)
		}
	}
	if len(own) > 0 {
		return Found{Symbols: []SymbolID{l.nearest(q, f, own)}, Tier: TierA}
	}
	if found := l.importedMacro(q, f, ref); len(found.Symbols) > 0 {
		return found
	}
	if !rustMacros[ref.Name] {
		for _, list := range [][]SymbolID{crate, exported} {
			if len(list) > 0 && len(list) <= maxTargets {
				return Found{Symbols: list, Tier: TierB}
			}
		}
	}
	return Found{External: true}
}

// textual reports whether a reference is in the textual scope of a macro:
// behind it, in the block or module that it is in, or in a file that is a
// module of its file.
func (l rustLanguage) textual(q *Query, f FileID, ref *facts.Ref, id SymbolID) bool {
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
	for up, n := l.parent(q, f), 0; up >= 0 && n < maxDepth; up, n = l.parent(q, up), n+1 {
		if up == id.File {
			return true
		}
	}
	return false
}

// nearest is the macro of the file itself that was declared last, or that of
// the closest module around.
func (l rustLanguage) nearest(q *Query, f FileID, list []SymbolID) SymbolID {
	for n := 0; f >= 0 && n < maxDepth; f, n = l.parent(q, f), n+1 {
		best := SymbolID{File: -1}
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
func (rustLanguage) inModules(q *Query, id SymbolID) bool {
	symbols := q.File(id.File).Symbols
	for p := q.Symbol(id).Parent; p >= 0; p = symbols[p].Parent {
		if symbols[p].Kind != "module" {
			return false
		}
	}
	return true
}

// importedMacro finds a macro that the modules around import.
func (l rustLanguage) importedMacro(q *Query, f FileID, ref *facts.Ref) Found {
	symbols := q.File(f).Symbols
	for in := ref.In; ; in = symbols[in].Parent {
		var out []SymbolID
		for _, id := range l.names(q, f, in, ref.Name, true).Symbols {
			if q.Symbol(id).Kind == "macro" && id.File != f {
				out = append(out, id)
			}
		}
		if len(out) > 0 {
			return Found{Symbols: out, Tier: TierB}
		}
		if in < 0 {
			return Found{}
		}
	}
}

// rustMacros are the macros of the prelude of std.
var rustMacros = set(`assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne env eprint eprintln file
format format_args include include_bytes include_str line matches module_path option_env panic print println stringify thread_local todo try unimplemented
unreachable vec write writeln`)
