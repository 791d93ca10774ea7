package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// References mostly have the name of what they stand for. Aliases are the
// exceptions: pairs of a name and another one under which the same thing may be
// referred to. They come from imports that rename, and from what was seen to be
// resolved. Whoever looks for references of a symbol follows them as far as
// they go.

// ImportAliases calls f with the pairs of a file's imports.
func ImportAliases(file *facts.File, f func(name, as string)) {
	for i := range file.Imports {
		m := &file.Imports[i]
		name := m.Name
		if name == "" || name == "*" {
			name = LastName(m.Path)
		}
		if m.Name == "" && m.Local != "" && facts.Script(file.Language) && !namesFile(m.Path) {
			f(".", m.Local) // the main file of a package
		}
		if m.Local != "" && m.Local != name && name != "" {
			f(name, m.Local)
		}
		if m.Local == "export=" && name != "" {
			f(name, moduleName(file.Path)) // others name the file, and what they require it as
			f(name, ".")
		}
	}
}

// namesFile reports whether the path by which JavaScript requires a file ends with its
// name, or with that of its folder.
func namesFile(p string) bool { return strings.HasPrefix(p, ".") && strings.Trim(p, "./") != "" }

// moduleName is the last part of the path by which others require a file.
func moduleName(p string) string {
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if name == "index" {
		return path.Base(path.Dir(p))
	}
	return name
}

// eachPathName calls f with the names in the path of an import that declarations may
// have: those of packages, modules and types, but not of files.
func eachPathName(file *facts.File, m *facts.Import, f func(name string)) {
	if file.Language == "Go" || m.Path == "" || strings.Contains(m.Path, "/") {
		return
	}
	for name := range strings.FieldsFuncSeq(m.Path, isBetweenNames) {
		f(name)
	}
}

func isBetweenNames(r rune) bool { return r == '.' || r == ':' || r == '\\' }

// AllOf is what all names that come with an import of a path stand for: a name that
// nothing has and that those mention.
func AllOf(path string) string { return path + "*" }

// eachImported calls f with what the imports of a file depend on: the name of
// something that a path leads through, and what names of the file come by it, AllOf
// where these are not told.
func eachImported(file *facts.File, f func(name, as string)) {
	for i := range file.Imports {
		m := &file.Imports[i]
		as := cmp.Or(m.Local, m.Name, LastName(m.Path))
		if m.Name == "*" {
			as = AllOf(m.Path)
		}
		eachPathName(file, m, func(name string) {
			if name != as {
				f(name, as)
			}
		})
	}
}

// OtherNames are those by which others mean something of a name too: C the module A.B.C
// of Elixir, new the method initialize of Ruby, [Fact] the class FactAttribute of C#.
func OtherNames(name string) []string {
	short, attribute := strings.CutSuffix(name, "Attribute")
	switch last := LastName(name); {
	case name == "initialize":
		return []string{"new"}
	case attribute && short != "":
		return []string{short}
	case last != name && last != "":
		return []string{last}
	}
	return nil
}

// RubyNames are those by which others call a method of Ruby: "a = 1" calls "a=", and "a?" and "a!" may be those of a
// state a.
func RubyNames(s *facts.Symbol) []string {
	if plain, ok := strings.CutSuffix(s.Name, "="); ok {
		return []string{plain}
	}
	if strings.Contains(s.Signature, "asked") {
		return []string{s.Name + "?", s.Name + "!"}
	}
	return nil
}

// LastName is the last part of the path of an import.
func LastName(path string) string {
	path = strings.TrimRight(path, "/.:\\")
	return path[strings.LastIndexAny(path, "/.:\\")+1:]
}

// A pair is two numbers of names.
type pair struct{ name, as uint32 }

func comparePairs(a, b pair) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.as, b.as)) }

func sortedPairs(pairs []pair) []pair {
	slices.SortFunc(pairs, comparePairs)
	return slices.Compact(pairs)
}
