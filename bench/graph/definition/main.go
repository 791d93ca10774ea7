// Command definition compares what stands at random places of a Go module with
// what go/types says.
//
//	go run ./bench/graph/definition [-places 10000] [-show 20] [-seed 1] DIR [PATTERN...]
//
// A place is right when the first definition of the reply is the one of the type
// checker; of what is outside of the module, when the reply says that it is.
package main

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
)

func main() {
	places := flag.Int("places", 10_000, "how many places to ask for")
	show := flag.Int("show", 20, "how many wrong ones to list")
	seed := flag.Uint64("seed", 1, "of the choice")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *places, *show, *seed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A question is a name in the module, and where it is declared: "" outside of it.
type question struct {
	file         string
	line, column int
	want, what   string
}

func run(ctx context.Context, args []string, places, show int, seed uint64) error {
	if len(args) == 0 {
		return fmt.Errorf("name the folder of a module")
	}
	dir, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	patterns := args[1:]
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	all, err := questions(ctx, dir, patterns)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:min(places, len(all))]
	folder, err := app.OpenFolder(ctx, config.Config{Workers: 2}, dir)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	if _, err := op.BuildGraph.By(ctx, folder, nav.BuildRequest{RepoID: folder.RepoID()}); err != nil {
		return err
	}
	return ask(ctx, folder, all, show)
}

func ask(ctx context.Context, folder *app.Folder, all []question, show int) error {
	right, asked := map[string]int{}, map[string]int{}
	var took []time.Duration
	for _, q := range all {
		start := time.Now()
		resp, err := op.Definition.By(ctx, folder,
			nav.DefinitionRequest{RepoID: folder.RepoID(), FilePath: q.file, Line: q.line, Column: q.column})
		if err != nil {
			return fmt.Errorf("%s:%d:%d: %w", q.file, q.line, q.column, err)
		}
		took = append(took, time.Since(start))
		got := "?"
		if len(resp.Items) > 0 {
			d := resp.Items[0]
			got = fmt.Sprintf("%s:%d:%d", d.FilePath, d.Line, d.Column)
			if d.FilePath == "" {
				got = ""
			}
		} else if m := resp.Meta.Message; m != nil && strings.Contains(*m, "declared outside") {
			got = ""
		}
		for _, kind := range []string{q.what, "all"} {
			asked[kind]++
			if got == q.want {
				right[kind]++
			}
		}
		if got != q.want && show > 0 {
			show--
			fmt.Printf("%s:%d:%d %s: %q, want %q\n", q.file, q.line, q.column, q.what, got, q.want)
		}
	}
	slices.Sort(took)
	for kind, n := range asked {
		fmt.Printf("%-10s %6d %.4f\n", kind, n, float64(right[kind])/float64(n))
	}
	fmt.Printf("p50 %v, p95 %v, max %v\n", took[len(took)/2], took[len(took)*95/100], took[len(took)-1])
	return nil
}

// questions are all names of a module.
func questions(ctx context.Context, dir string, patterns []string) ([]question, error) {
	fset := token.NewFileSet()
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir, Fset: fset, Tests: true, Env: append(os.Environ(), "CGO_ENABLED=0"),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
			packages.NeedImports | packages.NeedDeps | packages.NeedModule,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var all []question
	for _, p := range loaded {
		if len(p.Errors) > 0 || p.TypesInfo == nil {
			continue
		}
		for _, file := range p.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok || id.Name == "_" {
					return true
				}
				if q, ok := about(fset, dir, p.TypesInfo, id); ok && !seen[fmt.Sprint(q.file, q.line, q.column)] {
					seen[fmt.Sprint(q.file, q.line, q.column)] = true
					all = append(all, q)
				}
				return true
			})
		}
	}
	return all, nil
}

func about(fset *token.FileSet, dir string, info *types.Info, id *ast.Ident) (question, bool) {
	file, line, column := place(fset, dir, id.Pos())
	q := question{file: file, line: line, column: column}
	obj := info.Uses[id]
	if obj == nil {
		if obj = info.Defs[id]; obj == nil || file == "" {
			return q, false // a package clause, or the name of a type switch
		}
	}
	if obj.Pkg() == nil && obj.Pos() == token.NoPos { // predeclared
		return q, false
	}
	q.what = kindOf(obj)
	if f, l, c := place(fset, dir, origin(obj).Pos()); f != "" {
		q.want = fmt.Sprintf("%s:%d:%d", f, l, c)
	}
	return q, file != ""
}

// place is where a position is in the module; "" outside of it.
func place(fset *token.FileSet, dir string, pos token.Pos) (file string, line, column int) {
	p := fset.PositionFor(pos, false)
	rel, err := filepath.Rel(dir, p.Filename)
	if err != nil || strings.HasPrefix(rel, "..") || !strings.HasSuffix(rel, ".go") {
		return "", 0, 0
	}
	return filepath.ToSlash(rel), p.Line, p.Column
}

func kindOf(obj types.Object) string {
	switch o := obj.(type) {
	case *types.Var:
		switch {
		case o.IsField():
			return "field"
		case o.Parent() == o.Pkg().Scope():
			return "var"
		}
		return "local"
	case *types.Func:
		if o.Signature().Recv() != nil {
			return "method"
		}
		return "func"
	case *types.PkgName:
		return "package"
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", obj), "*types."))
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
