package byname

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Lexical is a Language whose files are read by package lexical: what they import is
// known by its name, what they bind is left out as far as a few forms tell.
type Lexical struct{ Language }

// LexicalOf is such a language.
func LexicalOf(language string) Lexical { return Lexical{Of(language)} }

// lexicalConfidence is the share of each tier that was right (bench/RESULTS.md, Graph).
var lexicalConfidence = map[resolve.Tier]float32{
	resolve.TierA: 0.97, resolve.TierB: 0.97, resolve.TierC: 0.95, resolve.TierD: 0.85, resolve.TierF: 0.3,
}

// Confidence implements Language.
func (Lexical) Confidence(t resolve.Tier) float32 { return lexicalConfidence[t] }

// Bare implements Language: members of the types around, the file, what it imports by its
// alias or name, its folder and package, then all files of the language.
func (l Lexical) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	if found := l.around(q, f, in, name); len(found.Symbols) > 0 {
		return found
	}
	if files := l.named(q, f, name, true); len(files) > 0 {
		return resolve.Found{Files: files}
	}
	var own, imported, near, far []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		s, file := q.Symbol(id), q.File(id.File)
		switch {
		case file.Language != l.Name || !visible(file, s):
		case id.File == f:
			own = append(own, id)
		case l.imported(q, f)[id.File]:
			imported = append(imported, id)
		case closed[l.Name] && !packaged[l.Name]:
		case file.Package != "" && file.Package == q.File(f).Package ||
			!packaged[l.Name] && resolve.FolderOf(file.Path) == resolve.FolderOf(q.File(f).Path):
			near = append(near, id)
		default:
			far = append(far, id)
		}
	}
	if len(own) > 0 {
		return resolve.Found{Symbols: own, Tier: resolve.TierA}
	}
	if len(imported) > 0 {
		return chosen(imported, resolve.TierB)
	}
	if files := l.named(q, f, name, false); len(files) > 0 {
		return resolve.Found{Files: files}
	}
	if closed[l.Name] {
		far = nil
	}
	if len(name) < 3 || len(near)+len(far) == 0 {
		return resolve.Found{External: true}
	}
	if len(near)+len(far) == 1 {
		return resolve.Found{Symbols: append(near, far...), Tier: resolve.TierD}
	}
	if len(near) > 0 { // as often right as the only one; of members the only one near is not, so there is no tier E
		return chosen(near, resolve.TierD)
	}
	return chosen(far, resolve.TierF)
}

// closed are languages in which a file knows nothing of others but what it imports, and what
// is in its package in those that are packaged.
var (
	closed   = resolve.Set("Erlang Elm PureScript Zig Perl Clojure OCaml Reason Groovy")
	packaged = resolve.Set("Groovy")
	// aliased are languages in which an alias is the only way to what is imported by it.
	aliased = resolve.Set("Dart Solidity Zig")
)

// visible reports whether a symbol may be meant by its name alone outside of the type around it.
func visible(f *facts.File, s *facts.Symbol) bool {
	if s.Parent < 0 {
		return !strings.HasPrefix(s.Qualified, "Base.") // which adds to what Julia has
	}
	return resolve.IsType(s) && f.Symbols[s.Parent].Kind == "module" && f.Language != "OCaml"
}

// chosen is one symbol, or a few of which one is meant.
func chosen(list []resolve.SymbolID, t resolve.Tier) resolve.Found {
	switch {
	case len(list) > resolve.MaxTargets:
		return resolve.Found{}
	case len(list) > 1:
		t = resolve.TierF
	}
	return resolve.Found{Symbols: list, Tier: t}
}

// Reference implements Language: methods of Perl are functions of a package, which is a file.
func (l Lexical) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	switch {
	case l.Name == "Protocol Buffer" && !ref.Bare:
		return l.message(q, f, ref), true
	case l.Name != "Perl" || ref.Bare:
		return resolve.Found{}, false
	}
	var own, named, all []resolve.SymbolID
	of := strings.ReplaceAll(ref.Of.String(), ".", "::")
	for _, id := range q.World().Defs(ref.Name) {
		switch file := q.File(id.File); {
		case file.Language != l.Name:
		case file.Package == of:
			named = append(named, id)
		case id.File == f:
			own = append(own, id)
		default:
			all = append(all, id)
		}
	}
	switch {
	case len(named) > 0:
		return resolve.Found{Symbols: named, Tier: resolve.TierB}, true
	case ref.Of == facts.This && len(own) > 0:
		return resolve.Found{Symbols: own, Tier: resolve.TierA}, true
	case len(own)+len(all) == 1 && !l.Common(ref.Name):
		return resolve.Found{Symbols: append(own, all...), Tier: resolve.TierD}, true
	}
	return resolve.Found{}, true
}

