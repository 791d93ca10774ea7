package resolve

import "strings"

// Known implements Knowing for the generic functions and types of the standard
// library that give back what they are given.
func (goLanguage) Known(_ *Query, _ FileID, name string) *Signature {
	return goGeneric[strings.TrimPrefix(name, "golang.org/x/exp/")]
}

// goGenericPackages are those that goGeneric speaks of.
var goGenericPackages = map[string]bool{
	"slices": true, "maps": true, "sync": true, "sync/atomic": true, "iter": true, "cmp": true, "errors": true, "unique": true,
	"weak": true, "unsafe": true, "golang.org/x/exp/slices": true, "golang.org/x/exp/maps": true,
}

func generic(params, bounds, takes, results string) *Signature {
	return &Signature{Params: split(params), Bounds: split(bounds), Takes: split(takes), Results: split(results)}
}

// Shapes that many of the functions have.
var (
	goSame    = generic("S;E", "~list<E>", "S", "S")
	goElement = generic("S;E", "~list<E>", "S", "E")
	goSorted  = generic("E", "", "~map<E;E>", "~list<E>")
	goOfType  = generic("T", "", "", "T")
)

// goGeneric are functions by import path and name. A sequence is written as
// package facts says: its first value is a key, its second an element.
var goGeneric = map[string]*Signature{
	"slices.Clone": goSame, "slices.Clip": goSame, "slices.Grow": goSame, "slices.Compact": goSame, "slices.CompactFunc": goSame,
	"slices.Delete": goSame, "slices.DeleteFunc": goSame, "slices.Insert": goSame, "slices.Replace": goSame, "slices.Repeat": goSame,
	"slices.AppendSeq": goSame, "slices.Concat": goSame,
	"slices.Max": goElement, "slices.Min": goElement, "slices.MaxFunc": goElement, "slices.MinFunc": goElement,
	"slices.Collect": goSorted, "slices.Sorted": goSorted, "slices.SortedFunc": goSorted, "slices.SortedStableFunc": goSorted,
	"slices.All": generic("E", "", "~list<E>", "~map<~ext;E>"), "slices.Backward": generic("E", "", "~list<E>", "~map<~ext;E>"),
	"slices.Values": generic("E", "", "~list<E>", "~map<E;E>"), "slices.Chunk": generic("S;E", "~list<E>", "S", "~map<S;S>"),
	"maps.Clone": generic("M", "", "M", "M"), "maps.Collect": generic("K;V", "", "~map<K;V>", "~map<K;V>"),
	"maps.All":  generic("K;V", "", "~map<K;V>", "~map<K;V>"),
	"maps.Keys": generic("K;V", "", "~map<K;V>", "~map<K;K>"), "maps.Values": generic("K;V", "", "~map<K;V>", "~map<V;V>"),
	"iter.Pull":          generic("V", "", "~map<V;V>", "~func<V;~ext>;~func<>"),
	"iter.Pull2":         generic("K;V", "", "~map<K;V>", "~func<K;V;~ext>;~func<>"),
	"sync.OnceValue":     generic("T", "", "~func<T>", "~func<T>"),
	"sync.OnceValues":    generic("T;U", "", "~func<T;U>", "~func<T;U>"),
	"unsafe.Slice":       generic("T", "", "T", "~list<T>"),
	"cmp.Or":             generic("T", "", "T", "T"),
	"errors.AsType":      goOfType,
	"weak.Make":          generic("T", "", "T", "T"),
	"weak.Pointer.Value": goOfType, "unique.Handle.Value": goOfType,
	"sync/atomic.Pointer.Load": goOfType, "sync/atomic.Pointer.Swap": goOfType,
}
