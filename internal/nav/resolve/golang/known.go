package golang

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Known implements Language for the generic functions and types of the standard
// library that give back what they are given, and for those that give values of its
// interfaces.
func (Language) Known(_ *resolve.Query, _ resolve.FileID, name string) *resolve.Signature {
	if sig := goGeneric[strings.TrimPrefix(name, "golang.org/x/exp/")]; sig != nil {
		return sig
	}
	return goStdResults(name)
}

// goGenericPackages are those that goGeneric speaks of.
var goGenericPackages = map[string]bool{
	"slices": true, "maps": true, "sync": true, "sync/atomic": true, "iter": true, "cmp": true, "errors": true,
	"unique": true,
	"weak":   true, "unsafe": true, "golang.org/x/exp/slices": true, "golang.org/x/exp/maps": true,
}

// The parameters that the signatures below have, and types made of them.
var (
	goE, goK, goV, goS, goM, goT, goU = facts.Name("E"), facts.Name("K"), facts.Name("V"), facts.Name("S"),
		facts.Name("M"), facts.Name("T"), facts.Name("U")

	goList  = facts.List(goE)
	goMap   = facts.Map(goK, goV)
	goSeq   = facts.Map(goE, goE) // a sequence: its first value is a key, its second an element
	goSeq2  = facts.Map(facts.External, goE)
	goValue = facts.Map(goV, goV)
)

// signature is that of a function that takes and gives one thing.
func signature(takes, gives facts.Expr, params ...string) *resolve.Signature {
	s := &resolve.Signature{Params: params, Results: []facts.Expr{gives}}
	if takes != facts.Nothing {
		s.ParameterTypes = []facts.Expr{takes}
	}
	return s
}

// ofList is that of one of any type that is a list of E.
func ofList(gives facts.Expr) *resolve.Signature {
	s := signature(goS, gives, "S", "E")
	s.Bounds = []facts.Expr{goList}
	return s
}

// pull is that of a function that gives two functions, to go on and to stop.
func pull(takes facts.Expr, next []facts.Expr, params ...string) *resolve.Signature {
	return &resolve.Signature{
		Params: params, ParameterTypes: []facts.Expr{takes},
		Results: []facts.Expr{facts.Func(append(next, facts.External)...), facts.Func()},
	}
}

// Shapes that many of the functions have.
var (
	goSame    = ofList(goS)
	goElement = ofList(goE)
	goSorted  = signature(goSeq, goList, "E")
	goOfType  = signature(facts.Nothing, goT, "T")
)

// goGeneric are functions by import path and name.
var goGeneric = map[string]*resolve.Signature{
	"slices.Clone": goSame, "slices.Clip": goSame, "slices.Grow": goSame, "slices.Compact": goSame,
	"slices.CompactFunc": goSame,
	"slices.Delete":      goSame, "slices.DeleteFunc": goSame, "slices.Insert": goSame, "slices.Replace": goSame,
	"slices.Repeat":    goSame,
	"slices.AppendSeq": goSame, "slices.Concat": goSame,
	"slices.Max": goElement, "slices.Min": goElement, "slices.MaxFunc": goElement, "slices.MinFunc": goElement,
	"slices.Collect": goSorted, "slices.Sorted": goSorted, "slices.SortedFunc": goSorted,
	"slices.SortedStableFunc": goSorted,
	"slices.All":              signature(goList, goSeq2, "E"), "slices.Backward": signature(goList, goSeq2, "E"),
	"slices.Values": signature(goList, goSeq, "E"), "slices.Chunk": ofList(facts.Map(goS, goS)),
	"maps.Clone": signature(goM, goM, "M"), "maps.Collect": signature(goMap, goMap, "K", "V"),
	"maps.All":  signature(goMap, goMap, "K", "V"),
	"maps.Keys": signature(goMap, facts.Map(goK, goK), "K", "V"), "maps.Values": signature(goMap, goValue, "K", "V"),
	"iter.Pull":          pull(goValue, []facts.Expr{goV}, "V"),
	"iter.Pull2":         pull(goMap, []facts.Expr{goK, goV}, "K", "V"),
	"sync.OnceValue":     signature(facts.Func(goT), facts.Func(goT), "T"),
	"sync.OnceValues":    signature(facts.Func(goT, goU), facts.Func(goT, goU), "T", "U"),
	"unsafe.Slice":       signature(goT, facts.List(goT), "T"),
	"cmp.Or":             signature(goT, goT, "T"),
	"errors.AsType":      goOfType,
	"weak.Make":          signature(goT, goT, "T"),
	"weak.Pointer.Value": goOfType, "unique.Handle.Value": goOfType,
	"sync/atomic.Pointer.Load": goOfType, "sync/atomic.Pointer.Swap": goOfType,
}

// Common implements Language.
func (Language) Common(name string) bool { return goCommon[name] }
