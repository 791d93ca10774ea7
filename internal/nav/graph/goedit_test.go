package graph_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// ownSources are Go files of this module.
func ownSources(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	texts := map[string]string{}
	for _, dir := range []string{
		"internal/nav/resolve", "internal/nav/facts", "internal/nav/golang", "internal/fault",
		"internal/redact",
	} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
				return err
			}
			b, err := os.ReadFile(p)
			rel, _ := filepath.Rel(root, p)
			texts[filepath.ToSlash(rel)] = string(b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	texts["go.mod"] = "module github.com/ragnav/ragnav\n\ngo 1.26\n"
	return texts
}

func languageOf(p string) string {
	if path.Base(p) == "go.mod" {
		return "Go Module"
	}
	switch path.Ext(p) {
	case ".py":
		return "Python"
	case ".java":
		return "Java"
	case ".ts":
		return "TypeScript"
	case ".js":
		return "JavaScript"
	}
	return "Go"
}

func ownGraph(t *testing.T, texts map[string]string, previous *graph.Graph) *graph.Graph {
	t.Helper()
	in := build.Input{
		Extract: goExtractor{}, Resolver: goResolver,
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

var declaration = regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?(\w+)|^type (\w+)|^\t(\w+) +\w+$`)

// editGo changes a file somewhere, and reports whether it can still be read.
func editGo(r *rand.Rand, texts map[string]string) bool {
	paths := slices.Sorted(maps.Keys(texts))
	p := paths[r.IntN(len(paths))]
	text := texts[p]
	names := declaration.FindAllStringSubmatch(text, -1)
	if len(names) == 0 {
		return false
	}
	name := names[r.IntN(len(names))]
	word := name[1] + name[2] + name[3]
	switch r.IntN(8) {
	case 0:
		delete(texts, p)
		return true
	case 1: // the file moves
		delete(texts, p)
		p = path.Join(path.Dir(paths[r.IntN(len(paths))]), "moved.go")
	case 2: // the declaration alone is renamed
		text = strings.Replace(text, name[0], strings.Replace(name[0], word, word+"Renamed", 1), 1)
	case 3: // all in the file are renamed
		text = regexp.MustCompile(`\b`+word+`\b`).ReplaceAllString(text, word+"2")
	case 4:
		text += fmt.Sprintf("\nfunc (x *%s) added%d() %s { return x.%s() }\n", word, r.IntN(3), word, word)
	case 5: // types change
		text = strings.Replace(text, " string", " "+word, 1+r.IntN(3))
	case 6: // a body changes
		text = strings.Replace(text, "{\n", "{\n\t"+word+"()\n", 1+r.IntN(2))
	case 7: // lines move
		text = strings.Replace(text, "\n\n", "\n\n// moved\n\n", 1)
	}
	if _, err := (goExtractor{}).Facts(context.Background(), p, languageOf(p), text); err != nil {
		return false
	}
	texts[p] = text
	return true
}

// As TestOverlayIsARebuild, with Go files of this module.
func TestEditedGoIsARebuild(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	before := ownSources(t)
	old := ownGraph(t, before, nil)
	if old.Stats().Edges < 3000 {
		t.Fatalf("%d edges", old.Stats().Edges)
	}
	seeds := 12
	if testing.Short() {
		seeds = 2
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 3))
			after := maps.Clone(before)
			for edits := 0; edits < 1+int(seed%3); {
				if editGo(r, after) {
					edits++
				}
			}
			clean := ownGraph(t, after, nil)
			if again := ownGraph(t, after, old); again.ID() != clean.ID() {
				t.Errorf("incremental build %s, clean build %s", again.ID(), clean.ID())
			}
			got := overlay.Lay(old, overlayOf(t, goExtractor{}, before, after), goResolver)
			want := overlay.Lay(clean, overlay.Changes{}, goResolver)
			checkAll(t, want, got)
		})
	}
}

// overlayOf is what differs between two states of files.
func overlayOf(t *testing.T, x build.Extractor, before, after map[string]string) overlay.Changes {
	t.Helper()
	var o overlay.Changes
	for p, text := range after {
		if before[p] == text {
			continue
		}
		f, err := x.Facts(t.Context(), p, languageOf(p), text)
		if err != nil {
			t.Fatal(err)
		}
		o.Changed = append(o.Changed, f)
	}
	for p := range before {
		if _, kept := after[p]; !kept {
			o.Deleted = append(o.Deleted, p)
		}
	}
	return o
}

// checkAll compares the uses of all symbols, and lineage of some.
func checkAll(t *testing.T, want, got *overlay.View) {
	t.Helper()
	w := want.World()
	for f := range resolve.FileID(w.Len()) {
		for i, s := range w.File(f).Symbols {
			checkSymbol(t, want, got, w.Path(f)+":"+s.Qualified, i%10 == 0)
		}
	}
}
