package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// gold is what VTA says.
type gold struct {
	dir       string
	functions map[place]bool // of the module, with bodies
	names     map[place]string
	calls     map[call]way
}

// A way is how a function calls another one.
type way string

// The ways, the plainest last.
const (
	byValue   way = "function value"
	byForeign way = "interface of another module"
	byOwn     way = "interface of the module"
	directly  way = "directly"
)

// ways are all of them.
var ways = []way{byValue, byForeign, byOwn, directly}

// check finds the call graph of a module with its tests, and of all that it needs.
func check(dir string, patterns []string) (*gold, error) {
	cfg := &packages.Config{
		Mode: packages.LoadAllSyntax, Dir: dir, Tests: true,
		Env: append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off"),
	}
	list, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	prog, _ := ssautil.AllPackages(list, ssa.InstantiateGenerics)
	prog.Build()
	all := ssautil.AllFunctions(prog)
	of := vta.CallGraph(all, cha.CallGraph(prog))
	g := &gold{dir: dir, functions: map[place]bool{}, names: map[place]string{}, calls: map[call]way{}}
	for f := range all {
		g.add(dir, prog, f)
	}
	for f, node := range of.Nodes {
		if from, ok := within(dir, prog, f); ok {
			g.follow(prog, from, node, "", map[*callgraph.Node]bool{})
		}
	}
	fmt.Printf("%s: %d packages, %d functions with those of other modules\n", dir, len(list), len(all))
	return g, nil
}

func (g *gold) add(dir string, prog *ssa.Program, f *ssa.Function) {
	if at, ok := within(dir, prog, f); ok {
		g.functions[at], g.names[at] = true, fmt.Sprintf("%s %s", at, f.Name())
	}
}

// follow adds what a function calls, through wrappers; by is how the wrapper was
// called. What calls itself by a function inside of it is no call.
func (g *gold) follow(prog *ssa.Program, from place, n *callgraph.Node, by way, seen map[*callgraph.Node]bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	for _, e := range n.Out {
		how := by
		if how == "" {
			how = wayOf(g.dir, prog, e)
		}
		c, ok := call{from: from}, false
		if c.to, ok = within(g.dir, prog, e.Callee.Func); ok {
			if before := g.calls[c]; slices.Index(ways, how) > slices.Index(ways, before) && c.from != c.to {
				g.calls[c] = how
			}
		} else if e.Callee.Func.Synthetic != "" {
			g.follow(prog, from, e.Callee, how, seen)
		}
	}
}

// wayOf is how a call is written.
func wayOf(dir string, prog *ssa.Program, e *callgraph.Edge) way {
	if e.Site == nil {
		return directly
	}
	common := e.Site.Common()
	switch {
	case !common.IsInvoke() && common.StaticCallee() != nil:
		return directly
	case !common.IsInvoke():
		return byValue
	}
	rel, err := filepath.Rel(dir, prog.Fset.PositionFor(common.Method.Pos(), false).Filename)
	if err != nil || rel == "" || strings.HasPrefix(rel, "..") || !common.Method.Pos().IsValid() {
		return byForeign
	}
	return byOwn
}

// within is where a function of the module is declared that has a body; of what is
// inside of another one, that one.
func within(dir string, prog *ssa.Program, f *ssa.Function) (place, bool) {
	if f == nil {
		return place{}, false
	}
	for f.Parent() != nil {
		f = f.Parent()
	}
	if f.Origin() != nil {
		f = f.Origin()
	}
	if f.Synthetic != "" || f.Syntax() == nil {
		return place{}, false
	}
	at := prog.Fset.PositionFor(f.Pos(), false)
	rel, err := filepath.Rel(dir, at.Filename)
	if err != nil || strings.HasPrefix(rel, "..") {
		return place{}, false
	}
	return place{filepath.ToSlash(rel), at.Line}, true
}
