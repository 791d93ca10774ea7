package overlay

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Changes are what changed since a graph was built.
type Changes struct {
	Changed []*facts.File // of files that are new or have another text; Path and Language at least
	Deleted []string
	Hashes  map[string]graph.Hash // of the texts of those that changed, as far as they are known

	// Gone are the paths of files, changed ones or not, in a view that is only asked who used what
	// is in them there, and is gone from them now; nil in others.
	Gone []string
}

// A World is a graph's files with an Overlay. It implements resolve.World.
// Files have the numbers that they will have in a graph of the changed tree:
// their places in the order of paths.
type World struct {
	Base    *graph.Graph
	changed map[resolve.FileID]*facts.File // by number in this World
	hashes  map[string]graph.Hash          // of changed files
	defs    map[string][]resolve.SymbolID  // of changed files
	langs   map[string][]resolve.FileID    // of changed files

	// renumbering, nil as long as no file came or went
	paths  []string
	toOld  []resolve.FileID // -1: new
	toNew  []resolve.FileID // -1: deleted
	sameAs bool             // all changed files kept their shape, and none came or went

	memoDefs, memoLang sync.Map
	folders            func() map[string][]resolve.FileID // when renumbered
}

// NewWorld lays an overlay over a graph.
func NewWorld(g *graph.Graph, o Changes) *World {
	w := &World{Base: g, hashes: o.Hashes, sameAs: true}
	latest := map[string]*facts.File{}
	for _, p := range o.Deleted {
		if _, ok := g.Tree.ByPath(p); ok {
			latest[p] = nil
		}
	}
	for _, f := range o.Changed {
		latest[f.Path] = f
	}
	w.renumber(latest)
	w.place(latest)
	w.folders = sync.OnceValue(w.groupFolders)
	return w
}

// renumber numbers the files anew if some come or go.
func (w *World) renumber(latest map[string]*facts.File) {
	var added []string
	gone := 0
	for p, f := range latest {
		if _, known := w.Base.Tree.ByPath(p); !known {
			added = append(added, p)
		} else if f == nil {
			gone++
		}
	}
	if len(added) == 0 && gone == 0 {
		return
	}
	w.sameAs = false
	slices.Sort(added)
	w.toNew = make([]resolve.FileID, w.Base.Tree.Len())
	n := w.Base.Tree.Len() + len(added) - gone // none is left if it is 0, which nil doesn't say
	w.paths, w.toOld = make([]string, 0, n), make([]resolve.FileID, 0, n)
	add := func(path string, old resolve.FileID) {
		w.paths, w.toOld = append(w.paths, path), append(w.toOld, old)
	}
	for i := range w.Base.Tree.Len() {
		path := w.Base.Tree.Path(resolve.FileID(i))
		for len(added) > 0 && added[0] < path {
			add(added[0], -1)
			added = added[1:]
		}
		if f, touched := latest[path]; touched && f == nil {
			w.toNew[i] = -1
			continue
		}
		w.toNew[i] = resolve.FileID(len(w.paths))
		add(path, resolve.FileID(i))
	}
	for _, p := range added {
		add(p, -1)
	}
}

// place gives the changed files their numbers.
func (w *World) place(latest map[string]*facts.File) {
	w.changed = map[resolve.FileID]*facts.File{}
	w.defs, w.langs = map[string][]resolve.SymbolID{}, map[string][]resolve.FileID{}
	for p, f := range latest {
		if f == nil {
			continue
		}
		id, _ := w.ByPath(p)
		w.changed[id] = f
		if old := w.Old(id); old >= 0 && w.sameAs && graph.ShapeOf(f) != w.Base.Tree.Shape(old) {
			w.sameAs = false
		}
	}
	for _, id := range w.ChangedFiles() {
		f := w.changed[id]
		w.langs[f.Language] = append(w.langs[f.Language], id)
		for i := range f.Symbols {
			name := f.Symbols[i].Name
			w.defs[name] = append(w.defs[name], resolve.SymbolID{File: id, Index: int32(i)})
		}
	}
}

