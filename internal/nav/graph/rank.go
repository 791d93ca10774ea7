package graph

import (
	"cmp"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Ranked declaration is one that others use.
type Ranked struct {
	Def

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
func (v *View) Ranking(n int, keep, count func(file string) bool) (list []Ranked, used int, flows map[Flow]int) {
	kept, counts := v.memoized(keep), v.memoized(count)
	flows = map[Flow]int{}
	for _, s := range v.popular(kept) {
		r := Ranked{Def: v.def(s)}
		folder := cmp.Or(folderOf(r.File), ".")
		last := resolve.FileID(-1)
		for _, e := range v.uses(s) {
			if !counts(e.file) {
				continue
			}
			if r.Uses++; e.file == s.File {
				continue
			}
			if e.file != last {
				last = e.file
				r.Files++
			}
			if from := cmp.Or(folderOf(v.w.Path(e.file)), "."); from != folder {
				flows[Flow{from, folder}]++
			}
		}
		if r.Uses > 0 {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b Ranked) int {
		return cmp.Or(b.Files-a.Files, b.Uses-a.Uses, compareSymbols(a.symbol, b.symbol))
	})
	return list[:min(n, len(list))], len(list), flows
}

// popular are the functions and types that had most uses in the graph, and
// those of changed files and with names that changed files mention.
func (v *View) popular(kept func(resolve.FileID) bool) []resolve.SymbolID {
	type counted struct {
		symbol resolve.SymbolID
		uses   int
	}
	var all []counted
	mentioned := v.mentionedNames()
	for f := range resolve.FileID(v.w.Len()) {
		if !kept(f) {
			continue
		}
		var counts []uint32
		if old := v.w.old(f); old >= 0 {
			counts = v.g.useCounts(old)
		}
		for i := range int32(v.symbols(f)) {
			s := resolve.SymbolID{File: f, Index: i}
			if kind := v.kind(s); !isCode(kind) && !isType(kind) {
				continue
			}
			n := 0
			if old, stayed := v.before(s); stayed {
				n = int(counts[old.Index])
			}
			if len(mentioned) > 0 && mentioned[v.def(s).Name] {
				n += 1 << 30
			}
			if n > 0 || !v.w.sameAs { // references of files that did not change may mean it now
				all = append(all, counted{s, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b counted) int { return cmp.Or(b.uses-a.uses, compareSymbols(a.symbol, b.symbol)) })
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
func (v *View) mentionedNames() map[string]bool {
	names := map[string]bool{}
	for _, f := range v.w.changed {
		for i := range f.Symbols {
			names[f.Symbols[i].Name] = true
		}
		for i := range f.Refs {
			names[f.Refs[i].Name] = true
		}
	}
	return names
}
