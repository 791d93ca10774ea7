package lookup

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
)

// A Pick chooses among definitions.
type Pick struct {
	File string // its path or the end of it; "" any
	Line int    // of its name, or else see choose; 0 any
}

// choose keeps the definitions that were picked. A line is that of the name of
// one. If of none, it is one where the name is bound again (an attribute that
// several methods assign), else it means the innermost around it, else what the
// name stands for where that line uses it.
func (p Pick) choose(ctx context.Context, v *overlay.View, all []overlay.Def) []overlay.Def {
	in := p.inFile(all)
	if p.Line <= 0 {
		return in
	}
	at := slices.DeleteFunc(slices.Clone(in), func(d overlay.Def) bool { return d.Line != p.Line })
	if len(at) > 0 {
		return at
	}
	bound, used := p.meant(ctx, v, all, true)
	if len(bound)+len(used) == 0 {
		bound, used = p.meant(ctx, v, all, false)
	}
	if len(bound) > 0 {
		return bound
	}
	if inner := p.innermost(v, in); len(inner) > 0 {
		return inner
	}
	return used
}

// inFile keeps those of the file, of several whose path ends so that one.
func (p Pick) inFile(all []overlay.Def) []overlay.Def {
	if p.File == "" {
		return all
	}
	in := func(exact bool) []overlay.Def {
		return slices.DeleteFunc(slices.Clone(all), func(d overlay.Def) bool { return !p.isFile(d.File, exact) })
	}
	if exact := in(true); len(exact) > 0 {
		return exact
	}
	return in(false)
}

func (p Pick) isFile(path string, exact bool) bool {
	file := strings.TrimPrefix(p.File, "./")
	return path == file || !exact && endsPath(path, file, false)
}

// innermost keeps those around the line that are the shortest.
func (p Pick) innermost(v *overlay.View, all []overlay.Def) []overlay.Def {
	around := slices.DeleteFunc(slices.Clone(all),
		func(d overlay.Def) bool { return p.Line < v.World().Start(d.Symbol) || p.Line > d.EndLine })
	if len(around) == 0 {
		return nil
	}
	size := func(d overlay.Def) int { return d.EndLine - v.World().Start(d.Symbol) }
	inner := slices.MinFunc(around, func(a, b overlay.Def) int { return cmp.Compare(size(a), size(b)) })
	return slices.DeleteFunc(around, func(d overlay.Def) bool { return size(d) > size(inner) })
}

// meant finds which of the definitions the line binds, and which it uses,
// wherever they are defined. A guess among several counts where there is
// nothing better.
func (p Pick) meant(ctx context.Context, v *overlay.View, all []overlay.Def, exact bool) (bound, used []overlay.Def) {
	if p.File == "" {
		return nil, nil
	}
	var boundMaybe, usedMaybe []overlay.Def
	for _, d := range all {
		uses := v.Uses(ctx, d.Symbol)
		for i := range uses.Len() {
			if !p.isFile(v.World().Path(uses.File(i)), exact) {
				continue
			}
			e := uses.At(i)
			if int(e.Line) != p.Line {
				continue
			}
			list, maybe := &used, &usedMaybe
			if graph.Kinds[e.Kind] == "writes" {
				list, maybe = &bound, &boundMaybe
			}
			if len(e.To) > 1 {
				list = maybe
			}
			*list = append(*list, d)
			break
		}
	}
	if len(bound) == 0 {
		bound = boundMaybe
	}
	if len(used) == 0 {
		used = usedMaybe
	}
	return bound, used
}
