package golang_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/golang"
)

// noImports has the type checker do without other packages: what is local it
// knows all the same.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not here") }

// TestLocalsAgainstTypeChecker compares each local of real packages, and each
// use of one, with what the type checker says.
func TestLocalsAgainstTypeChecker(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and in one goroutine")
	}
	std := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tree that tests are run with
	for _, dir := range []string{"net/http", "go/types", "encoding/json", "slices", "reflect"} {
		files, err := filepath.Glob(filepath.Join(std, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Skipf("SKIPPED: no %s here", dir)
		}
		for _, name := range files {
			compareLocals(t, name)
		}
	}
	if compared < 20_000 {
		t.Errorf("%d places were compared", compared)
	}
}

var compared int

func compareLocals(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	at := func(p token.Pos) string { return fmt.Sprintf("%d:%d", fset.Position(p).Line, fset.Position(p).Column) }
	info := types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{},
	}
	conf := types.Config{Importer: noImports{}, Error: func(error) {}}
	pkg, _ := conf.Check(name, fset, []*ast.File{tree}, &info) // of other packages nothing is known
	locals, err := golang.Locals(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, l := range locals {
		bound := fmt.Sprintf("%d:%d", l.Line, l.Column)
		if got[bound] == "" { // a type that is embedded is used there, and a field too
			got[bound] = bound
		}
		for _, u := range l.Uses {
			got[fmt.Sprintf("%d:%d", u.Line, u.Column)] = bound
		}
	}
	want := map[string]string{}
	for id, obj := range info.Uses {
		if isLocal(pkg, obj) {
			want[at(id.Pos())] = at(obj.Pos())
		}
	}
	for id, obj := range info.Defs {
		if id.Name != "_" && (obj == nil && id != tree.Name || obj != nil && isLocal(pkg, obj)) { // nil: of a type switch
			want[at(id.Pos())] = at(id.Pos())
		}
	}
	for place, bound := range want {
		if compared++; got[place] != bound {
			t.Errorf("%s:%s is bound at %q, want %s", name, place, got[place], bound)
		}
	}
}

// isLocal reports whether an object is bound in a part of a file.
func isLocal(pkg *types.Package, obj types.Object) bool {
	switch o := obj.(type) {
	case *types.PkgName, *types.Label:
		return true
	case *types.Var:
		return !o.IsField() && o.Parent() != nil && o.Parent() != pkg.Scope() && o.Parent() != types.Universe
	}
	return obj.Parent() != nil && obj.Parent() != pkg.Scope() && obj.Parent() != types.Universe
}
