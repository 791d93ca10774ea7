package scip

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// implementations takes what a document says of its symbols: which of others they
// implement or override.
func (m *maker) implementations(d *Document, number func(name string) int32) {
	for i := range d.Symbols {
		from := &d.Symbols[i]
		for _, r := range from.Relationships {
			if !r.IsImplementation || r.Symbol == "" || r.Symbol == from.Symbol {
				continue
			}
			to := number(r.Symbol) // before the other: it may move all
			if s := &m.t.symbols[number(from.Symbol)]; !slices.Contains(s.implements, to) {
				s.implements = append(s.implements, to)
			}
		}
	}
}

// A told is a declaration of a file that implements something.
type told struct {
	qualified string
	nth       int32
	symbols   []int32 // that it implements
}

// TellsLinks implements overlay.Teller: whether an index says of something in a file, as it was, that
// it implements or overrides something.
func (r *resolver) TellsLinks(path string) bool {
	n, ok := r.table.find(path)
	return ok && len(r.table.telling(int32(n))) > 0 //nolint:gosec // of files
}

// Told implements overlay.Teller, for files that are as they were.
func (r *resolver) Told(s resolve.SymbolID) (all []resolve.SymbolID) {
	n, ok := r.table.find(r.path(s.File))
	if !ok {
		return nil
	}
	tells := r.table.telling(int32(n)) //nolint:gosec // of files
	if len(tells) == 0 || !r.isSame(s.File, n) {
		return nil
	}
	file := r.world.File(s.File)
	at := nth(file, int(s.Index))
	for _, of := range tells {
		if of.qualified != file.Symbols[s.Index].Qualified || of.nth != at {
			continue
		}
		for _, to := range of.symbols {
			all = append(all, r.targets(&r.table.symbols[to])...)
		}
	}
	return slices.DeleteFunc(all, func(to resolve.SymbolID) bool { return to == s })
}

// Bases implements graph.Resolver.
func (r *resolver) Bases(s resolve.SymbolID) []resolve.Base {
	bases := r.Resolver.Bases(s)
	for _, to := range r.Told(s) {
		if slices.ContainsFunc(bases, func(b resolve.Base) bool { return slices.Contains(b.Targets, to) }) {
			continue
		}
		bases = append(slices.Clip(bases), resolve.Base{Kind: facts.Implements, Resolution: resolve.Resolution{
			Targets: []resolve.SymbolID{to}, Tier: resolve.TierPrecise, Confidence: 1,
		}})
	}
	return bases
}

// Overrides implements graph.Resolver.
func (r *resolver) Overrides(s resolve.SymbolID) []resolve.SymbolID {
	all := r.Resolver.Overrides(s)
	for _, to := range r.Told(s) {
		if !slices.Contains(all, to) {
			all = append(slices.Clip(all), to)
		}
	}
	return all
}
