package usage

import (
	"cmp"
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Ranked declaration is one that others use.
type Ranked struct {
	overlay.Def

	Uses  int // places
	Files int // files of others that they are in
}

// A Flow is from a folder to another one whose declarations its files use.
type Flow struct{ From, To string }

// ranked is how many of the declarations that were used most when the graph was
// built are counted anew.
const ranked = 4000

// Ranking lists the functions and types of files that keep takes by how many
// other files use them, then by how often; uses in files that count does not
// take are none. It gives at most n, and how many are used at all among those
// that it looked at, and how often folders use others.
func Ranking(
	ctx context.Context, v *overlay.View, n int, keep, count func(file string) bool,
) (list []Ranked, used int, flows map[Flow]int) {
	kept, counts := memoized(v, keep, true), memoized(v, count, true)
	flows = map[Flow]int{}
	for _, s := range popular(v, kept) {
		if ctx.Err() != nil {
			break
		}
		r := Ranked{Def: v.World().Def(s)}
		folder := cmp.Or(overlay.FolderOf(r.File), ".")
		last := resolve.FileID(-1)
		uses := v.Uses(ctx, s)
		for i := range uses.Len() {
			f := uses.File(i)
			if !counts(f) {
				continue
			}
			if r.Uses++; f == s.File {
				continue
			}
			if f != last {
				last = f
				r.Files++
			}
			if from := cmp.Or(overlay.FolderOf(v.World().Path(f)), "."); from != folder {
				flows[Flow{from, folder}]++
			}
		}
		if r.Uses > 0 {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b Ranked) int {
		return cmp.Or(b.Files-a.Files, b.Uses-a.Uses, graph.CompareSymbols(a.Symbol, b.Symbol))
	})
	return list[:min(n, len(list))], len(list), flows
}

// popular are the functions and types that had most uses in the graph, and
// those of changed files and with names that changed files mention.
func popular(v *overlay.View, kept func(resolve.FileID) bool) []resolve.SymbolID {
	type counted struct {
		symbol resolve.SymbolID
		uses   int
	}
	var all []counted
	mentioned := mentionedNames(v)
	for f := range resolve.FileID(v.World().Len()) {
		if !kept(f) {
			continue
		}
		counts := v.Counts(f)
		for i := range int32(v.World().Symbols(f)) {
			s := resolve.SymbolID{File: f, Index: i}
			if kind := v.World().Kind(s); !graph.IsCode(kind) && !graph.IsType(kind) {
				continue
			}
			n := int(counts[i])
			if len(mentioned) > 0 && mentioned[v.World().Def(s).Name] {
				n += 1 << 30
			}
			if n > 0 || !v.World().KeepsShape() { // references of files that did not change may mean it now
				all = append(all, counted{s, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b counted) int { return cmp.Or(b.uses-a.uses, graph.CompareSymbols(a.symbol, b.symbol)) })
	fresh := slices.IndexFunc(all, func(c counted) bool { return c.uses < 1<<30 })
	if fresh < 0 {
		fresh = len(all)
	}
	symbols := make([]resolve.SymbolID, 0, min(len(all), ranked+fresh))
	for _, c := range all[:min(len(all), ranked+fresh)] {
		symbols = append(symbols, c.symbol)
	}
	return symbols
}

// mentionedNames are the names that changed files declare or refer to.
func mentionedNames(v *overlay.View) map[string]bool {
	names := map[string]bool{}
	for _, id := range v.World().ChangedFiles() {
		f := v.World().File(id)
		for i := range f.Symbols {
			names[f.Symbols[i].Name] = true
		}
		for i := range f.Refs {
			names[f.Refs[i].Name] = true
		}
	}
	return names
}
