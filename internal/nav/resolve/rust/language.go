// Package rust finds what names of Rust stand for: crates, modules, macros.
package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Language finds names in modules of Rust. A module is its file; modules
// inside of a file are symbols.
type Language struct {
	resolve.Default

	reach reach // of a lookup; of a Language that is asked all
}

// Bare implements Language: the modules around in the file, its imports, its
// submodules, the roots of paths.
func (l Language) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	if name == "super" || name == "self" {
		if e := l.first(q, f, in, name); e.Kind == resolve.TypeName {
			return resolve.Found{Symbols: e.Symbols, Entity: &e, Tier: resolve.TierA}
		} else if e.Kind == resolve.Module {
			return resolve.Found{Files: e.Files, Tier: resolve.TierA}
		}
	}
	switch name {
	case "crate":
		return fileFound(root(q, f))
	case "self":
		return resolve.Found{Files: []resolve.FileID{f}, Tier: resolve.TierA}
	case "super":
		return fileFound(parent(q, f))
	}
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		if found := l.names(q, f, i, name, true); !found.None() {
			return found
		}
	}
	if found := l.names(q, f, -1, name, true); !found.None() {
		return found
	}
	if file, ok := crateNamed(q, f, name); ok {
		return fileFound(file)
	}
	if found := l.macro(q, f, root(q, f), name); len(found.Symbols) > 0 {
		return found
	}
	return resolve.Found{External: true}
}

func fileFound(f resolve.FileID) resolve.Found {
	if f < 0 {
		return resolve.Found{}
	}
	return resolve.Found{Files: []resolve.FileID{f}, Tier: resolve.TierB}
}

// macro finds a macro that a path or import names in the crate of a root:
// those that are exported, to the crate itself all.
func (l Language) macro(q *resolve.Query, from, of resolve.FileID, name string) resolve.Found {
	var out []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		if s := q.Symbol(id); s.Kind == "macro" && q.File(id.File).Language == "Rust" && root(q, id.File) == of &&
			(s.Exported || of == root(q, from) && inModules(q, id)) {
			out = append(out, id)
		}
	}
	if len(out) > resolve.MaxTargets {
		return resolve.Found{}
	}
	return resolve.Found{Symbols: out, Tier: resolve.TierB}
}

// sees reports whether an import inside of a symbol counts in a module.
func sees(f *facts.File, in, module int) bool {
	for in >= 0 && in != module && f.Symbols[in].Kind != "module" {
		in = f.Symbols[in].Parent
	}
	return in == module
}

// rustLocal is the name that an import binds.
func rustLocal(x *facts.Import) string {
	switch {
	case x.Local != "":
		return x.Local
	case x.Name != "":
		return x.Name
	}
	return x.Path[strings.LastIndexByte(x.Path, ':')+1:]
}

// imports is what an import binds its name to.
func (l Language) imports(q *resolve.Query, f resolve.FileID, x *facts.Import) resolve.Found {
	if file, ok := strings.CutPrefix(x.Path, "./"); ok { // #[path = "…"] mod sub;
		if id, ok := q.World().ByPath(path.Join(resolve.FolderOf(q.File(f).Path), file)); ok {
			return fileFound(id)
		}
		return resolve.Found{}
	}
	if sub, ok := strings.CutPrefix(x.Path, "self::"); ok && x.Name == "" && x.Local == "" && !strings.Contains(sub, ":") {
		if file := l.submodule(q, f, x.In, sub); file >= 0 { // mod sub;
			return fileFound(file)
		}
	}
	e := l.pathEntity(q, f, x.In, x.Path)
	if x.Name == "" {
		switch e.Kind {
		case resolve.Module:
			return resolve.Found{Files: e.Files}
		case resolve.TypeName:
			return resolve.Found{Symbols: e.Symbols}
		}
		return resolve.Found{External: e.Kind == resolve.External}
	}
	found := l.member(q, f, e, x.Name)
	if found.None() && e.Kind == resolve.External {
		found.External = true
	}
	return found
}

// pathEntity follows a path of modules and types.
func (l Language) pathEntity(q *resolve.Query, f resolve.FileID, in int, p string) resolve.Entity {
	parts := strings.Split(strings.TrimPrefix(p, "::"), "::")
	e := l.first(q, f, in, parts[0])
	for _, part := range parts[1:] {
		if part == "super" {
			if e.Kind == resolve.Module && len(e.Files) > 0 {
				e = entity(l, q, f, fileFound(parent(q, e.Files[0])))
			}
			continue
		}
		if sub := l.declares(q, e, part); sub >= 0 {
			e = resolve.Entity{Kind: resolve.Module, Files: []resolve.FileID{sub}}
			continue
		}
		e = entity(l, q, f, l.member(q, f, e, part))
	}
	return e
}

