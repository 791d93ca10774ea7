package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// parent is the file of the module around, or -1: of those that could be, the one that
// declares the module.
func parent(q *resolve.Query, f resolve.FileID) resolve.FileID {
	p := q.File(f).Path
	dir, name := resolve.FolderOf(p), strings.TrimSuffix(path.Base(p), ".rs")
	if name == "mod" {
		dir, name = resolve.FolderOf(dir), path.Base(dir)
	}
	first := resolve.FileID(-1)
	for _, c := range slices.Concat([]string{
		dir + ".rs", path.Join(dir, "mod.rs"), path.Join(dir, "lib.rs"), path.Join(dir, "main.rs"),
	}, targets(q)[dir]) {
		id, ok := q.World().ByPath(c)
		if !ok || id == f {
			continue
		}
		declares := func(x facts.Import) bool { return isSubmodule(&x) && rustLocal(&x) == name }
		if slices.ContainsFunc(q.File(id).Imports, declares) {
			return id
		}
		if first < 0 {
			first = id
		}
	}
	return first
}

// isSubmodule reports whether an import is the declaration of a module in another file.
func isSubmodule(x *facts.Import) bool {
	name, own := strings.CutPrefix(x.Path, "self::")
	return own && x.Name == "" && x.Export && !strings.Contains(name, "::")
}

type rootKey struct{ f resolve.FileID }

// root is the file of the crate that a file is in: the one that the modules around it lead
// to, else the closest lib.rs or main.rs above, else the file itself.
func root(q *resolve.Query, f resolve.FileID) resolve.FileID {
	return resolve.Once(q, rootKey{f}, func() resolve.FileID {
		seen := map[resolve.FileID]bool{}
		for at := f; at >= 0 && !seen[at]; at = parent(q, at) {
			if isTarget(q, at) {
				return at
			}
			seen[at] = true
		}
		for dir := resolve.FolderOf(q.File(f).Path); ; dir = resolve.FolderOf(dir) {
			for _, name := range [...]string{"lib.rs", "main.rs"} {
				if id, ok := q.World().ByPath(path.Join(dir, name)); ok {
					return id
				}
			}
			if dir == "" {
				return f
			}
		}
	})
}

// isTarget reports whether a file is the root of a crate: a manifest names it, or it is
// where Cargo looks for one. In a folder of which a manifest names some, the others are
// modules of these.
func isTarget(q *resolve.Query, f resolve.FileID) bool {
	p := q.File(f).Path
	dir, base := resolve.FolderOf(p), path.Base(p)
	if named := targets(q)[dir]; len(named) > 0 && base != "lib.rs" && base != "main.rs" {
		return slices.Contains(named, p)
	}
	up := resolve.FolderOf(dir)
	switch path.Base(dir) {
	case "tests", "examples", "benches":
		return isPackage(q, up)
	case "bin":
		return path.Base(up) == "src" && isPackage(q, resolve.FolderOf(up))
	}
	return base == "lib.rs" || base == "main.rs" || base == "build.rs" && isPackage(q, dir)
}

func isPackage(q *resolve.Query, dir string) bool {
	id, ok := q.World().ByPath(path.Join(dir, "Cargo.toml"))
	return ok && q.File(id).Package != ""
}

type targetsKey struct{}

// targets are the files that manifests name as roots of crates, by their folders.
func targets(q *resolve.Query) map[string][]string {
	return resolve.Once(q, targetsKey{}, func() map[string][]string {
		out := map[string][]string{}
		for _, id := range q.World().Language("TOML") {
			p := q.File(id).Path
			if path.Base(p) != "Cargo.toml" {
				continue
			}
			_, values := resolve.Said(q, id, "target")
			for _, v := range values {
				v = path.Join(resolve.FolderOf(p), v)
				out[resolve.FolderOf(v)] = append(out[resolve.FolderOf(v)], v)
			}
		}
		return out
	})
}

type rustCratesKey struct{}

type rustRenamedKey struct{ dir string }

// renamed are the crates that files of a folder call otherwise: by the closest
// manifest of a crate, and that of its workspace.
func renamed(q *resolve.Query, dir string) map[string]string {
	return resolve.Once(q, rustRenamedKey{dir}, func() map[string]string {
		out, kinds := map[string]string{}, []string{"renamed", "renamed below"}
		for part := resolve.Part(dir); ; dir = resolve.FolderOf(dir) {
			if id, ok := q.World().ByPath(path.Join(dir, "Cargo.toml")); ok {
				for _, kind := range kinds {
					keys, names := resolve.Said(q, id, kind)
					for i, key := range keys {
						if out[key] == "" {
							out[key] = strings.ReplaceAll(names[i], "-", "_")
						}
					}
				}
				kinds = []string{"renamed below"}
			}
			if dir == part {
				return out
			}
		}
	})
}

// crateNamed is the root file of a crate of the repository by the name that a file has
// for it.
func crateNamed(q *resolve.Query, f resolve.FileID, name string) (resolve.FileID, bool) {
	if as, ok := renamed(q, resolve.FolderOf(q.File(f).Path))[name]; ok {
		name = as
	}
	id, ok := crates(q)[name]
	return id, ok
}

// crates are the root files of the crates of the repository by their names.
func crates(q *resolve.Query) map[string]resolve.FileID {
	return resolve.Once(q, rustCratesKey{}, func() map[string]resolve.FileID {
		out := map[string]resolve.FileID{}
		for _, id := range q.World().Language("TOML") {
			p := q.File(id).Path
			if path.Base(p) != "Cargo.toml" || q.File(id).Package == "" {
				continue
			}
			root := path.Join(resolve.FolderOf(p), "src/lib.rs")
			if _, values := resolve.Said(q, id, "main"); len(values) > 0 {
				root = path.Join(resolve.FolderOf(p), values[0])
			}
			if lib, ok := q.World().ByPath(root); ok {
				out[strings.ReplaceAll(q.File(id).Package, "-", "_")] = lib
			}
		}
		return out
	})
}
