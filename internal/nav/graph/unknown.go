package graph

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// mostTried is how many references of a name Unknown looks at: resolving them
// takes time.
const mostTried = 2000

// Unknown are places that refer by a name to what is not known: neither to a
// symbol of the repository nor to something outside of it. Any of them may be a
// use of what is declared by that name. They are in files whose paths takes
// wants, in order of file and position. all is false when there were too many
// references to look at each.
func (v *View) Unknown(name string, takes func(path string) bool) (places []Place, all bool) {
	r := v.resolver()
	if r == nil {
		return nil, true
	}
	tried := 0
	for _, f := range v.filesWith(name) {
		if !takes(v.w.Path(f)) {
			continue
		}
		refs := v.w.File(f).Refs
		for i := range refs {
			if refs[i].Name != name {
				continue
			}
			if tried++; tried > mostTried {
				slices.SortFunc(places, comparePlaces)
				return places, false
			}
			if res := r.Ref(f, i); len(res.Targets) == 0 && !res.External {
				places = append(places, Place{v.w.Path(f), refs[i].Line, refs[i].Column})
			}
		}
	}
	slices.SortFunc(places, comparePlaces)
	return places, true
}

// An Outside use is a place that takes a name from what is not of the
// repository.
type Outside struct {
	Use

	Import string // the path that it is imported by
	Module string // what the place calls that: "hclog" of hclog.New; "" where the name itself is imported
}

// Outside finds the places that refer by a name to what an import takes from
// outside of the repository, in order of file and position.
func (v *View) Outside(name string) (all []Outside) {
	r, tried := v.resolver(), 0
	if r == nil {
		return nil
	}
	files := v.filesWith(name)
	slices.Sort(files)
	for _, f := range slices.Compact(files) {
		file := v.w.File(f)
		for i := range file.Refs {
			ref := &file.Refs[i]
			if ref.Name != name || tried >= mostTried {
				continue
			}
			at := imported(file, ref)
			if at < 0 {
				continue
			}
			if tried++; len(v.importedFiles(f, at)) > 0 {
				continue
			}
			if res := r.Ref(f, i); len(res.Targets) > 0 {
				continue
			}
			use := Use{
				File: file.Path, Line: ref.Line, Column: ref.Column, Edge: kinds[kindOf(ref.Kind)],
				Tier: resolve.TierB.String(), Confidence: 1,
			}
			if ref.In >= 0 {
				use.In = v.def(resolve.SymbolID{File: f, Index: int32(ref.In)})
			}
			all = append(all, Outside{use, file.Imports[at].Path, ref.Of.String()})
		}
	}
	return all
}

// Includes are the paths by which files of C and C++ include what the repository
// does not have, without what comes with compilers, in order.
func (v *View) Includes() []string { return v.outer() }

func (v *View) readIncludes() []string {
	all := map[string]bool{}
	for p, files := range v.g.includes() {
		if slices.ContainsFunc(files, func(old resolve.FileID) bool { _, same := v.w.now(old); return same }) {
			all[p] = true
		}
	}
	for _, f := range v.w.changedFiles() {
		eachInclude(v.w.changed[f], func(p string) { all[p] = true })
	}
	maps.DeleteFunc(all, func(p string, _ bool) bool {
		return slices.ContainsFunc(v.headers()[path.Base(p)], func(h string) bool { return strings.HasSuffix("/"+h, "/"+p) })
	})
	return slices.Sorted(maps.Keys(all))
}

// HasHeader reports whether another repository may include a file by a path: it
// is there from the root, or from a folder that headers are looked for in.
func (v *View) HasHeader(p string) bool {
	return slices.ContainsFunc(v.headers()[path.Base(p)], func(h string) bool {
		dir, ok := strings.CutSuffix("/"+h, "/"+p)
		return ok && resolve.IsIncludeRoot(strings.TrimPrefix(dir, "/"))
	})
}

// readHeaders are the paths of the files of C and C++, by what they end with.
func (v *View) readHeaders() map[string][]string {
	all := map[string][]string{}
	for _, language := range includers {
		for _, f := range v.w.Language(language) {
			p := v.w.Path(f)
			all[path.Base(p)] = append(all[path.Base(p)], p)
		}
	}
	return all
}

var includers = []string{"C", "C++"}

// includesOf are the files of a graph that include something, by its path.
func includesOf(g *Graph) map[string][]resolve.FileID {
	all := map[string][]resolve.FileID{}
	for _, language := range includers {
		i, ok := g.bisect(g.lang, language)
		if !ok {
			continue
		}
		for _, f := range rows(g.langStarts, g.langFiles, i) {
			eachInclude(&g.declaredNow(f).File, func(p string) {
				if list := all[p]; len(list) == 0 || list[len(list)-1] != f {
					all[p] = append(list, f)
				}
			})
		}
	}
	return all
}

// eachInclude calls f with the paths that a file includes and that do not begin
// at its own folder.
func eachInclude(file *facts.File, f func(p string)) {
	for i := range file.Imports {
		x := &file.Imports[i]
		standard := !strings.Contains(x.Path, "/") && resolve.IsStandardHeader(x.Path)
		if slices.Contains(includers, file.Language) && x.Path != "" && !standard && x.Path == path.Clean(x.Path) &&
			!strings.HasPrefix(x.Path, ".") && !strings.HasPrefix(x.Path, "/") {
			f(x.Path)
		}
	}
}
