package gateway

import (
	"context"
	"strings"
)

// An Outer interface is one that a module declares which is not indexed, with the
// types that satisfy it.
type Outer struct {
	Symbols

	Module, Name string
}

// SatisfyingOuter finds the types of a repository that satisfy an interface of a
// module that is not indexed, named as "http.Handler" or by a place; known is
// whether what is asked for is such an interface.
func SatisfyingOuter(ctx context.Context, g *Gateway, a Asked) (o Outer, known bool, err error) {
	if a.Name == "" {
		at, err := AtOf(ctx, g, a.File, *a.Line, *a.Column)
		if err != nil || at.View == nil {
			return Outer{}, false, err
		}
		o = Outer{at.Symbols, at.Path, at.Name}
	} else {
		o.View, o.Notes, o.Partial, err = g.Answering(ctx, a.Name)
		if err != nil {
			return Outer{}, false, err
		}
		o.Name = Last(a.Name)
		o.Module = strings.Trim(strings.TrimSuffix(a.Name, o.Name), ".:#/")
	}
	if o.Module == "" {
		return o, false, nil
	}
	defs, module := o.View.Satisfying(o.Module, o.Name)
	o.Defs, o.Module = defs, module
	return o, module != "", nil
}
