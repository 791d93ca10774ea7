package overlay

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Headers are the files of C and C++ of a world, and what they include.
type Headers struct {
	w       *World
	headers func() map[string][]string // by the last parts of their paths
	outer   func() []string            // what is included and is not here
}

func headersOf(w *World) *Headers {
	h := &Headers{w: w}
	h.headers, h.outer = sync.OnceValue(h.read), sync.OnceValue(h.readMissing)
	return h
}

// Missing are the paths by which files of C and C++ include what the repository
// does not have, without what comes with compilers, in order.
func (h *Headers) Missing() []string { return h.outer() }

func (h *Headers) readMissing() []string {
	all := map[string]bool{}
	for p, files := range h.w.Base.Facts.Includes() {
		if slices.ContainsFunc(files, func(old resolve.FileID) bool { _, same := h.w.now(old); return same }) {
			all[p] = true
		}
	}
	for _, f := range h.w.ChangedFiles() {
		graph.EachInclude(h.w.changed[f], func(p string) { all[p] = true })
	}
	maps.DeleteFunc(all, func(p string, _ bool) bool {
		is := func(header string) bool { return strings.HasSuffix("/"+header, "/"+p) }
		return slices.ContainsFunc(h.headers()[path.Base(p)], is)
	})
	return slices.Sorted(maps.Keys(all))
}

// Has reports whether another repository may include a file by a path: it
// is there from the root, or from a folder that headers are looked for in.
func (h *Headers) Has(p string) bool {
	return slices.ContainsFunc(h.headers()[path.Base(p)], func(at string) bool {
		dir, ok := strings.CutSuffix("/"+at, "/"+p)
		return ok && resolve.IsIncludeRoot(strings.TrimPrefix(dir, "/"))
	})
}

// read are the paths of the files of C and C++, by what they end with.
func (h *Headers) read() map[string][]string {
	all := map[string][]string{}
	for _, language := range graph.Includers {
		for _, f := range h.w.Language(language) {
			p := h.w.Path(f)
			all[path.Base(p)] = append(all[path.Base(p)], p)
		}
	}
	return all
}
