package nav

import (
	"context"
	"path"
	"strings"

	"golang.org/x/mod/modfile"
)

// moduleOf names what an import of a file is of: of Go the module and the version
// that the closest go.mod asks for; else, and of what that does not say, the
// path of the import.
func (g *gateway) moduleOf(ctx context.Context, file, imported string) (string, error) {
	if factLanguage(file) != "Go" || imported == "" {
		return imported, nil
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		text, err := g.textOf(ctx, path.Join(dir, "go.mod"))
		if err != nil {
			return "", err
		}
		if text != nil {
			return required(*text, imported), nil
		}
		if dir == "." {
			return imported, nil
		}
	}
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
