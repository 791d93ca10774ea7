package gateway

import (
	"context"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
)

// nearest is where the local at a place is bound: of several bindings the place
// itself, or the last one on a line before it.
func (at *Spot) nearest() facts.Bound {
	l := at.Local
	best := facts.Bound{Line: l.Line, Column: l.Column, Text: l.Text}
	if at.LocalFile != at.File || (facts.Spot{Line: l.Line, Column: l.Column}).Covers(len(l.Name), at.line, at.column) {
		return best
	}
	for _, b := range l.Again {
		if b.Line < at.line || (facts.Spot{Line: b.Line, Column: b.Column}).Covers(len(l.Name), at.line, at.column) {
			best = b
		}
	}
	return best
}

// ofPath finds the module or package that a part of the path of an import names.
func (at *Spot) ofPath(l *facts.Local) {
	at.imported, at.External = usage.PathFiles(at.View, at.File, l.Import-1, l.Text)
	at.Name = l.Name
	if at.External {
		at.Path = l.Text
	}
}

// ofCall finds the parameter that an argument with a name is for: of the function
// that is called, or of the constructor of the class.
func (at *Spot) ofCall(ctx context.Context, g *Gateway, argument *facts.Local) error {
	called, ok := usage.At(at.View, at.File, argument.Of.Line, argument.Of.Column)
	at.Name, at.Path = argument.Name, ""
	at.External = ok && called.External && len(called.Meanings) == 0
	if !ok {
		return nil
	}
	at.Path = called.Import
	for _, def := range usage.Called(at.View, called.Meanings) {
		text, err := TextOf(ctx, g, def.File)
		if err != nil || text == nil {
			return err
		}
		locals, err := g.Opener.localsOf(ctx, def.File, *text)
		if err != nil {
			return ctx.Err() // as files without facts
		}
		for i := range locals {
			l := &locals[i]
			if l.Kind == "parameter" && l.Name == argument.Name && l.Of.Line == def.Line && l.Of.Column == def.Column {
				at.Local, at.LocalFile = l, def.File
				at.External, at.Path = false, ""
				return nil
			}
		}
	}
	return nil
}
