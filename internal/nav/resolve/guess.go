package resolve

import (
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// confidence is the share of each tier that was right where it was measured
// (bench/RESULTS.md, Graph). That of D to F is of Go when no receiver's type is
// known, which is the worst that can be.
var confidence = map[Tier]float32{TierA: 1, TierB: 1, TierC: 0.999, TierD: 0.9, TierE: 0.75, TierF: 0.35}

// confidenceOf is that of a tier in the language of a file.
func confidenceOf(q *Query, f FileID, t Tier) float32 {
	return q.LanguageOf(f).Confidence(t)
}

// guess compares names, for a member of something that is not known.
func guess(q *Query, f FileID, ref *facts.Ref) Resolution {
	if ref.Kind == facts.Imported && q.isStructural(f) { // of a file without facts: no module exports a member
		return Resolution{}
	}
	if q.LanguageOf(f).Common(ref.Name) {
		return Resolution{External: q.isStructural(f) && len(q.World().Defs(ref.Name)) == 0}
	}
	all := membersNamed(q, f, ref)
	if !q.isStructural(f) { // where a member of another kind may be called that is no function
		all = possible(q, ref, all)
	}
	switch {
	case len(all) == 0:
		return Resolution{}
	case isOne(q, all) && q.LanguageOf(f).IsOneOfMany(q.Symbol(all[0])):
		return Resolution{Targets: all, Tier: TierF, Confidence: confidenceOf(q, f, TierF)}
	case isOne(q, all):
		return Resolution{Targets: all, Tier: TierD, Confidence: confidenceOf(q, f, TierD)}
	}
	near := nearOf(q, f, all)
	if isOne(q, near) && confidenceOf(q, f, TierE) > 0 {
		return Resolution{Targets: near, Tier: TierE, Confidence: confidenceOf(q, f, TierE)}
	}
	if len(near) < 2 {
		near = all
	}
	if len(near) <= MaxTargets {
		return Resolution{Targets: near, Tier: TierF, Confidence: confidenceOf(q, f, TierF)}
	}
	return Resolution{}
}

// isOne reports whether symbols are one: a single one, or a prototype and what defines it.
func isOne(q *Query, list []SymbolID) bool {
	if len(list) != 2 {
		return len(list) == 1
	}
	s, other := q.Symbol(list[0]), q.Symbol(list[1])
	return s.Prototype != other.Prototype && s.Qualified == other.Qualified
}

// membersNamed are the members of that name in the language of a file that a
// reference of that kind may mean.
func membersNamed(q *Query, f FileID, ref *facts.Ref) []SymbolID {
	var out []SymbolID
	for _, id := range q.World().Defs(ref.Name) {
		s := q.Symbol(id)
		if s.Parent < 0 && s.Owner == facts.Nothing || q.LanguageOf(id.File) != q.LanguageOf(f) {
			continue
		}
		if s.Owner == facts.Nothing && s.Parent >= 0 && IsFunction(&q.File(id.File).Symbols[s.Parent]) && q.isStructural(f) {
			continue // of what a function takes or returns: others have such members too
		}
		if ref.Kind == facts.Call && !IsFunction(s) || ref.Kind == facts.Write && IsFunction(s) {
			continue
		}
		if out = append(out, id); len(out) > 64 {
			break
		}
	}
	return out
}

// nearOf are those of a file's own folder and of what it imports.
func nearOf(q *Query, f FileID, list []SymbolID) []SymbolID {
	folders := nearFolders(q, f)
	var out []SymbolID
	for _, id := range list {
		if _, near := slices.BinarySearch(folders, path.Dir(q.File(id.File).Path)); near {
			out = append(out, id)
		}
	}
	return out
}

type nearKey struct{ file FileID }

// nearFolders are the folders of a file and of what it imports, in order. Many references of a
// file are guessed.
func nearFolders(q *Query, f FileID) []string {
	return Once(q, nearKey{f}, func() []string {
		q, file := q.Anew(), q.File(f)
		folders := []string{path.Dir(file.Path)}
		for i := range file.Imports {
			for _, other := range q.LanguageOf(f).Import(q, f, i) {
				folders = append(folders, path.Dir(q.File(other).Path))
			}
		}
		slices.Sort(folders)
		return slices.Clone(slices.Compact(folders))
	})
}
