package usage

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// inner reports whether a place is in a part of an import's path before the last.
func inner(m *facts.Import, line, column int) bool {
	at := column - m.Column
	return m.Line == line && at >= 0 && at < len(m.Path) && strings.Contains(m.Path[at:], ".")
}

// PathFiles are the files of the module or package that the first parts of the
// path of an import name: of "a.b.c" those of "a.b". External are those of which
// the repository has nothing.
func PathFiles(v *overlay.View, file string, i int, part string) (files []string, external bool) {
	f, ok := v.World().ByPath(file)
	if !ok || v.Resolver() == nil || i < 0 || i >= len(v.World().Declared(f).Imports) {
		return nil, false
	}
	m := &v.World().Declared(f).Imports[i]
	whole := strings.Split(strings.TrimLeft(m.Path, "."), ".")
	made := importedFiles(v, f, i)
	for _, p := range made {
		names := moduleNames(p)
		if n := len(names) - 1; n > 0 && names[n] == m.Name && !endsIn(names, whole) { // of its own in the package
			names = names[:n]
		}
		if !endsIn(names, whole) {
			continue
		}
		above := len(whole) - strings.Count(part, ".") - 1
		if p, ok := moduleAt(v, path.Join(names[:len(names)-above]...)); ok && !slices.Contains(files, p) {
			files = append(files, p)
		}
	}
	return files, len(made) == 0 && !strings.HasPrefix(m.Path, ".")
}

// moduleNames are the parts of the path of the module that a file is.
func moduleNames(file string) []string {
	file = strings.TrimSuffix(file, path.Ext(file))
	return strings.Split(strings.TrimSuffix(file, "/__init__"), "/")
}

func endsIn(all, last []string) bool {
	return len(all) >= len(last) && slices.Equal(all[len(all)-len(last):], last)
}

func moduleAt(v *overlay.View, p string) (string, bool) {
	for _, name := range []string{p + "/__init__.py", p + ".py", p + "/__init__.pyi", p + ".pyi"} {
		if _, ok := v.World().ByPath(name); ok {
			return name, true
		}
	}
	return "", false
}

// Called are the functions that are run when what a name means is called: of a
// class its constructor, which may be a base's.
func Called(v *overlay.View, all []Meaning) []overlay.Def {
	var out []overlay.Def
	for _, m := range all {
		s := v.World().Declared(m.Symbol.File).Symbols[m.Symbol.Index]
		if !resolve.IsType(&s) {
			out = append(out, m.Def)
			continue
		}
		if r := v.Resolver(); r != nil {
			members, _ := r.Inherited(m.Symbol, "__init__")
			for _, id := range members {
				out = append(out, v.World().Def(id))
			}
		}
	}
	return out
}
