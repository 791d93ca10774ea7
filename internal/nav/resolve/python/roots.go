package python

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// pythonRoots are the folders that modules are imported from, by the name of
// the first module.
type pythonRoots struct {
	packages map[string][]string // of packages
	modules  map[string][]string // of files
}

type pythonRootsKey struct{}

func rootsOf(q *resolve.Query) *pythonRoots {
	return resolve.Once(q, pythonRootsKey{}, func() *pythonRoots { return findRoots(q) })
}

// findRoots looks where packages begin: at a folder with __init__.py in one
// without. Folders with Python files and without __init__.py are where their
// own modules are imported from, and may be a package by themselves.
func findRoots(q *resolve.Query) *pythonRoots {
	r := &pythonRoots{packages: map[string][]string{}, modules: map[string][]string{}}
	hasInit := map[string]bool{}
	python := map[string]bool{}
	for _, id := range q.World().Language("Python") {
		p := q.File(id).Path
		python[resolve.FolderOf(p)] = true
		if isInit(p) {
			hasInit[resolve.FolderOf(p)] = true
		}
	}
	for _, id := range q.World().Language("Python") {
		p := q.File(id).Path
		dir, base := resolve.FolderOf(p), strings.TrimSuffix(strings.TrimSuffix(path.Base(p), ".pyi"), ".py")
		if !hasInit[dir] {
			r.modules[base] = appendNew(r.modules[base], dir)
			if dir != "" {
				name, up := path.Base(dir), resolve.FolderOf(dir)
				r.packages[name] = appendNew(r.packages[name], up)
			}
			continue
		}
		for hasInit[dir] && dir != "" {
			up := resolve.FolderOf(dir)
			if !hasInit[up] {
				r.packages[path.Base(dir)] = appendNew(r.packages[path.Base(dir)], up)
			}
			dir = up
		}
	}
	r.named(q)
	return r
}

// named adds the package folders that a project's files name, and folders
// without files of their own on the way to them.
func (r *pythonRoots) named(q *resolve.Query) {
	q.World().Folders(func(dir string) bool {
		if dir != "" && len(q.World().Folder(dir)) == 0 {
			name, up := path.Base(dir), resolve.FolderOf(dir)
			r.packages[name] = appendNew(r.packages[name], up)
		}
		return true
	})
	for _, id := range q.World().Language("TOML") {
		for _, x := range q.File(id).Imports {
			if x.Local == "source" {
				root := resolve.CleanDir(path.Join(resolve.FolderOf(q.File(id).Path), x.Path))
				for _, sub := range q.World().Folder(root) {
					base := strings.TrimSuffix(path.Base(q.File(sub).Path), ".py")
					r.modules[base] = appendNew(r.modules[base], root)
				}
			}
		}
	}
	for _, list := range r.packages {
		slices.Sort(list)
	}
	for _, list := range r.modules {
		slices.Sort(list)
	}
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// absolute finds the files of a module that is imported by its full path.
func absolute(q *resolve.Query, f resolve.FileID, below string) []resolve.FileID {
	first, _, deeper := strings.Cut(below, "/")
	r := rootsOf(q)
	dir := resolve.FolderOf(q.File(f).Path)
	for _, root := range nearest(r.packages[first], dir) {
		if standardModules[first] && !resolve.IsWithin(dir, path.Join(root, first)) {
			continue
		}
		if files := moduleFiles(q, path.Join(root, below)); files != nil {
			return files
		}
	}
	if deeper {
		return nil
	}
	if first == "conftest" { // pytest has its folder among those that modules are imported from
		return moduleFiles(q, path.Join(dir, first))
	}
	for _, root := range nearest(r.modules[first], dir) {
		// a module that is no part of a package is found from its own folder and those below
		if root == dir || !standardModules[first] && (root == "src" || root == "lib" || resolve.IsWithin(dir, root)) {
			if files := moduleFiles(q, path.Join(root, below)); len(files) == 1 {
				return files
			}
		}
	}
	return nil
}

// nearest sorts roots by how much of their path they share with a folder.
func nearest(roots []string, dir string) []string {
	if len(roots) < 2 {
		return roots
	}
	out := slices.Clone(roots)
	slices.SortStableFunc(out, func(a, b string) int { return resolve.Shared(b, dir) - resolve.Shared(a, dir) })
	return out
}
