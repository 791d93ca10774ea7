package graph_test

import (
	"context"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
)

// A usageOf is who uses a symbol.
type usageOf struct {
	Uses []usage.Use
	Last int // how many of these are in files that come last
	// Of a method: what it implements or overrides, and what implements or overrides it.
	Via, Implementations []overlay.Def
	ViaUses              int // uses of Via
}

func usesOf(ctx context.Context, v *overlay.View, d overlay.Def, o usage.Options) (u usageOf) {
	list := usage.Find(ctx, v, d, o)
	u.Last = list.Last
	for i := range list.Len() {
		u.Uses = append(u.Uses, list.At(i))
	}
	if u.Via, u.ViaUses = usage.Via(ctx, v, d); graph.IsCode(d.Kind) {
		u.Implementations = usage.Implementations(ctx, v, d)
	}
	return u
}
