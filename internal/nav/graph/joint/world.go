package joint

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A jointWorld has the files of the first part as they are and those of each
// other one in a folder of its own, as if they were vendored there. It
// implements resolve.World.
type jointWorld struct {
	parts []jointPart

	defs, folders, languages sync.Map // what was put together, by name
}

type jointPart struct {
	view   *overlay.View
	folder string // "" of the first
	first  resolve.FileID
	files  []atomic.Pointer[facts.File] // with their paths here
}

func newJointWorld(views []*overlay.View) *jointWorld {
	w := &jointWorld{parts: make([]jointPart, len(views))}
	first := resolve.FileID(0)
	for i, v := range views {
		w.parts[i] = jointPart{view: v, first: first}
		if i > 0 {
			w.parts[i].folder = fmt.Sprintf("%s%04d", resolve.MountMark, i)
			w.parts[i].files = make([]atomic.Pointer[facts.File], v.World().Len())
		}
		first += resolve.FileID(v.World().Len())
	}
	return w
}

// partOf is the index of the part that a file is of.
func (w *jointWorld) partOf(id resolve.FileID) int {
	return sort.Search(len(w.parts), func(i int) bool { return w.parts[i].first > id }) - 1
}

// File implements resolve.World. Those of other parts than the first one are without references,
// which nobody asks for.
func (w *jointWorld) File(id resolve.FileID) *facts.File {
	if w.isHome(id) {
		return w.parts[0].view.World().File(id)
	}
	return w.Declared(id)
}

func (w *jointWorld) isHome(id resolve.FileID) bool {
	return len(w.parts) == 1 || id < w.parts[1].first
}

// Declared implements resolve.World.
func (w *jointWorld) Declared(id resolve.FileID) *facts.File {
	if w.isHome(id) {
		return w.parts[0].view.World().Declared(id)
	}
	p := &w.parts[w.partOf(id)]
	id -= p.first
	if f := p.files[id].Load(); f != nil {
		return f
	}
	f := *p.view.World().Declared(id)
	f.Path = p.folder + "/" + f.Path
	p.files[id].CompareAndSwap(nil, &f)
	return p.files[id].Load()
}

// Package implements resolve.Packager.
func (w *jointWorld) Package(id resolve.FileID) string {
	p := &w.parts[w.partOf(id)]
	return p.view.World().Package(id - p.first)
}

// within takes a path apart: the part that it is in, and its path there.
func (w *jointWorld) within(path string) (*jointPart, string) {
	if strings.HasPrefix(path, resolve.MountMark) {
		folder, rest, _ := strings.Cut(path, "/")
		for i := range w.parts {
			if w.parts[i].folder == folder {
				return &w.parts[i], rest
			}
		}
	}
	return &w.parts[0], path
}

// ByPath implements resolve.World.
func (w *jointWorld) ByPath(path string) (resolve.FileID, bool) {
	p, rest := w.within(path)
	id, ok := p.view.World().ByPath(rest)
	return p.first + id, ok
}

// Folder implements resolve.World.
func (w *jointWorld) Folder(dir string) []resolve.FileID {
	p, rest := w.within(dir)
	if p.folder == "" {
		return p.view.World().Folder(rest)
	}
	return kept(&w.folders, dir, func() []resolve.FileID { return p.shifted(p.view.World().Folder(rest)) })
}

// kept remembers lists by name.
func kept[T any](memory *sync.Map, name string, list func() []T) []T {
	if all, ok := memory.Load(name); ok {
		return all.([]T)
	}
	all := list()
	memory.Store(name, all)
	return all
}

func (p *jointPart) shifted(ids []resolve.FileID) []resolve.FileID {
	all := make([]resolve.FileID, len(ids))
	for i, id := range ids {
		all[i] = p.first + id
	}
	return all
}

// Folders implements resolve.World.
func (w *jointWorld) Folders(yield func(dir string) bool) {
	for i := range w.parts {
		p, more := &w.parts[i], true
		p.view.World().Folders(func(dir string) bool {
			if p.folder != "" {
				dir = strings.TrimSuffix(p.folder+"/"+dir, "/")
			}
			more = yield(dir)
			return more
		})
		if !more {
			return
		}
	}
}

// Defs implements resolve.World.
func (w *jointWorld) Defs(name string) []resolve.SymbolID {
	return kept(&w.defs, name, func() (all []resolve.SymbolID) {
		for i := range w.parts {
			for _, s := range w.parts[i].view.World().Defs(name) {
				all = append(all, resolve.SymbolID{File: w.parts[i].first + s.File, Index: s.Index})
			}
		}
		return all
	})
}

// Language implements resolve.World.
func (w *jointWorld) Language(name string) []resolve.FileID {
	return kept(&w.languages, name, func() (all []resolve.FileID) {
		for i := range w.parts {
			all = append(all, w.parts[i].shifted(w.parts[i].view.World().Language(name))...)
		}
		return all
	})
}