// ChangedFiles are the files of the overlay, in order.
func (w *World) ChangedFiles() []resolve.FileID {
	ids := make([]resolve.FileID, 0, len(w.changed))
	for id := range w.changed {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Old is the number of a file in the graph, or -1.
func (w *World) Old(id resolve.FileID) resolve.FileID {
	if w.toOld == nil {
		return id
	}
	return w.toOld[id]
}

// now is the number in this World of a file of the graph whose facts are still
// those of the graph.
func (w *World) now(old resolve.FileID) (resolve.FileID, bool) {
	id := old
	if w.toNew != nil {
		if id = w.toNew[old]; id < 0 {
			return 0, false
		}
	}
	_, changed := w.changed[id]
	return id, !changed
}

// Len is the number of files; their ids are those below it.
func (w *World) Len() int {
	if w.toOld != nil {
		return len(w.toOld)
	}
	return w.Base.Tree.Len()
}

// Path is that of a file.
func (w *World) Path(id resolve.FileID) string {
	if w.paths != nil {
		return w.paths[id]
	}
	return w.Base.Tree.Path(id)
}

// File implements resolve.World.
func (w *World) File(id resolve.FileID) *facts.File {
	if len(w.changed) > 0 {
		if f, ok := w.changed[id]; ok {
			return f
		}
	}
	return w.Base.Facts.File(w.Old(id))
}

// Declared implements resolve.World.
func (w *World) Declared(id resolve.FileID) *facts.File {
	if f, ok := w.changed[id]; ok {
		return f
	}
	return &w.Base.Facts.Declared(w.Old(id)).File
}

// Hash is that of the text of a file, if it is known.
func (w *World) Hash(id resolve.FileID) (hash graph.Hash, known bool) {
	if _, changed := w.changed[id]; changed {
		hash, known = w.hashes[w.Path(id)]
		return hash, known
	}
	return w.Base.Tree.Hash(w.Old(id)), true
}

// ByPath implements resolve.World.
func (w *World) ByPath(path string) (resolve.FileID, bool) {
	if w.paths == nil {
		return w.Base.Tree.ByPath(path)
	}
	i, ok := slices.BinarySearch(w.paths, path)
	return resolve.FileID(i), ok
}

// Defs implements resolve.World.
func (w *World) Defs(name string) []resolve.SymbolID {
	stored := w.Base.Names.Defs(name)
	if len(w.changed) == 0 && w.toNew == nil {
		return stored
	}
	if all, ok := w.memoDefs.Load(name); ok {
		return all.([]resolve.SymbolID)
	}
	all := slices.Clone(w.defs[name])
	for _, s := range stored {
		if id, ok := w.now(s.File); ok {
			all = append(all, resolve.SymbolID{File: id, Index: s.Index})
		}
	}
	slices.SortFunc(all, graph.CompareSymbols)
	w.memoDefs.Store(name, all)
	return all
}

// Names yields the names of the graph and of what changed files declare, some of
// which may be gone.
func (w *World) Names(yield func(name string) bool) {
	more := true
	w.Base.Names.All(func(name string) bool {
		more = yield(name)
		return more
	})
	for name := range w.defs {
		if !more {
			return
		}
		more = yield(name)
	}
}

// NewNames are those of what changed files of a world declare.
func NewNames(w *World) []string { return slices.Collect(maps.Keys(w.defs)) }

// Folded are the names of declarations of a world that are as long as a name and
// differ from it at most in case, in order.
func Folded(w *World, name string) (all []string) {
	w.Base.Names.Folded(name, func(s string) { all = append(all, s) })
	for s := range w.defs {
		if len(s) == len(name) && strings.EqualFold(s, name) {
			all = append(all, s)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(s string) bool { return len(w.Defs(s)) == 0 })
}

// KeepsShape tells that all changed files look to others as they did, and none
// came or went.
func (w *World) KeepsShape() bool { return w.sameAs }

// Folder implements resolve.World.
func (w *World) Folder(dir string) []resolve.FileID {
	if w.toNew != nil {
		return w.folders()[dir]
	}
	return w.Base.Tree.Folder(dir)
}

// Folders implements resolve.World. They come in order.
func (w *World) Folders(yield func(dir string) bool) {
	if w.toNew == nil {
		w.Base.Tree.Folders(yield)
		return
	}
	for _, dir := range folderNames(w) {
		if !yield(dir) {
			return
		}
	}
}

func folderNames(w *World) []string {
	names := make([]string, 0, len(w.folders()))
	for dir := range w.folders() {
		names = append(names, dir)
	}
	slices.Sort(names)
	return names
}

func (w *World) groupFolders() map[string][]resolve.FileID {
	in := map[string][]resolve.FileID{}
	for i, p := range w.paths {
		dir := FolderOf(p)
		in[dir] = append(in[dir], resolve.FileID(i))
		for dir != "" {
			dir = FolderOf(dir)
			if _, known := in[dir]; !known {
				in[dir] = nil
			}
		}
	}
	return in
}

// Language implements resolve.World.
func (w *World) Language(name string) []resolve.FileID {
	stored := w.Base.Tree.OfLanguage(name)
	if len(w.changed) == 0 && w.toNew == nil {
		return stored
	}
	if all, ok := w.memoLang.Load(name); ok {
		return all.([]resolve.FileID)
	}
	all := slices.Clone(w.langs[name])
	for _, old := range stored {
		if id, ok := w.now(old); ok {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	w.memoLang.Store(name, all)
	return all
}

// commonFolder is the number of the folder that all files are in, among the
// graph's.
func (w *World) commonFolder(files []resolve.FileID) (resolve.FileID, bool) {
	if len(files) == 0 {
		return 0, false
	}
	dir := FolderOf(w.Path(files[0]))
	for _, id := range files[1:] {
		if FolderOf(w.Path(id)) != dir {
			return 0, false
		}
	}
	return w.Base.Tree.FolderNumber(dir), true
}

// FolderOf is the folder of a path, "" for the root.
func FolderOf(path string) string {
	return path[:max(strings.LastIndexByte(path, '/'), 0)]
}
