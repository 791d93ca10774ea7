package swift

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// modulesOf are the targets of a repository.
type modules struct {
	folders []folder // the deepest first
	files   map[string][]resolve.FileID
}

// A folder is that of a target.
type folder struct{ path, target string }

type modulesKey struct{}

// modulesOf are the targets that manifests declare.
func modulesOf(q *resolve.Query) *modules {
	return resolve.Once(q, modulesKey{}, func() *modules {
		m := &modules{files: map[string][]resolve.FileID{}}
		all := q.World().Language(languageName)
		for _, f := range all {
			file := q.File(f)
			if name := path.Base(file.Path); name != "Package.swift" && !strings.HasPrefix(name, "Package@swift-") {
				continue
			}
			for i := range file.Imports {
				if dir, ok := strings.CutPrefix(file.Imports[i].Local, facts.Target); ok {
					m.add(resolve.FolderOf(file.Path), file.Imports[i].Path, dir)
				}
			}
		}
		slices.SortFunc(m.folders, func(a, b folder) int {
			return cmp.Or(len(b.path)-len(a.path), cmp.Compare(a.path, b.path), cmp.Compare(a.target, b.target))
		})
		m.folders = slices.Compact(m.folders)
		for _, f := range all {
			if name := m.of(q.File(f).Path); name != "" {
				m.files[name] = append(m.files[name], f)
			}
		}
		return m
	})
}

// add adds a target of the manifest in a folder. Where nothing is said it is in one of a few.
func (m *modules) add(root, target, dir string) {
	if dir != "" {
		m.folders = append(m.folders, folder{resolve.CleanDir(path.Join(root, dir)), target})
		return
	}
	for _, in := range []string{"Sources", "Source", "src", "srcs", "Tests", "Plugins"} {
		m.folders = append(m.folders, folder{path.Join(root, in, target), target})
	}
}

// of is the target that a path is of, "" if it is of none.
func (m *modules) of(p string) string {
	for _, f := range m.folders {
		if f.path == "" || strings.HasPrefix(p, f.path+"/") {
			return f.target
		}
	}
	return ""
}

// moduleOf is the target that a file is of.
func moduleOf(q *resolve.Query, f resolve.FileID) string {
	return modulesOf(q).of(q.File(f).Path)
}

// importsModule reports whether a file sees what a module declares: it imports it, or something
// that exports it again. What is of no target may be of any.
func importsModule(q *resolve.Query, f resolve.FileID, module string) bool {
	if module == "" || moduleOf(q, f) == "" && len(modulesOf(q).folders) == 0 {
		return true
	}
	return exportsTo(q, f, module, map[string]bool{}, false)
}

// exportsTo reports whether a file imports a module, or one whose files do so for others.
func exportsTo(q *resolve.Query, f resolve.FileID, module string, seen map[string]bool, again bool) bool {
	for i := range q.File(f).Imports {
		x := &q.File(f).Imports[i]
		name := firstName(x.Path)
		if x.Local != "" || again && !x.Export || seen[name] {
			continue
		}
		if name == module {
			return true
		}
		seen[name] = true
		for _, of := range modulesOf(q).files[name] {
			if exportsTo(q, of, module, seen, true) {
				return true
			}
		}
	}
	return false
}

func firstName(p string) string {
	first, _, _ := strings.Cut(p, ".")
	return first
}
