package main

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// A pair is a type and an interface that it satisfies.
type pair struct{ typ, of place }

// pairs finds which types satisfy which interfaces of the same module.
func (g *gold) pairs(list []*packages.Package, at func(*packages.Package, token.Pos) (place, bool)) {
	type named struct {
		t     *types.Named
		at    place
		names map[string]bool
	}
	var all, interfaces []named
	for _, p := range list {
		if p.ID != p.PkgPath || len(p.Errors) > 0 {
			continue
		}
		for _, name := range p.Types.Scope().Names() {
			tn, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			t, ok := tn.Type().(*types.Named)
			where, inside := at(p, tn.Pos())
			if !ok || !inside || t.TypeParams().Len() > 0 {
				continue
			}
			n := named{t, where, map[string]bool{}}
			for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
				n.names[m.Obj().Name()] = true
			}
			if i, ok := t.Underlying().(*types.Interface); ok {
				for m := range i.Methods() {
					n.names[m.Name()] = true
				}
				if i.NumMethods() > 0 && i.IsMethodSet() {
					interfaces = append(interfaces, n)
				}
			}
			all = append(all, n)
			g.types[where] = true
		}
	}
	for _, i := range interfaces {
		iface := i.t.Underlying().(*types.Interface)
		for _, t := range all {
			if t.at == i.at || !t.names[iface.Method(0).Name()] {
				continue
			}
			if types.Implements(t.t, iface) || types.Implements(types.NewPointer(t.t), iface) {
				g.implements[pair{t.at, i.at}] = true
			}
		}
	}
}

// implemented are the pairs that the graph says.
func (o *ours) implemented(g *gold) map[pair]bool {
	out := map[pair]bool{}
	r := resolve.New(o.world, languages.All())
	for f := range o.world.Len() {
		file := o.world.File(resolve.FileID(f))
		for i, s := range file.Symbols {
			where := place{file.Path, s.Line, s.Column}
			if !g.types[where] {
				continue
			}
			for _, b := range r.Bases(resolve.SymbolID{File: resolve.FileID(f), Index: int32(i)}) {
				for _, id := range b.Targets {
					t := o.world.File(id.File).Symbols[id.Index]
					of := place{o.world.File(id.File).Path, t.Line, t.Column}
					if b.Kind == facts.Implements && g.types[of] {
						out[pair{where, of}] = true
					}
				}
			}
		}
	}
	return out
}

func compareImplements(g *gold, o *ours, show int) {
	var s score
	var errors []string
	mine := o.implemented(g)
	for p := range mine {
		if g.implements[p] {
			s.right++
		} else {
			s.wrong++
			errors = append(errors, fmt.Sprintf("wrong: %s implements %s", p.typ, p.of))
		}
	}
	for p := range g.implements {
		if !mine[p] {
			s.missing++
			errors = append(errors, fmt.Sprintf("missing: %s implements %s", p.typ, p.of))
		}
	}
	fmt.Printf("%-18s precision %.4f recall %.4f of %d\n", "implements", s.precision(), s.recall(), s.right+s.missing)
	slices.Sort(errors)
	for i := 0; i < len(errors) && i < show; i++ {
		fmt.Println("  " + errors[i*len(errors)/min(show, len(errors))])
	}
}
