package golang

import (
	"maps"
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// goWorkspace is a go.work: modules that are used together, and replacements
// for all of them.
type goWorkspace struct {
	dir      string
	used     map[string]bool   // folders of modules
	replaced map[string]string // import path prefix to folder; "go.work" over all "go.mod"
}

type goWorkspacesKey struct{}

// goWorkspaces are the workspaces of a World; those in the deepest folders first.
func goWorkspaces(q *resolve.Query) []goWorkspace {
	return resolve.Once(q, goWorkspacesKey{}, func() []goWorkspace {
		var out []goWorkspace
		for _, id := range q.World().Language("Go Workspace") {
			out = append(out, newWorkspace(q, id))
		}
		slices.SortStableFunc(out, func(a, b goWorkspace) int { return depth(b.dir) - depth(a.dir) })
		return out
	})
}

func newWorkspace(q *resolve.Query, id resolve.FileID) goWorkspace {
	file := q.File(id)
	w := goWorkspace{dir: resolve.FolderOf(file.Path), used: map[string]bool{}, replaced: map[string]string{}}
	for _, i := range file.Imports {
		if to, inside := folderFrom(w.dir, i.Local); i.Name == "use" && inside {
			w.used[to] = true
		}
	}
	for _, m := range goModules(q) {
		if w.used[m.dir] {
			maps.Copy(w.replaced, m.replaced)
		}
	}
	for _, i := range file.Imports {
		if i.Name != "replace" {
			continue
		}
		if to, inside := folderFrom(w.dir, i.Local); inside {
			w.replaced[i.Path] = to
		} else {
			delete(w.replaced, i.Path) // by something outside of the repository
		}
	}
	return w
}

// workspaceOf is the workspace that a module is built in: the nearest one above
// it, if it uses the module; else nil.
func workspaceOf(q *resolve.Query, m goModule) *goWorkspace {
	all := goWorkspaces(q)
	around := func(w goWorkspace) bool { return resolve.IsWithin(m.dir, w.dir) }
	if i := slices.IndexFunc(all, around); i >= 0 && all[i].used[m.dir] {
		return &all[i]
	}
	return nil
}

// folders are the folders of an import path in a workspace: in a module that it
// uses, in what replaces others, vendored.
func (w *goWorkspace) folders(modules []goModule, p string) []string {
	var out []string
	for _, m := range longestFirst(modules) {
		if w.used[m.dir] {
			out = append(out, m.folder(modules, p)...)
		}
	}
	out = append(out, replacements(w.replaced, p)...)
	return append(out, path.Join(w.dir, "vendor", p))
}
