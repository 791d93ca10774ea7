package golang

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// goModule is a go.mod.
type goModule struct {
	dir, path string
	replaced  map[string]string // import path prefix to folder
}

type goModulesKey struct{}

// goModules are the modules of a World; those in the deepest folders first.
func goModules(q *resolve.Query) []goModule {
	return resolve.Once(q, goModulesKey{}, func() []goModule {
		var out []goModule
		for _, id := range q.World().Language("Go Module") {
			file := q.File(id)
			m := goModule{dir: resolve.FolderOf(file.Path), path: file.Package, replaced: map[string]string{}}
			for _, i := range file.Imports {
				if to, inside := folderFrom(m.dir, i.Local); i.Name == "replace" && inside {
					m.replaced[i.Path] = to
				}
			}
			out = append(out, m)
		}
		slices.SortStableFunc(out, func(a, b goModule) int { return depth(b.dir) - depth(a.dir) })
		return out
	})
}

// folderFrom is the folder that a path means as seen from another one, and
// whether it is in the repository.
func folderFrom(dir, to string) (string, bool) {
	if to == "" || path.IsAbs(to) {
		return "", false
	}
	to = path.Join(dir, to)
	if to == "." {
		to = ""
	}
	return to, to != ".." && !strings.HasPrefix(to, "../")
}

// ownModule is the index of the module that a folder is in, or -1.
func ownModule(modules []goModule, dir string) int {
	return slices.IndexFunc(modules, func(m goModule) bool { return resolve.IsWithin(dir, m.dir) })
}

func depth(dir string) int {
	if dir == "" {
		return 0
	}
	return strings.Count(dir, "/") + 1
}

// below is the rest of an import path under a prefix.
func below(p, prefix string) (string, bool) {
	if p == prefix {
		return "", true
	}
	rest, ok := strings.CutPrefix(p, prefix+"/")
	return rest, ok
}

type goFolderKey struct{ from, path string }

// goFolder finds the folder of an import path as seen from a folder.
func goFolder(q *resolve.Query, from, p string) (string, bool) {
	type found struct {
		dir string
		ok  bool
	}
	f := resolve.Once(q, goFolderKey{from, p}, func() found {
		for _, dir := range goFolders(q, from, p) {
			if hasGo(q, dir) {
				return found{dir, true}
			}
		}
		return found{}
	})
	return f.dir, f.ok
}

// goFolders are the folders where a package may be, the best first.
func goFolders(q *resolve.Query, from, p string) []string {
	modules := goModules(q)
	var out []string
	own := ownModule(modules, from)
	if own >= 0 {
		m := modules[own]
		out = append(out, m.folder(modules, p)...)
		if m.path == "std" {
			out = append(out, path.Join(m.dir, p))
		}
		if w := workspaceOf(q, m); w != nil {
			out = append(out, w.folders(modules, p)...)
		}
		out = append(out, path.Join(m.dir, "vendor", p))
		out = append(out, replacements(m.replaced, p)...)
	} else {
		out = append(out, goPath(from, p)...)
	}
	for i, m := range longestFirst(modules) {
		if i != own {
			out = append(out, m.folder(modules, p)...)
		}
	}
	for _, m := range modules {
		if first, _, _ := strings.Cut(p, "/"); m.path == "std" && !strings.Contains(first, ".") {
			out = append(out, path.Join(m.dir, p))
		}
	}
	return out
}

// folder is the folder of an import path in a module, unless that folder is of
// a module that is nested in it.
func (m goModule) folder(modules []goModule, p string) []string {
	rest, ok := below(p, m.path)
	if !ok {
		return nil
	}
	dir := path.Join(m.dir, rest)
	if own := ownModule(modules, dir); rest != "" && (own < 0 || modules[own].dir != m.dir) {
		return nil
	}
	return []string{dir}
}

// longestFirst yields modules with their index, that of the longest path first.
func longestFirst(modules []goModule) iter.Seq2[int, goModule] {
	order := make([]int, len(modules))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(modules[b].path) - len(modules[a].path) })
	return func(yield func(int, goModule) bool) {
		for _, i := range order {
			if !yield(i, modules[i]) {
				return
			}
		}
	}
}

// replacements are the folders that replace what an import path begins with,
// that of the longest beginning first.
func replacements(replaced map[string]string, p string) []string {
	var prefixes []string
	for old := range replaced {
		if _, ok := below(p, old); ok {
			prefixes = append(prefixes, old)
		}
	}
	// all are beginnings of p, so no two are as long
	slices.SortFunc(prefixes, func(a, b string) int { return len(b) - len(a) })
	var out []string
	for _, old := range prefixes {
		rest, _ := below(p, old)
		out = append(out, path.Join(replaced[old], rest))
	}
	return out
}

// goPath are the folders of an import path in a repository without modules:
// vendored above the folder, or below the root of the repository, which is
// "host/owner/name" most often.
func goPath(from, p string) []string {
	var out []string
	for dir := from; ; dir = resolve.FolderOf(dir) {
		out = append(out, path.Join(dir, "vendor", p))
		if dir == "" {
			break
		}
	}
	parts := strings.Split(p, "/")
	if strings.Contains(parts[0], ".") && len(parts) >= 3 {
		out = append(out, path.Join(parts[3:]...))
	}
	return out
}

func hasGo(q *resolve.Query, dir string) bool {
	return slices.ContainsFunc(q.World().Folder(dir), func(f resolve.FileID) bool { return q.File(f).Language == "Go" })
}

// goFiles are the files of the package in a folder that others import.
type goFiles struct{ files, tests []resolve.FileID }

type goFilesKey string

// goImport finds the files that an import makes known.
func goImport(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	file := q.File(f)
	if p := file.Imports[i].Path; p == "C" || p == "unsafe" {
		return nil
	}
	from := resolve.FolderOf(file.Path)
	dir, ok := goFolder(q, from, file.Imports[i].Path)
	if !ok {
		return nil
	}
	p := goFilesIn(q, dir)
	if dir == from && isGoTest(file.Path) {
		return p.tests
	}
	return p.files
}

// goFilesIn chooses the package of a folder: not tests, not programs that are
// only run by hand.
func goFilesIn(q *resolve.Query, dir string) goFiles {
	return resolve.Once(q, goFilesKey(dir), func() goFiles {
		count := map[string]int{}
		var names []string
		for _, id := range q.World().Folder(dir) {
			file := q.File(id)
			if file.Language != "Go" || isGoTest(file.Path) {
				continue
			}
			if count[file.Package] == 0 {
				names = append(names, file.Package)
			}
			count[file.Package] += goWeight(q, id, dir)
		}
		if len(names) == 0 {
			return goFiles{}
		}
		best := slices.MaxFunc(names, func(a, b string) int { return count[a] - count[b] })
		var out goFiles
		for _, id := range q.World().Folder(dir) {
			file := q.File(id)
			if file.Language != "Go" || file.Package != best {
				continue
			}
			out.tests = append(out.tests, id)
			if !isGoTest(file.Path) {
				out.files = append(out.files, id)
			}
		}
		return out
	})
}

// goWeight says how much a file speaks for its package being that of its folder.
func goWeight(q *resolve.Query, id resolve.FileID, dir string) int {
	file := q.File(id)
	switch {
	case file.Build == "ignore" || file.Package == "documentation":
		return 1
	case file.Package == "main":
		return 100
	case file.Package == path.Base(dir):
		return 100000
	}
	return 1000
}
