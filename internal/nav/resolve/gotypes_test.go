package resolve_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// checker type-checks the packages of an archive, module example.com/m. What
// is not there comes from the standard library, or is left out.
type checker struct {
	fset  *token.FileSet
	std   types.Importer
	files map[string][]*ast.File // by folder
	done  map[string]*types.Package
	info  types.Info
}

func (c *checker) Import(p string) (*types.Package, error) {
	rest, ok := strings.CutPrefix(p, "example.com/m")
	if !ok {
		if !strings.Contains(p, ".") {
			return c.std.Import(p)
		}
		return nil, fmt.Errorf("%s is not here", p)
	}
	dir := path.Join(".", rest)
	if pkg := c.done[dir]; pkg != nil {
		return pkg, nil
	}
	conf := types.Config{Importer: c, Error: func(error) {}}
	// errors are of imports that are not here, and of names not used
	pkg, _ := conf.Check(p, c.fset, c.files[dir], &c.info)
	c.done[dir] = pkg
	return pkg, nil
}

// TestGoAgainstTypeChecker compares every use of everything in the archives
// with what the type checker says.
func TestGoAgainstTypeChecker(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the standard library")
	}
	fset := token.NewFileSet()
	std := importer.ForCompiler(fset, "source", nil)
	for _, name := range []string{"scopes", "members", "generics"} {
		t.Run(name, func(t *testing.T) {
			a := archives(t)[name]
			c := &checker{fset: fset, std: std, files: map[string][]*ast.File{}, done: map[string]*types.Package{}}
			c.info = types.Info{Uses: map[*ast.Ident]types.Object{}}
			for _, f := range a.Files {
				if path.Ext(f.Name) == ".go" {
					tree, err := parser.ParseFile(fset, f.Name, f.Data, parser.SkipObjectResolution)
					if err != nil {
						t.Fatal(err)
					}
					c.files[path.Dir(f.Name)] = append(c.files[path.Dir(f.Name)], tree)
				}
			}
			for dir := range c.files {
				if _, err := c.Import(path.Join("example.com/m", dir)); err != nil {
					t.Fatal(err)
				}
			}
			compareUses(t, a, c)
		})
	}
}

func compareUses(t *testing.T, a *txtar.Archive, c *checker) {
	t.Helper()
	uses := map[string]string{}
	for id, obj := range c.info.Uses {
		uses[place(c.fset, id.Pos())] = place(c.fset, origin(obj).Pos())
	}
	w := goWorld(t, a)
	r := resolve.New(w, languages.All())
	declared, checked := map[string]bool{}, 0
	for f := range w.Len() {
		file := w.File(resolve.FileID(f))
		for _, s := range file.Symbols {
			declared[fmt.Sprintf("%s:%d:%d", file.Path, s.Line, s.Column)] = true
		}
	}
	got := map[string]string{}
	for f := range w.Len() {
		file := w.File(resolve.FileID(f))
		for i, res := range r.Refs(resolve.FileID(f)) {
			use := fmt.Sprintf("%s:%d:%d", file.Path, file.Refs[i].Line, file.Refs[i].Column)
			for _, target := range res.Targets {
				s := w.File(target.File).Symbols[target.Index]
				got[use] = fmt.Sprintf("%s:%d:%d", w.File(target.File).Path, s.Line, s.Column)
				if uses[use] != "" && uses[use] != got[use] {
					t.Errorf("%s: %s is %s, want %s", use, s.Name, got[use], uses[use])
				}
			}
		}
	}
	for use, def := range uses {
		if declared[def] {
			checked++
			if got[use] != def {
				t.Errorf("%s: got %q, want %s", use, got[use], def)
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d uses were checked", checked)
	}
}

func place(fset *token.FileSet, pos token.Pos) string {
	p := fset.Position(pos)
	return fmt.Sprintf("%s:%d:%d", p.Filename, p.Line, p.Column)
}

func origin(obj types.Object) types.Object {
	switch o := obj.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return obj
}
