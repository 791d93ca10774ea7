package main

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ragnav/ragnav/internal/nav/precise"
)

// checked loads modules together and finds what each declares and others use.
func checked(modules []string) ([]symbol, error) {
	if len(modules) == 0 {
		return nil, nil
	}
	roots := map[string]string{} // folders to repositories
	var patterns []string
	for _, m := range modules {
		dir, repo, ok := strings.Cut(m, "=")
		abs, err := filepath.Abs(dir)
		if !ok || err != nil {
			return nil, fmt.Errorf("%s is no DIR=REPO_ID", m)
		}
		roots[abs], patterns = repo, append(patterns, abs+"/...")
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
		packages.NeedImports | packages.NeedDeps
	list, err := packages.Load(&packages.Config{Mode: mode, Tests: true}, patterns...)
	if err != nil {
		return nil, err
	}
	g := gold{roots: roots, found: map[place]*symbol{}, uses: map[place]map[place]bool{}}
	bad := 0
	for _, p := range list {
		if len(p.Errors) > 0 {
			bad++
		}
		g.read(p)
	}
	fmt.Printf("%d packages, %d with errors\n", len(list), bad)
	return g.symbols(), nil
}

// seen are the files of Go that were checked: those for other systems and tags
// are not, and what the graph says of them does not count.
var seen = map[string]bool{}

type gold struct {
	roots map[string]string
	found map[place]*symbol
	uses  map[place]map[place]bool
}

// at is a position in one of the modules.
func (g *gold) at(fset *token.FileSet, pos token.Pos) (place, bool) {
	p := fset.Position(pos)
	for root, repo := range g.roots {
		if rel, err := filepath.Rel(root, p.Filename); err == nil && !strings.HasPrefix(rel, "..") {
			return place{repo, filepath.ToSlash(rel), p.Line, p.Column}, true
		}
	}
	return place{}, false
}

func (g *gold) read(p *packages.Package) {
	for _, f := range p.Syntax {
		if at, ok := g.at(p.Fset, f.Package); ok {
			seen[at.Repo+":"+at.File] = true
		}
	}
	for id, obj := range p.TypesInfo.Uses {
		if _, isPackage := obj.(*types.PkgName); isPackage || obj.Pkg() == nil {
			continue
		}
		if declared, ok := g.at(p.Fset, precise.Origin(obj).Pos()); ok {
			if used, ok := g.at(p.Fset, id.Pos()); ok && used.Repo != declared.Repo {
				g.add(declared, obj.Name(), used)
			}
		}
	}
}

func (g *gold) add(declared place, name string, used place) {
	s := g.found[declared]
	if s == nil {
		s = &symbol{place: declared, Name: name}
		g.found[declared], g.uses[declared] = s, map[place]bool{}
	}
	if !g.uses[declared][used] {
		g.uses[declared][used] = true
		s.Uses = append(s.Uses, used)
	}
}

func (g *gold) symbols() (all []symbol) {
	for _, s := range g.found {
		all = append(all, *s)
	}
	return all
}
