package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/ragnav/ragnav/"

// A source is one file of the program, tests left out.
type source struct {
	path, pkg string // relative to the module's root, forward slashes
	lines     int
	imports   []string
	calls     []string // of functions of package os: "os.Getenv"
	receivers []string // types of its methods
	declares  []string // at its top level, and in its types: "Search", "Service.Search"
	naked     []string // where goroutines begin that carry no panic: "line 12: go"
}

func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no sources found")
	}
	return all
}

// parsed parses every Go file below the root of the module, once, whatever its
// build tags. It reads files itself rather than run "go list": what a
// subprocess reads is invisible to the test cache, and a stale pass would hide
// a new import.
var parsed = sync.OnceValues(func() (all []source, err error) {
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && file != root && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		s, err := parse(file)
		s.path = filepath.ToSlash(rel)
		s.pkg = path.Dir(s.path)
		all = append(all, s)
		return err
	})
	return all, err
})

func parse(file string) (source, error) {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	s := source{lines: files.File(tree.FileStart).LineCount()}
	for _, spec := range tree.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, name)
	}
	for _, d := range tree.Decls {
		s.declares = append(s.declares, declared(d)...)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok && f.Recv != nil {
			s.receivers = append(s.receivers, receiver(f.Recv.List[0].Type))
		}
		if how := begins(n); how != "" {
			s.naked = append(s.naked, fmt.Sprintf("line %d: %s", files.Position(n.Pos()).Line, how))
		}
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "os" {
				s.calls = append(s.calls, "os."+sel.Sel.Name)
			}
		}
		return true
	})
	return s, nil
}

// declared are the names of a declaration at the top level of a file.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			return []string{receiver(d.Recv.List[0].Type) + "." + d.Name.Name}
		}
		return []string{d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
				for _, member := range members(spec.Type) {
					for _, name := range member.Names {
						names = append(names, spec.Name.Name+"."+name.Name)
					}
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// members are the fields of a struct, or the methods of an interface.
func members(t ast.Expr) []*ast.Field {
	switch t := t.(type) {
	case *ast.StructType:
		return t.Fields.List
	case *ast.InterfaceType:
		return t.Methods.List
	}
	return nil
}

// receiver is the name of the type of a method's receiver.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// free reports whether a package may import everything: programs do the wiring.
func free(pkg string) bool {
	return strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(pkg, "bench/") || strings.HasPrefix(pkg, "test/")
}

func TestEveryPackageHasItsPlace(t *testing.T) {
	found := map[string]bool{}
	for _, s := range sources(t) {
		if _, known := may[s.pkg]; !known && !free(s.pkg) && !found[s.pkg] {
			t.Errorf("package %s is new: add it to the table in internal/archtest/rules_test.go, with what it may import", s.pkg)
		}
		found[s.pkg] = true
	}
	for pkg := range may {
		if !found[pkg] {
			t.Errorf("package %s is gone: take it out of the table in internal/archtest/rules_test.go", pkg)
		}
	}
}

func TestImportsPointDown(t *testing.T) {
	for _, s := range sources(t) {
		for _, name := range s.imports {
			imp, ours := strings.CutPrefix(name, module)
			if ours && !free(s.pkg) && !slices.Contains(slices.Concat(may[s.pkg], anywhere), imp) {
				t.Errorf("%s: %s must not import %s", s.path, s.pkg, imp)
			}
		}
	}
}

// The table itself has no way up: following it never comes back.
func TestTheTableHasNoCycle(t *testing.T) {
	var visit func(pkg string, above []string)
	visit = func(pkg string, above []string) {
		if slices.Contains(above, pkg) {
			t.Fatalf("%s may import itself through %s", pkg, strings.Join(above, " → "))
		}
		for _, imp := range may[pkg] {
			visit(imp, append(slices.Clone(above), pkg))
		}
	}
	for pkg := range may {
		visit(pkg, nil)
	}
}

func TestLibrariesHaveOneImporter(t *testing.T) {
	for _, s := range sources(t) {
		for _, imp := range s.imports {
			for library, importers := range only {
				within := imp == library || strings.HasPrefix(imp, library+"/")
				if within && !slices.Contains(importers, s.pkg) && (!free(s.pkg) || slices.Contains(notEvenPrograms, library)) {
					t.Errorf("%s: only %s may import %s", s.path, strings.Join(importers, ", "), imp)
				}
			}
		}
	}
}

func TestVocabularyNeedsOnlyTheStandardLibrary(t *testing.T) {
	for _, s := range sources(t) {
		for _, imp := range s.imports {
			first, _, _ := strings.Cut(imp, "/")
			if slices.Contains(vocabulary, s.pkg) && strings.Contains(first, ".") {
				t.Errorf("%s: %s must not import %s", s.path, s.pkg, imp)
			}
		}
	}
}

// Only programs look at their surroundings or end; packages take values and
// return errors.
func TestOnlyProgramsTouchTheProcess(t *testing.T) {
	for _, s := range sources(t) {
		for _, call := range s.calls {
			if !free(s.pkg) && slices.Contains([]string{"os.Getenv", "os.LookupEnv", "os.Setenv", "os.Exit"}, call) {
				t.Errorf("%s: %s belongs in cmd", s.path, call)
			}
		}
	}
}

// begins is how a node begins a goroutine whose panic would end the process: a go statement, or a call of
// Go with a function without a result, which is that of sync.WaitGroup.
func begins(n ast.Node) string {
	if _, ok := n.(*ast.GoStmt); ok {
		return "go"
	}
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return ""
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "Go" {
		return ""
	}
	if f, ok := call.Args[0].(*ast.FuncLit); ok && f.Type.Results != nil {
		return ""
	}
	return "WaitGroup.Go (write the function out, with an error as its result, if it is none)"
}

// A panic that nobody recovers ends the process with all that others asked of it.
func TestGoroutinesCarryPanics(t *testing.T) {
	// Where goroutines are made, and what only tests and measurements run.
	exempt := []string{"internal/parallel", "internal/store/storetest"}
	for _, s := range sources(t) {
		for _, place := range s.naked {
			if !slices.Contains(exempt, s.pkg) && !strings.HasPrefix(s.pkg, "bench/") && !strings.HasPrefix(s.pkg, "test/") {
				t.Errorf("%s, %s: start it with package parallel, which makes an error of a panic", s.path, place)
			}
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	const most = 500
	for _, s := range sources(t) {
		if s.lines > most {
			t.Errorf("%s has %d lines; split it by topic into files of at most %d", s.path, s.lines, most)
		}
	}
}
