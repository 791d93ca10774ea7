// Command definition compares what stands at random places with what a checker
// says: go/types of a Go module, or what typescript.js or python.py beside this
// wrote about the folder.
//
//	go run ./bench/graph/definition [-places 10000] [-show 20] [-seed 1] DIR [PATTERN...]
//	go run ./bench/graph/definition [-show 20] -truth FILE DIR
//
// A place is right when the first definition of the reply is (one of) the
// checker's; of what is outside of the folder, when the reply says that it is.
package main

import (
	"context"
	"encoding/json"
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

	"github.com/ragnav/ragnav/internal/nav/precise"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == app.ParseWorker { // this program is also its own worker
		if err := app.ServeParser(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	var o options
	flag.IntVar(&o.places, "places", 10_000, "how many places to ask for")
	flag.IntVar(&o.show, "show", 20, "how many wrong ones to list")
	flag.Uint64Var(&o.seed, "seed", 1, "of the choice")
	flag.StringVar(&o.truth, "truth", "", "what a checker said")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type options struct {
	places, show int
	seed         uint64
	truth        string
}

// A question is a name in the folder, and where it is declared: "" outside of it.
type question struct {
	File   string   `json:"file"`
	Line   int      `json:"line"`
	Column int      `json:"column"`
	Name   string   `json:"name"`
	What   string   `json:"what"`
	Want   []string `json:"want"` // one of these
}

func run(ctx context.Context, args []string, o options) error {
	dir, patterns, err := usage.Module(args)
	if err != nil {
		return err
	}
	all, err := said(o.truth)
	if o.truth == "" {
		all, err = checked(ctx, dir, patterns)
		r := rand.New(rand.NewPCG(o.seed, 1))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	if err != nil {
		return err
	}
	all = all[:min(o.places, len(all))]
	folder, err := app.OpenFolder(ctx, config.Config{Workers: 2}, dir)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	if _, err := op.BuildGraph.By(ctx, folder, nav.BuildRequest{RepoID: folder.RepoID()}); err != nil {
		return err
	}
	return ask(ctx, folder, all, o.show)
}

// said are the questions that a checker wrote.
func said(name string) (all []question, err error) {
	if name == "" {
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	return all, err
}

func ask(ctx context.Context, folder *app.Folder, all []question, show int) error {
	right, asked := map[string]int{}, map[string]int{}
	var took []time.Duration
	for _, q := range all {
		start := time.Now()
		resp, err := op.Definition.By(ctx, folder,
			nav.DefinitionRequest{RepoID: folder.RepoID(), FilePath: q.File, Line: q.Line, Column: q.Column})
		took = append(took, time.Since(start))
		got := "?"
		if err != nil { // of a file that is not read, as one that is too long
			got = err.Error()
		} else if len(resp.Items) > 0 {
			d := resp.Items[0]
			got = fmt.Sprintf("%s:%d:%d", d.FilePath, d.Line, d.Column)
			if d.FilePath == "" {
				got = ""
			}
		} else if m := resp.Meta.Message; m != nil && strings.Contains(*m, "declared outside") {
			got = ""
		}
		ok := slices.Contains(q.Want, got)
		for _, kind := range []string{q.What, "all"} {
			asked[kind]++
			if ok {
				right[kind]++
			}
		}
		if !ok && show > 0 {
			show--
			fmt.Printf("%s %s %s: %q, want %q\n", q.place(), q.Name, q.What, got, q.Want)
		}
	}
	slices.Sort(took)
	for kind, n := range asked {
		fmt.Printf("%-10s %6d %.4f\n", kind, n, float64(right[kind])/float64(n))
	}
	fmt.Printf("p50 %v, p95 %v, max %v\n", took[len(took)/2], took[len(took)*95/100], took[len(took)-1])
	return nil
}

// checked are all names of a module.
func checked(ctx context.Context, dir string, patterns []string) ([]question, error) {
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
				if q, ok := about(fset, dir, p.TypesInfo, id); ok && !seen[q.place()] {
					seen[q.place()] = true
					all = append(all, q)
				}
				return true
			})
		}
	}
	return all, nil
}

func (q *question) place() string { return fmt.Sprintf("%s:%d:%d", q.File, q.Line, q.Column) }

func about(fset *token.FileSet, dir string, info *types.Info, id *ast.Ident) (question, bool) {
	file, line, column := place(fset, dir, id.Pos())
	q := question{File: file, Line: line, Column: column, Name: id.Name, Want: []string{""}}
	obj := info.Uses[id]
	if obj == nil {
		if obj = info.Defs[id]; obj == nil || file == "" {
			return q, false // a package clause, or the name of a type switch
		}
	}
	if obj.Pkg() == nil && obj.Pos() == token.NoPos { // predeclared
		return q, false
	}
	q.What = kindOf(obj)
	if f, l, c := place(fset, dir, precise.Origin(obj).Pos()); f != "" {
		q.Want[0] = fmt.Sprintf("%s:%d:%d", f, l, c)
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
