package gateway

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/ragnav/ragnav/internal/fresh"
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
	var meant []depend.Need // as surely as any, of manifests as close as any
	closest, rank := -1, 0
	for _, n := range all.Needs {
		at, r := len(n.Dir), named(n, file, imported)
		if r == 0 || n.Dir != "" && !strings.HasPrefix(file, n.Dir+"/") || n.From != "" {
			continue
		}
		if r > rank || r == rank && at > closest {
			meant, closest, rank = nil, at, r
		}
		if r == rank && at == closest {
			meant = append(meant, n)
		}
	}
	best, ok := foremost(meant)
	if !ok {
		return imported, nil
	}
	chosen, err := LockedOf(ctx, g, best.Dir, best)
	version := cmp.Or(chosen.Version, best.Version)
	if version == "" || err != nil {
		return best.Name.Name, err
	}
	return best.Name.Name + "@" + version, nil
}

// foremost is the one module that is meant, or the one whose name those of all others begin
// with: protobuf-java, of protobuf-java and protobuf-java-util.
func foremost(meant []depend.Need) (best depend.Need, ok bool) {
	for _, n := range meant {
		if !ok || len(n.Name.Name) < len(best.Name.Name) {
			best, ok = n, true
		}
	}
	return best, ok && !slices.ContainsFunc(meant, func(n depend.Need) bool {
		return n.Name != best.Name && !strings.HasPrefix(n.Name.Name, best.Name.Name+"-")
	})
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

// onJVM are the languages that import packages which Maven has modules of.
var onJVM = map[string]bool{"Java": true, "Kotlin": true, "Groovy": true, "Scala": true}

// named tells how surely an import of a file is of a module that is asked for, 0:
// not at all. Packages of Java are often called as the group of their module, or have its name in theirs.
func named(n depend.Need, file, imported string) int {
	first, rest, _ := strings.Cut(imported, "/")
	same := false
	switch n.Ecosystem {
	case depend.Maven:
		group, artifact, _ := strings.Cut(n.Name.Name, ":")
		switch {
		case !onJVM[FactLanguage(file)]:
		case imported == group || strings.HasPrefix(imported, group+"."):
			rank := 8 * len(group)
			for part := range strings.SplitSeq(strings.TrimPrefix(imported, group), ".") {
				rank += Yes(part != "" && slices.Contains(strings.Split(artifact, "-"), part)) // client of ktor-client-core
			}
			return rank
		default: // okio of com.squareup.okio:okio, org.junit of junit:junit
			same = slices.Contains(strings.Split(imported, "."), artifact)
		}
	case depend.PyPI:
		top, _, _ := strings.Cut(imported, ".")
		same = FactLanguage(file) == "Python" && n.Name.Name == depend.Normalized(top)
	case depend.Cargo:
		crate, _, _ := strings.Cut(imported, "::")
		same = FactLanguage(file) == "Rust" && strings.ReplaceAll(cmp.Or(n.As, n.Name.Name), "-", "_") == crate
	case depend.Composer:
		return namedPHP(n.Name.Name, file, imported)
	case depend.NuGet:
		if FactLanguage(file) == "C#" && (imported == n.Name.Name || strings.HasPrefix(imported, n.Name.Name+".")) {
			return len(n.Name.Name)
		}
	case depend.Gems:
		dir := strings.ReplaceAll(n.Name.Name, "-", "/") // dry/logic of dry-logic
		if FactLanguage(file) == "Ruby" && (imported == n.Name.Name || strings.HasPrefix(imported+"/", dir+"/")) {
			return len(dir)
		}
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

// namedPHP tells that of a package of Composer, whose vendor most namespaces begin with:
// Symfony\Component\Console of symfony/console, Monolog of monolog/monolog.
func namedPHP(name, file, imported string) int {
	if FactLanguage(file) != "PHP" {
		return 0
	}
	plain := strings.NewReplacer("-", "", "_", "")
	vendor, pkg, _ := strings.Cut(plain.Replace(name), "/")
	parts := strings.Split(plain.Replace(strings.ToLower(strings.Trim(imported, `\`))), `\`)
	return 2*Yes(parts[0] == vendor && slices.Contains(parts, pkg)) + Yes(parts[0] == vendor || parts[0] == pkg)
}

// LockedOf is what was chosen for the project in a folder, zero if no lock file has
// it. A folder that it is taken from is as seen from the root.
func LockedOf(ctx context.Context, g *Gateway, dir string, n depend.Need) (depend.Chosen, error) {
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

// A lockFile is one that was asked for.
type lockFile struct {
	lockVersion

	read bool
	text *string // nil: there is none, or it could not be read
}

// failed reports whether there is a file that could not be read: it may be read another time.
func (f *lockFile) failed() bool {
	return f.read && f.text == nil && (f.lasts || f.version != fresh.Version{})
}

// A LockState tells lock files from those that they were before: of each that was asked for whether
// it is as it was when the graph was built, or else which version of it that is.
type LockState map[string]lockVersion

type lockVersion struct {
	lasts   bool
	version fresh.Version
}

// LockStateOf is that of the lock files that a repository was asked for. It is not ok if one of them
// could not be read, or may be another one and look the same.
func LockStateOf(g *Gateway) (state LockState, ok bool) {
	state = LockState{}
	for p, f := range g.locks {
		if f.failed() || !f.lasts && !f.version.Settled() {
			return nil, false
		}
		state[p] = f.lockVersion
	}
	return state, true
}

// Holds reports whether the lock files of a repository are as they were.
func (s LockState) Holds(g *Gateway) bool {
	for p, f := range s {
		if f.lasts && !g.lasts(p) || !f.lasts && f.version != fresh.VersionAt(g.pathOf(p)) {
			return false
		}
	}
	return true
}

// lockedIn is what a lock file has of a module, zero if it has none.
func lockedIn(ctx context.Context, g *Gateway, key lockedName) (chosen depend.Chosen, err error) {
	if g.locks == nil {
		g.locks = map[string]*lockFile{}
	}
	f := g.locks[key.path]
	if f == nil {
		f = &lockFile{lockVersion: lockVersion{lasts: g.lasts(key.path)}}
		if !f.lasts {
			f.version = fresh.VersionAt(g.pathOf(key.path))
		}
		g.locks[key.path] = f
	}
	if !f.lasts {
		return f.chosen(ctx, g, key)
	}
	memory := g.Stored.manifests
	memory.mu.Lock()
	chosen, known := memory.locked[key]
	memory.mu.Unlock()
	if known {
		return chosen, nil
	}
	if chosen, err = f.chosen(ctx, g, key); err == nil && !f.failed() {
		memory.mu.Lock()
		defer memory.mu.Unlock()
		memory.locked[key] = chosen
	}
	return chosen, err
}

// chosen reads the file, once; one that is not there, or too large, has nothing.
func (f *lockFile) chosen(ctx context.Context, g *Gateway, key lockedName) (chosen depend.Chosen, _ error) {
	if !f.read {
		text, err := TextOf(ctx, g, key.path)
		if err != nil && ctx.Err() != nil {
			return chosen, ctx.Err()
		}
		f.text, f.read = text, true
	}
	if f.text == nil {
		return chosen, nil
	}
	return depend.Locked(key.path, *f.text, key.dir, depend.Need{Name: key.name, Version: key.asked}), nil
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
