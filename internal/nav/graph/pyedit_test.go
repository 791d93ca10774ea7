//go:build cgo

package graph_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// grammars read Python and Java.
type grammars struct{}

func (grammars) Revision(string) string { return "1" }

func (grammars) Facts(_ context.Context, p, language, text string) (*facts.File, error) {
	f, err := treesitter.New().Facts(parse.File{Path: p, Language: language, Text: text})
	return &f, err
}

// examples are the files with an extension of some examples of package resolve.
func examples(t *testing.T, extension string, names ...string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, name := range names {
		ar, err := txtar.ParseFile(filepath.Join("..", "resolve", "testdata", "graph", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if strings.HasSuffix(f.Name, extension) {
				texts[f.Name] = string(f.Data)
			}
		}
	}
	return texts
}

func grammarGraph(t *testing.T, texts map[string]string, previous *graph.Graph) *graph.Graph {
	t.Helper()
	in := build.Input{
		Extract: grammars{}, Resolver: goResolver,
		Read: func(_ context.Context, p string) (string, error) { return texts[p], nil },
	}
	for p, text := range texts {
		in.Sources = append(in.Sources, build.Source{Path: p, Language: languageOf(p), Hash: sha256.Sum256([]byte(text))})
	}
	g, _, err := build.Graph(t.Context(), in, previous)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var (
	pyDeclaration = regexp.MustCompile(`(?m)^ *(?:def|class) (\w+)`)
	pyClass       = regexp.MustCompile(`(?m)^class (\w+)(\([\w, ]*\))?:.*\n`)
	pyImport      = regexp.MustCompile(`(?m)^from (\S+) import (\w+)`)
)

// editPython changes a file somewhere.
func editPython(r *rand.Rand, texts map[string]string) {
	paths := slices.Sorted(maps.Keys(texts))
	p := paths[r.IntN(len(paths))]
	text := texts[p]
	word := "added"
	if all := pyDeclaration.FindAllStringSubmatch(text, -1); len(all) > 0 {
		word = all[r.IntN(len(all))][1]
	}
	class := func(change func(head, name string) string) string {
		all := pyClass.FindAllStringSubmatch(text, -1)
		if len(all) == 0 {
			return text
		}
		m := all[r.IntN(len(all))]
		return strings.Replace(text, m[0], change(m[0], m[1]), 1)
	}
	switch r.IntN(10) {
	case 0:
		delete(texts, p)
		return
	case 1: // the file moves
		delete(texts, p)
		p = filepath.ToSlash(filepath.Join(filepath.Dir(p), "moved.py"))
	case 2: // the declaration alone is renamed
		text = strings.Replace(text, "def "+word+"(", "def "+word+"2(", 1)
	case 3: // all in the file are renamed
		text = regexp.MustCompile(`\b`+word+`\b`).ReplaceAllString(text, word+"2")
	case 4: // a constructor is written, by which a record is none
		text = class(func(head, _ string) string {
			return strings.TrimRight(head, " .\n") + "\n    def __init__(self, x): ...\n"
		})
	case 5: // other bases
		text = class(func(_, name string) string {
			return "class " + name + "(" + []string{"Root", "Base", "Point", "Codec"}[r.IntN(4)] + "):\n"
		})
	case 6: // a decorator comes
		text = strings.Replace(text, "\nclass ", "\n@dataclass\nclass ", 1+r.IntN(2))
	case 7: // an import gets an alias
		text = pyImport.ReplaceAllString(text, "from $1 import $2 as "+word+", $2")
	case 8: // a body changes
		text = strings.Replace(text, "return ", "return "+word+"() or ", 1+r.IntN(3))
	case 9: // lines move
		text = strings.Replace(text, "\n\n", "\n\n# moved\n\n", 1)
	}
	texts[p] = text
}

// As TestOverlayIsARebuild, with Python files.
func TestEditedPythonIsARebuild(t *testing.T) {
	before := examples(t, ".py", "python", "python_scopes")
	old := grammarGraph(t, before, nil)
	if old.Stats().Edges < 100 {
		t.Fatalf("%d edges", old.Stats().Edges)
	}
	seeds := []uint64{111} // __call__ is renamed, which nobody mentions
	for seed := range uint64(30) {
		if !testing.Short() || seed < 5 {
			seeds = append(seeds, seed)
		}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 5))
			after := maps.Clone(before)
			for range 1 + seed%3 {
				editPython(r, after)
			}
			clean := grammarGraph(t, after, nil)
			if again := grammarGraph(t, after, old); again.ID() != clean.ID() {
				t.Errorf("incremental build %s, clean build %s", again.ID(), clean.ID())
			}
			got := overlay.Lay(old, overlayOf(t, grammars{}, before, after), goResolver)
			want := overlay.Lay(clean, overlay.Changes{}, goResolver)
			checkAll(t, want, got)
			checkHeirs(t, want, got)
		})
	}
}

// checkHeirs compares what classes inherit.
func checkHeirs(t *testing.T, want, got *overlay.View) {
	t.Helper()
	w := want.World()
	for f := range resolve.FileID(w.Len()) {
		for _, s := range w.File(f).Symbols {
			if s.Kind != "class" {
				continue
			}
			for _, member := range []string{"run", "only", "price", "x", "encode", "explain"} {
				name := w.Path(f) + ":" + s.Qualified + "." + member
				none := lookup.Pick{}
				ctx := t.Context()
				same(t, "inheritance of "+name, lookup.Inherited(ctx, want, name, none), lookup.Inherited(ctx, got, name, none))
			}
		}
	}
}