// declares is the file of a module that another one declares, or -1: in a path it is meant
// whatever else has its name there, as what is taken from it does.
func (l Language) declares(q *resolve.Query, e resolve.Entity, name string) resolve.FileID {
	if e.Kind != resolve.Module || len(e.Files) == 0 {
		return -1
	}
	imports := q.File(e.Files[0]).Imports
	if i := slices.IndexFunc(imports, func(x facts.Import) bool {
		return x.In < 0 && x.Name == "" && x.Local == "" && x.Path == "self::"+name
	}); i < 0 {
		return -1
	}
	return l.submodule(q, e.Files[0], -1, name)
}

// first is what the first name of a path in an import stands for.
func (l Language) first(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Entity {
	file := q.File(f)
	for in >= 0 && file.Symbols[in].Kind != "module" {
		in = file.Symbols[in].Parent
	}
	switch {
	case name == "super" && in >= 0:
		if up := file.Symbols[in].Parent; up >= 0 {
			return resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{{File: f, Index: int32(up)}}} //nolint:gosec // an index
		}
		return resolve.Entity{Kind: resolve.Module, Files: []resolve.FileID{f}}
	case name == "self" && in >= 0:
		return resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{{File: f, Index: int32(in)}}} //nolint:gosec // an index
	case name == "self":
		return resolve.Entity{Kind: resolve.Module, Files: []resolve.FileID{f}}
	case name == "crate":
		return entity(l, q, f, fileFound(root(q, f)))
	case name == "super":
		return entity(l, q, f, fileFound(parent(q, f)))
	}
	own := root(q, f)
	// A crate does not know itself by its name: that is a module of it, if there is one.
	if root, ok := crateNamed(q, f, name); ok && root != own {
		return resolve.Entity{Kind: resolve.Module, Files: []resolve.FileID{root}}
	}
	if f != own && fromRoot(q, resolve.FolderOf(file.Path)) {
		if found := l.names(q, own, -1, name, true); !found.None() {
			return entity(l, q, own, found)
		}
	}
	if l.reach < all {
		return entity(l, q, f, l.Bare(q, f, in, name))
	}
	return entity(l, q, f, l.begin(q, f, in, name))
}

type fromRootKey struct{ dir string }

// fromRoot reports whether imports of the files of a folder begin at the root of their
// crate, as in the edition of 2015, which is that of manifests that don't say.
func fromRoot(q *resolve.Query, dir string) bool {
	return resolve.Once(q, fromRootKey{dir}, func() bool {
		for part := resolve.Part(dir); ; dir = resolve.FolderOf(dir) {
			if id, ok := q.World().ByPath(path.Join(dir, "Cargo.toml")); ok && q.File(id).Package != "" {
				_, editions := resolve.Said(q, id, "edition")
				return slices.Contains(editions, "2015")
			}
			if dir == part {
				return false
			}
		}
	})
}

// Member implements Language: what a module has.
func (l Language) Member(q *resolve.Query, from resolve.FileID, files []resolve.FileID, name string) resolve.Found {
	if len(files) == 0 {
		return resolve.Found{External: true}
	}
	switch name {
	case "self":
		return resolve.Found{Files: files, Tier: resolve.TierB}
	case "super":
		return fileFound(parent(q, files[0]))
	}
	same := root(q, from) == root(q, files[0])
	found := l.names(q, files[0], -1, name, same)
	if !same {
		found = handedOn(q, found)
	}
	if found.None() && files[0] == root(q, files[0]) {
		return l.macro(q, from, files[0], name)
	}
	found.Tier = resolve.TierB
	return found
}

// Prefixes implements Language: crates by their names, modules by their paths.
func (l Language) Prefixes(q *resolve.Query, names []string) []resolve.Prefix {
	if root, ok := crates(q)[names[0]]; ok {
		return []resolve.Prefix{{File: root, Names: 1}}
	}
	return layout.PrefixesIn(q, names)
}

var layout = resolve.Layout{Extensions: []string{".rs"}, Whole: []string{"mod", "lib"}, Skipped: "src"}

// Own implements Language: of modules in a file also what they import.
func (l Language) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	if q.Symbol(typ).Kind == "module" {
		return l.names(q, typ.File, int(typ.Index), name, true).Symbols
	}
	return membersNamed(q, name)[typ]
}

type membersKey string

// membersNamed are the members of a name by their types.
func membersNamed(q *resolve.Query, name string) map[resolve.SymbolID][]resolve.SymbolID {
	return resolve.Once(q, membersKey(name), func() map[resolve.SymbolID][]resolve.SymbolID {
		all := map[resolve.SymbolID][]resolve.SymbolID{}
		for _, m := range q.World().Defs(name) {
			switch s := q.Symbol(m); {
			case q.File(m.File).Language != "Rust":
			case s.Owner != facts.Nothing:
				if t := q.Anew().OwnerOf(m); t.Kind == resolve.TypeName && len(t.Symbols) > 0 {
					all[t.Symbols[0]] = append(all[t.Symbols[0]], m)
				}
			case s.Parent >= 0:
				up := resolve.SymbolID{File: m.File, Index: int32(s.Parent)} //nolint:gosec // an index
				all[up] = append(all[up], m)
				if v := q.Symbol(up); s.Kind == "field" && v.Kind == "const" && v.Parent >= 0 { // of a variant of an enum
					enum := resolve.SymbolID{File: m.File, Index: int32(v.Parent)} //nolint:gosec // an index
					all[enum] = append(all[enum], m)
				}
			}
		}
		return all
	})
}

