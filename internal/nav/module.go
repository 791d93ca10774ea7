package nav

import (
	"context"
	"path"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/ragnav/ragnav/internal/nav/depend"
)

// moduleOf names what an import of a file is of: the module that the closest
// manifest asks for, with its version by a lock file beside that or above it, else as the
// manifest has it; of what no manifest asks for the path of the import.
func (g *gateway) moduleOf(ctx context.Context, file, imported string) (string, error) {
	module, ok := importedModule(file, imported)
	for dir := path.Dir(file); ok; dir = path.Dir(dir) {
		for _, manifest := range manifestsFor(file) {
			p := path.Join(dir, manifest)
			text, err := g.textOf(ctx, p)
			if err != nil {
				return "", err
			}
			if text == nil {
				continue
			}
			if manifest == "go.mod" {
				return required(*text, imported), nil
			}
			for _, n := range depend.Read(p, *text).Needs {
				if n.Name == module && n.From == "" {
					return g.locked(ctx, dir, n)
				}
			}
		}
		if dir == "." {
			break
		}
	}
	return imported, nil
}

// manifestsFor are the names of the manifests that say what a file imports.
func manifestsFor(file string) []string {
	switch factLanguage(file) {
	case "Go":
		return []string{"go.mod"}
	case "TypeScript", "TSX", "JavaScript":
		return []string{"package.json"}
	case "Python":
		return []string{"pyproject.toml", "setup.cfg", "setup.py", "requirements.txt", "requirements-dev.txt"}
	case "Rust":
		return []string{"Cargo.toml"}
	}
	return nil
}

// importedModule is the module that an import is of by its path; ok is false for
// what is of no registry.
func importedModule(file, imported string) (module depend.Name, ok bool) {
	first, rest, _ := strings.Cut(imported, "/")
	switch {
	case imported == "" || strings.HasPrefix(imported, "."):
	case factLanguage(file) == "Go":
		return depend.Name{Ecosystem: depend.Go, Name: imported}, true
	case factLanguage(file) == "Python":
		top, _, _ := strings.Cut(imported, ".")
		return depend.Name{Ecosystem: depend.PyPI, Name: depend.Normalized(top)}, true
	case factLanguage(file) == "Rust":
		crate, _, _ := strings.Cut(imported, "::")
		return depend.Name{Ecosystem: depend.Cargo, Name: strings.ReplaceAll(crate, "_", "-")}, true
	case strings.HasPrefix(imported, "@"):
		second, _, _ := strings.Cut(rest, "/")
		return depend.Name{Ecosystem: depend.NPM, Name: first + "/" + second}, true
	default:
		return depend.Name{Ecosystem: depend.NPM, Name: first}, true
	}
	return depend.Name{}, false
}

// locked is a module with the version that was chosen for the project in a folder.
func (g *gateway) locked(ctx context.Context, dir string, n depend.Need) (string, error) {
	for ; ; dir = path.Dir(dir) {
		for _, lock := range depend.Locks(n.Ecosystem) {
			text, err := g.textOf(ctx, path.Join(dir, lock))
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			if err != nil || text == nil { // or it is too large
				continue
			}
			if version := depend.Locked(lock, *text, n.Name.Name); version != "" {
				return n.Name.Name + "@" + version, nil
			}
		}
		if dir == "." {
			break
		}
	}
	if n.Version == "" {
		return n.Name.Name, nil
	}
	return n.Name.Name + "@" + n.Version, nil
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
