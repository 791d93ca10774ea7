package gateway

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// A FileFilter chooses files by path, as the filters of a search do.
type FileFilter struct {
	path      filter.Path
	languages filter.Languages
	only      string // tests, code or ""
}

// NewFilter reads the filters of a request.
func NewFilter(path, language, only string) (f FileFilter, err error) {
	if f.path, err = filter.ParsePath(path); err != nil {
		return f, err
	}
	f.languages, err = filter.ParseLanguage(language)
	f.only = only
	return f, err
}

// Match reports whether a file is one of those that are asked for.
func (f FileFilter) Match(p string) bool {
	return f.path.Match(p) && (len(f.languages) == 0 || f.languages.Match(filekind.Language(p))) &&
		(f.only == "" || filekind.IsTest(p) == (f.only == "tests"))
}

// None says that the filter takes no file.
func (f FileFilter) None() string {
	var fits []string
	if !f.path.All() {
		fits = append(fits, fmt.Sprintf("matches path_filter %q", f.path))
	}
	if len(f.languages) > 0 {
		fits = append(fits, "is in "+f.languages[0])
	}
	if f.only != "" {
		fits = append(fits, "is of "+f.only)
	}
	return "no file " + strings.Join(fits, " and ")
}

// A tested graph is which of its files are of tests, by their paths, and which names are declared in these.
type tested struct {
	files []bool
	names []string

	mu sync.Mutex
	by map[string]*[]int32 // numbers of names, by their words; nil: not asked for yet
}

func testsIn(g *graph.Graph) *tested {
	t := &tested{files: make([]bool, g.Tree.Len())}
	for f := range t.files {
		t.files[f] = isOfTests(g.Tree.Path(resolve.FileID(f))) //nolint:gosec // as many as there are
	}
	for name := range g.Names.All {
		if slices.ContainsFunc(g.Names.Defs(name), func(s resolve.SymbolID) bool { return t.files[s.File] }) {
			t.names = append(t.names, name)
		}
	}
	return t
}

// EachWord yields the words of a name; they are valid until the next one.
type EachWord func(name string, yield func(word []byte))

// having are the names that have one of some words.
func (t *tested) having(sought map[string]bool, each EachWord) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = map[string]*[]int32{}
		for i, name := range t.names {
			each(name, func(word []byte) {
				in := t.by[string(word)]
				if in == nil {
					in = &[]int32{}
					t.by[string(word)] = in
				}
				*in = append(*in, int32(i)) //nolint:gosec // names have numbers of 32 bits
			})
		}
	}
	var numbers []int32
	for word := range sought {
		if in := t.by[word]; in != nil {
			numbers = append(numbers, *in...)
		}
	}
	slices.Sort(numbers)
	var names []string
	for _, i := range slices.Compact(numbers) {
		names = append(names, t.names[i])
	}
	return names
}

func isOfTests(p string) bool { return filekind.IsTest(p) || filekind.InTest(p, "", "") }

// InTests reports of each file of a view whether it is one of tests.
func InTests(g *Gateway, v *overlay.View) func(resolve.FileID) bool {
	w := v.World()
	if g.Stored == nil || g.Stored.Graph != w.Base {
		return func(f resolve.FileID) bool { return isOfTests(w.Path(f)) }
	}
	known := g.Stored.tests().files
	return func(f resolve.FileID) bool {
		if old := w.Old(f); old >= 0 {
			return known[old]
		}
		return isOfTests(w.Path(f))
	}
}

// NamesInTests are the names with one of some words that files of tests may declare: all of those that do are among
// them, and others. The words are always those that each yields.
func NamesInTests(g *Gateway, v *overlay.View, sought map[string]bool, each EachWord) iter.Seq[string] {
	w := v.World()
	if g.Stored == nil || g.Stored.Graph != w.Base {
		return w.Names
	}
	return func(yield func(string) bool) {
		for _, name := range slices.Concat(g.Stored.tests().having(sought, each), overlay.NewNames(w)) {
			if !yield(name) {
				return
			}
		}
	}
}

// SaidTests are the functions that say they are tests in files which are as they were when the
// graph of a repository was built, as far as that was asked for. It may be used concurrently.
type SaidTests struct {
	g    *Gateway
	live map[string]bool // files that may be other ones
}

// TestsSaid are those of a repository; edited are files that count as other ones.
func TestsSaid(g *Gateway, edited []string) SaidTests {
	s := SaidTests{g: g, live: map[string]bool{}}
	for _, p := range slices.Concat(edited, g.Verdict.Live) {
		s.live[p] = true
	}
	return s
}

// Tests are the names of those in a file, in order, or nil for all that there are.
func (s SaidTests) Tests(file string) (names []string, known bool) {
	if !s.lasts(file) {
		return nil, false
	}
	s.g.Stored.mu.Lock()
	defer s.g.Stored.mu.Unlock()
	names, known = s.g.Stored.said[file]
	return names, known
}

// Keep notes them of a file with some text.
func (s SaidTests) Keep(file, text string, names []string) {
	if !s.lasts(file) || !isOf(s.g.Stored.hash(file), text) {
		return
	}
	s.g.Stored.mu.Lock()
	defer s.g.Stored.mu.Unlock()
	if s.g.Stored.said == nil {
		s.g.Stored.said = map[string][]string{}
	}
	s.g.Stored.said[file] = names
}

func (s SaidTests) lasts(file string) bool { return s.g.Verdict.Graph && !s.live[file] }

// All reports that the filter takes every file.
func (f FileFilter) All() bool { return f.path.All() && len(f.languages) == 0 && f.only == "" }