// Import implements Language.
func (l Language) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	x := &q.File(f).Imports[i]
	if found := l.imports(q, f, x); found.Files != nil {
		return found.Files
	} else if len(found.Symbols) > 0 {
		return []resolve.FileID{found.Symbols[0].File}
	}
	if x.Name == "*" {
		if e := l.pathEntity(q, f, x.In, x.Path); e.Kind == resolve.Module {
			return e.Files
		}
	}
	return nil
}

// Module implements Language.
func (l Language) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	x := &q.File(f).Imports[i]
	e := l.pathEntity(q, f, x.In, x.Path)
	return resolve.Found{Entity: &e, Tier: resolve.TierB, External: e.Kind == resolve.External}
}

// submodule is the file of a module that is declared in another, or -1.
func (l Language) submodule(q *resolve.Query, f resolve.FileID, in int, name string) resolve.FileID {
	p := q.File(f).Path
	dir, base := resolve.FolderOf(p), strings.TrimSuffix(path.Base(p), ".rs")
	if base != "mod" && base != "lib" && base != "main" && f != root(q, f) {
		dir = path.Join(dir, base)
	}
	for i := in; i >= 0; i = q.File(f).Symbols[i].Parent {
		if s := &q.File(f).Symbols[i]; s.Kind == "module" {
			dir = path.Join(dir, s.Name)
		}
	}
	for _, c := range [...]string{path.Join(dir, name+".rs"), path.Join(dir, name, "mod.rs")} {
		if id, ok := q.World().ByPath(c); ok {
			return id
		}
	}
	return -1
}

var rustCommon = resolve.Set(`
new default from into clone fmt eq cmp hash len is_empty push pop get get_mut insert remove contains iter
iter_mut into_iter next map filter unwrap expect ok err as_ref as_mut to_string to_owned as_str drop deref
borrow write read flush poll lock send recv join spawn name value id key build with_capacity capacity clear
extend and_then collect fold take skip min max find any all position sort first last split trim parse start end
kind inner data
rev sum product chain zip unzip enumerate step_by flat_map flatten filter_map find_map for_each count partition copied
cloned inspect cycle peekable scan nth take_while skip_while map_while max_by min_by max_by_key min_by_key try_for_each
try_fold reduce chunks chunks_mut chunks_exact windows concat swap reverse retain drain truncate append contains_key
entry keys values starts_with ends_with to_vec sort_by sort_by_key sort_unstable split_at split_at_mut partial_cmp eq ne
lt le gt ge add sub mul div rem neg not`)

// Common implements Language.
func (Language) Common(name string) bool { return rustCommon[name] }

// Operate implements Language: a variant that is called is a value of its
// enum.
func (Language) Operate(q *resolve.Query, _ resolve.FileID, e resolve.Entity, op string) resolve.Entity {
	if op == "()" && q.Symbol(e.Symbols[0]).Kind == "enum" {
		return e
	}
	return resolve.Entity{}
}

// Lacking implements Language.
func (l Language) Lacking(q *resolve.Query, from resolve.FileID, e resolve.Entity, name string) resolve.Found {
	return undeclared(l, q, from, e, name)
}

// Builtin implements Language.
func (Language) Builtin(_ *resolve.Query, e resolve.Entity, name string) resolve.Found {
	return builtin(e, name)
}

// Confidence implements Language: guesses as they were measured beside rust-analyzer
// (bench/RESULTS.md), the rest as elsewhere.
func (l Language) Confidence(t resolve.Tier) float32 {
	if t == resolve.TierD {
		return 0.8
	}
	return l.Default.Confidence(t)
}

// Implied implements Language: methods of traits of other crates, which operators,
// macros and functions of those crates call.
func (Language) Implied(q *resolve.Query, id resolve.SymbolID) resolve.Implied {
	for _, b := range q.Symbol(id).Bases {
		if e := q.Eval(id.File, int(id.Index), b.Of); e.Kind != resolve.External {
			continue
		}
		if ofLanguage[b.Of.LastName()] {
			return resolve.ByLanguage
		}
		return resolve.ByValue
	}
	return resolve.ByName
}

// ofLanguage are the traits of the standard library that operators, macros and conversions
// call.
var ofLanguage = resolve.Set(`
Debug Display Clone Copy Default Drop PartialEq Eq PartialOrd Ord Hash From Into TryFrom TryInto FromStr AsRef AsMut
Borrow BorrowMut Deref DerefMut Index IndexMut Add Sub Mul Div Rem Neg Not BitAnd BitOr BitXor Shl Shr AddAssign
SubAssign Error LowerHex UpperHex Send Sync Unpin`)
