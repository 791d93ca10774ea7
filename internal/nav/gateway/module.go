package gateway

import (
	"cmp"
	"context"
	"path"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/nav/facts"
)

// ModuleOf names what an import of a file is of: the module that the closest
// manifest asks for, with its version by a lock file beside that or above it, else as the
// manifest has it; of what no manifest asks for the path of the import.
func ModuleOf(ctx context.Context, g *Gateway, file, imported string) (string, error) {
	if imported == "" || strings.HasPrefix(imported, ".") {
		return imported, nil
	}
	if FactLanguage(file) == "Go" {
		return goModuleOf(ctx, g, file, imported)
	}
	all, err := ModulesOf(ctx, g)
	if err != nil {
		return "", err
	}
	var best depend.Need
	closest, rank, several := -1, 0, false
	for _, n := range all.needs {
		at := len(n.Dir)
		if n.Dir != "" && !strings.HasPrefix(file, n.Dir+"/") || n.From != "" {
			continue
		}
		r := named(n, file, imported)
		if r > 0 && (r > rank || r == rank && at > closest) {
			best, closest, rank, several = n, at, r, false
		}
		several = several || r > 0 && r == rank && n.Name != best.Name
	}
	if rank == 0 || several {
		return imported, nil
	}
	chosen, err := lockedOf(ctx, g, best.Dir, best)
	version := cmp.Or(chosen.Version, best.Version)
	if version == "" || err != nil {
		return best.Name.Name, err
	}
	return best.Name.Name + "@" + version, nil
}

// goModuleOf asks the go.mod that is closest.
func goModuleOf(ctx context.Context, g *Gateway, file, imported string) (string, error) {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		text, err := TextOf(ctx, g, path.Join(dir, "go.mod"))
		switch {
		case err != nil:
			return "", err
		case text != nil:
			return required(*text, imported), nil
		case dir == ".":
			return imported, nil
		}
	}
}

// named tells how surely an import of a file is of a module that is asked for, 0:
// not at all. Packages of Java are often called as the group of their module.
func named(n depend.Need, file, imported string) int {
	first, rest, _ := strings.Cut(imported, "/")
	same := false
	switch n.Ecosystem {
	case depend.Maven:
		group, _, _ := strings.Cut(n.Name.Name, ":")
		if FactLanguage(file) == "Java" && (imported == group || strings.HasPrefix(imported, group+".")) {
			return len(group)
		}
	case depend.PyPI:
		top, _, _ := strings.Cut(imported, ".")
		same = FactLanguage(file) == "Python" && n.Name.Name == depend.Normalized(top)
	case depend.Cargo:
		crate, _, _ := strings.Cut(imported, "::")
		same = FactLanguage(file) == "Rust" && strings.ReplaceAll(cmp.Or(n.As, n.Name.Name), "-", "_") == crate
	case depend.NPM:
		if strings.HasPrefix(first, "@") {
			second, _, _ := strings.Cut(rest, "/")
			first += "/" + second
		}
		language := FactLanguage(file)
		same = n.Name.Name == first && facts.Script(language)
	}
	return Yes(same)
}

// lockedOf is what was chosen for the project in a folder, zero if no lock file has
// it. A folder that it is taken from is as seen from the root.
func lockedOf(ctx context.Context, g *Gateway, dir string, n depend.Need) (depend.Chosen, error) {
	from := dir
	for ; ; dir = path.Dir(dir) {
		below := from
		if dir != "." {
			below = strings.TrimPrefix(strings.TrimPrefix(from, dir), "/")
		}
		for _, lock := range depend.Locks(n.Ecosystem) {
			chosen, err := lockedIn(ctx, g, lockedName{path.Join(dir, lock), below, n.Name, n.Version})
			if chosen != (depend.Chosen{}) || err != nil {
				if chosen.From != "" && !path.IsAbs(chosen.From) {
					chosen.From = path.Join(dir, chosen.From)
				}
				return chosen, err
			}
		}
		if dir == "." || dir == "" {
			return depend.Chosen{}, nil
		}
	}
}

// lockedIn is what a lock file has of a module, zero if it has none.
func lockedIn(ctx context.Context, g *Gateway, key lockedName) (depend.Chosen, error) {
	lasts := g.lasts(key.path)
	if lasts {
		g.Stored.manifests.mu.Lock()
		chosen, known := g.Stored.manifests.locked[key]
		g.Stored.manifests.mu.Unlock()
		if known {
			return chosen, nil
		}
	}
	if g.absent[key.path] {
		return depend.Chosen{}, nil
	}
	text, err := TextOf(ctx, g, key.path)
	if err != nil || text == nil { // or it is too large
		if g.absent == nil {
			g.absent = map[string]bool{}
		}
		g.absent[key.path] = true
		return depend.Chosen{}, ctx.Err()
	}
	chosen := depend.Locked(key.path, *text, key.dir, depend.Need{Name: key.name, Version: key.asked})
	if lasts {
		g.Stored.manifests.mu.Lock()
		defer g.Stored.manifests.mu.Unlock()
		g.Stored.manifests.locked[key] = chosen
	}
	return chosen, nil
}

// required is the module that a go.mod asks for and an import is of, as
// module@version; the import itself if there is none, or another one in its
// place.
func required(text, imported string) string {
	mod, err := modfile.Parse("go.mod", []byte(text), nil)
	if err != nil {
		return imported
	}
	best, version := "", ""
	for _, r := range mod.Require {
		if p := r.Mod.Path; len(p) > len(best) && (imported == p || strings.HasPrefix(imported, p+"/")) {
			best, version = p, r.Mod.Version
		}
	}
	for _, r := range mod.Replace {
		if r.Old.Path == best {
			return imported
		}
	}
	if best == "" {
		return imported
	}
	return best + "@" + version
}
