package precise

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Uses are the uses of names in the Go files that were type-checked, and where
// what they stand for is declared. They never change.
type Uses struct {
	files     map[string]map[place]use // by path, relative to the root, with slashes
	notLoaded []string
	revision  string
}

// NotLoaded are the go.mod files of modules that could not be loaded.
func (u *Uses) NotLoaded() []string { return u.notLoaded }

// Revision changes when uses in files that are as before may stand for something
// else: with the files that were checked, their errors, and the versions of the
// modules that they need.
func (u *Uses) Revision() string { return u.revision }

// A place is where a name stands: line and column, 1-indexed, the column in bytes.
type place struct{ line, column int32 }

// A use is what the name at a place stands for.
type use struct {
	name     string
	path     string // file of the declaration; "" if that is outside of the root
	pkg      string // import path of what is outside of the root, "" of what is built in
	at       place
	typeName bool
	tier     resolve.Tier
}

// A collector takes uses from packages.
type collector struct {
	root    string
	uses    *Uses
	modules map[string]bool   // import paths of the modules in root
	paths   map[string]string // of files, relative to the root; "" outside of it
	notes   map[string]bool   // what the revision depends on
}

func newCollector(root string) *collector {
	return &collector{
		root: filepath.Clean(root), uses: &Uses{files: map[string]map[place]use{}},
		modules: map[string]bool{}, paths: map[string]string{}, notes: map[string]bool{},
	}
}

// inside is the path of a file relative to the root, "" if it is not in there.
func (c *collector) inside(name string) string {
	rel, err := filepath.Rel(c.root, name)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// add takes the uses in the packages of a module.
func (c *collector) add(list []*packages.Package) {
	packages.Visit(list, nil, func(p *packages.Package) {
		if m := p.Module; m != nil && !m.Main {
			c.notes["module "+m.Path+"@"+m.Version] = true
		} else if m != nil {
			c.modules[m.Path] = true
		}
	})
	for _, p := range list {
		c.notes[fmt.Sprintf("package %s, %d errors", p.ID, len(p.Errors))] = true
		for _, f := range p.Syntax {
			if file, _ := c.where(p.Fset, f.Package); file != "" && c.uses.files[file] == nil {
				c.uses.files[file] = map[place]use{}
				c.notes["file "+file] = true
			}
		}
		if p.TypesInfo == nil {
			continue
		}
		for id, obj := range p.TypesInfo.Uses {
			c.use(p, id, obj)
		}
	}
}

// use keeps one use. A file is in several packages when it has tests; what they
// say of it is the same, or one of them has nothing to say.
func (c *collector) use(p *packages.Package, id *ast.Ident, obj types.Object) {
	file, at := c.where(p.Fset, id.Pos())
	if _, isPackage := obj.(*types.PkgName); file == "" || isPackage {
		return
	}
	obj = Origin(obj)
	u := use{name: id.Name, tier: tier(p, obj)}
	_, u.typeName = obj.(*types.TypeName)
	if obj.Pkg() != nil {
		if u.path, u.at = c.where(p.Fset, obj.Pos()); u.path == "" {
			u.pkg = obj.Pkg().Path()
		}
	}
	c.uses.files[file][at] = u
}

// where is the place of a position, with the path "" if it is outside of the
// root. Comments that pretend another place are not heeded.
func (c *collector) where(fset *token.FileSet, pos token.Pos) (string, place) {
	if !pos.IsValid() {
		return "", place{}
	}
	w := fset.PositionFor(pos, false)
	file, known := c.paths[w.Filename]
	if !known {
		file = c.inside(w.Filename)
		c.paths[w.Filename] = file
	}
	return file, place{int32(w.Line), int32(w.Column)} //nolint:gosec // go/token has no greater ones
}

// finish takes out what is declared in a published copy of a module that is in
// the root too, for without a workspace that is what modules may see of each
// other: the resolver of facts means the one in the root.
func (c *collector) finish() *Uses {
	for _, uses := range c.uses.files {
		for at, u := range uses {
			if u.path == "" && c.isOurs(u.pkg) {
				delete(uses, at)
			}
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(slices.Sorted(maps.Keys(c.notes)), "\n")))
	c.uses.revision = hex.EncodeToString(sum[:8])
	return c.uses
}

// isOurs reports whether a package is of a module in the root by its import path.
func (c *collector) isOurs(pkg string) bool {
	for ; pkg != "." && pkg != "/" && pkg != ""; pkg = path.Dir(pkg) {
		if c.modules[pkg] {
			return true
		}
	}
	return false
}

// Origin is what a generic object is an instance of.
func Origin(obj types.Object) types.Object {
	switch o := obj.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return obj
}

// tier says by what the resolver of facts would find an object.
func tier(p *packages.Package, obj types.Object) resolve.Tier {
	switch o := obj.(type) {
	case *types.Var:
		if o.IsField() {
			return resolve.TierC
		}
	case *types.Func:
		if o.Signature().Recv() != nil {
			return resolve.TierC
		}
	}
	if obj.Pkg() == p.Types {
		return resolve.TierA
	}
	return resolve.TierB
}