// message finds a message or enumeration by the end of its package and name.
func (l Lexical) message(q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Found {
	ending := "." + ref.Of.String() + "." + ref.Name
	var imported, all []resolve.SymbolID
	for _, id := range q.World().Defs(ref.Name) {
		file, s := q.File(id.File), q.Symbol(id)
		if file.Language != l.Name || !strings.HasSuffix("."+file.Package+"."+s.Qualified, ending) {
			continue
		}
		all = append(all, id)
		if l.imported(q, f)[id.File] {
			imported = append(imported, id)
		}
	}
	if len(imported) > 0 {
		all = imported
	}
	return chosen(all, resolve.TierB)
}

// Member implements Language: what files declare outside of types, and types.
func (l Lexical) Member(q *resolve.Query, _ resolve.FileID, files []resolve.FileID, name string) resolve.Found {
	var out []resolve.SymbolID
	files = l.exporting(q, files)
	for _, id := range q.World().Defs(name) {
		if s := q.Symbol(id); (s.Parent < 0 || resolve.IsType(s)) && slices.Contains(files, id.File) {
			out = append(out, id)
		}
	}
	return resolve.Found{Symbols: out, Tier: resolve.TierB, External: len(out) == 0}
}

// named are the files that an import makes known by a name: its alias, or else the last
// part of what it is of.
func (l Lexical) named(q *resolve.Query, f resolve.FileID, name string, alias bool) (files []resolve.FileID) {
	if l.Name == "OCaml" && !alias && name[0] >= 'A' && name[0] <= 'Z' { // the module of a file
		return inOneFolder(q, f, l.byBase(q)[strings.ToLower(name[:1])+name[1:]])
	}
	for i := range q.File(f).Imports {
		if x := &q.File(f).Imports[i]; x.Local == name || !alias && x.Local == "" && lastOf(x.Path) == name {
			files = append(files, l.Import(q, f, i)...)
		}
	}
	return files
}

// inOneFolder are those of some files of one name that are in the folder of f, all if there
// is but one folder, else none.
func inOneFolder(q *resolve.Query, f resolve.FileID, list []resolve.FileID) []resolve.FileID {
	folder := func(id resolve.FileID) string { return resolve.FolderOf(q.File(id).Path) }
	near := slices.DeleteFunc(slices.Clone(list), func(id resolve.FileID) bool { return folder(id) != folder(f) })
	if len(near) == 0 && len(list) > 0 && !slices.ContainsFunc(list, func(id resolve.FileID) bool {
		return folder(id) != folder(list[0])
	}) {
		return list
	}
	return near
}

// lastOf is the last part of a module's name.
func lastOf(name string) string {
	name = strings.TrimSuffix(name, path.Ext(name))
	return name[strings.LastIndexAny(name, "./:")+1:]
}

type importedKey struct{ of resolve.FileID }

// imported are the files that a file imports, whose names mean something by themselves.
func (l Lexical) imported(q *resolve.Query, f resolve.FileID) map[resolve.FileID]bool {
	return resolve.Once(q, importedKey{f}, func() map[resolve.FileID]bool {
		out := map[resolve.FileID]bool{}
		for i := range q.File(f).Imports {
			if aliased[l.Name] && q.File(f).Imports[i].Local != "" {
				continue
			}
			for _, other := range l.exporting(q, l.Import(q, f, i)) {
				out[other] = true
			}
		}
		return out
	})
}

// exporting are files and those whose names they export, to any depth.
func (l Lexical) exporting(q *resolve.Query, files []resolve.FileID) []resolve.FileID {
	all := slices.Clone(files)
	for _, f := range files {
		all = append(all, l.exported(q, f)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

type exportedKey struct{ of resolve.FileID }

// exported are the files whose names a file exports, to any depth.
func (l Lexical) exported(q *resolve.Query, f resolve.FileID) []resolve.FileID {
	return resolve.Once(q, exportedKey{f}, func() []resolve.FileID {
		all, known := []resolve.FileID{f}, map[resolve.FileID]bool{f: true}
		for n := 0; n < len(all); n++ {
			for i := range q.File(all[n]).Imports {
				if !q.File(all[n]).Imports[i].Export {
					continue
				}
				for _, other := range l.Import(q, all[n], i) {
					if !known[other] {
						known[other] = true
						all = append(all, other)
					}
				}
			}
		}
		return all[1:]
	})
}

type byBaseKey struct{ language string }

// byBase are the files of the language by their name without what is behind its last
// dot, and by their package.
func (l Lexical) byBase(q *resolve.Query) map[string][]resolve.FileID {
	return resolve.Once(q, byBaseKey{l.Name}, func() map[string][]resolve.FileID {
		out := map[string][]resolve.FileID{}
		for _, f := range q.World().Language(l.Name) {
			file := q.File(f)
			base := stem(path.Base(file.Path))
			out[base] = append(out[base], f)
			if file.Package != "" && file.Package != base {
				out[file.Package] = append(out[file.Package], f)
			}
		}
		return out
	})
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// Import implements Language: the file of a path that is relative to this one, else those
// of that package, else those whose paths end so.
func (l Lexical) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	name := q.File(f).Imports[i].Path
	if to, ok := q.World().ByPath(path.Join(path.Dir(q.File(f).Path), name)); ok {
		return []resolve.FileID{to}
	}
	of, rest, isPackage := strings.Cut(strings.TrimPrefix(name, "package:"), "/")
	isPackage = isPackage && strings.HasPrefix(name, "package:") // of Dart: what is in its lib
	ending := "/" + strings.NewReplacer(".", "/", "::", "/").Replace(name)
	switch {
	case isPackage:
		ending = "/lib/" + stem(rest)
	case strings.Contains(name, "/"):
		ending = "/" + stem(strings.TrimLeft(name, "./@"))
	}
	var named, ended, exact []resolve.FileID
	for _, other := range slices.Concat(l.byBase(q)[path.Base(ending)], l.byBase(q)[name]) {
		switch file := q.File(other); {
		case other == f:
		case file.Package == name:
			named = append(named, other)
		case strings.HasSuffix("/"+stem(file.Path), ending):
			ended = append(ended, other)
			if isPackage && strings.HasSuffix("/"+stem(file.Path), "/"+of+ending) {
				exact = append(exact, other)
			}
		}
	}
	for _, list := range [][]resolve.FileID{exact, named, ended} {
		if len(list) > 0 {
			slices.Sort(list)
			return slices.Compact(list)
		}
	}
	return nil
}
