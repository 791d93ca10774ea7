// Command calls compares the call graph of a module of Go with that of x/tools'
// variable type analysis (VTA): which functions of the module each one calls,
// through interfaces too.
//
//	go run ./bench/graph/calls [-show 20] DIR [PATTERN...]
//
// What is inside of a function counts as its own. Calls through wrappers that the
// compiler makes are followed to what these call.
package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

func main() {
	show := flag.Int("show", 10, "how many wrong or missing calls to list")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *show); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A place is where a function is declared: file and line.
type place struct {
	path string
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.path, p.line) }

// A call is a pair of functions.
type call struct{ from, to place }

func run(ctx context.Context, args []string, show int) error {
	dir, patterns, err := usage.Module(args)
	if err != nil {
		return err
	}
	g, err := check(dir, patterns)
	if err != nil {
		return err
	}
	v, err := view(ctx, dir)
	if err != nil {
		return err
	}
	compare(g, called(ctx, v, g), show)
	return nil
}

// extractor reads Go.
type extractor struct{}

func (extractor) Revision(string) string { return "1" }

func (extractor) Facts(_ context.Context, path, _, text string) (*facts.File, error) {
	extract := golang.Extract
	if filepath.Base(path) == "go.mod" {
		extract = golang.ExtractModule
	}
	f, err := extract(path, text)
	return &f, err
}

func view(ctx context.Context, dir string) (*overlay.View, error) {
	texts := map[string]string{}
	in := build.Input{
		Extract: extractor{}, Revision: "1",
		Resolver: func(w resolve.World) graph.Resolver { return resolve.New(w, languages.All()) },
		Read:     func(_ context.Context, p string) (string, error) { return texts[p], nil },
	}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		language := "Go"
		switch {
		case err != nil || d.IsDir():
			return err
		case d.Name() == "go.mod":
			language = "Go Module"
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(name)
		p := filepath.ToSlash(rel)
		texts[p] = string(b)
		in.Sources = append(in.Sources, build.Source{Path: p, Language: language, Hash: sha256.Sum256(b)})
		return err
	})
	if err != nil {
		return nil, err
	}
	g, _, err := build.Graph(ctx, in, nil)
	if err != nil {
		return nil, err
	}
	return overlay.Lay(g, overlay.Changes{}, in.Resolver), nil
}

// A said is what the graph says of a call.
type said struct {
	how  way
	sure float32
}

// called are the calls that the graph knows.
func called(ctx context.Context, v *overlay.View, g *gold) map[call]said {
	out := map[call]said{}
	w := v.World()
	for f := range resolve.FileID(w.Len()) {
		for i := range w.Symbols(f) {
			def := w.Def(resolve.SymbolID{File: f, Index: int32(i)}) //nolint:gosec // few in a file
			from := place{def.File, def.Line}
			if !g.functions[from] {
				continue
			}
			o := lineage.Options{Edges: []string{"calls"}, Outer: true}
			for _, n := range lineage.Next(ctx, v, def, lineage.Downstream, o) {
				for to, s := range concrete(ctx, v, n.Def, g) {
					s.sure *= n.Confidence
					if n.Tier > resolve.TierC {
						s.how = byForeign
					}
					if c := (call{from, to}); from != to && s.sure > out[c].sure {
						out[c] = s
					}
				}
			}
		}
	}
	return out
}

// concrete is a function itself, or what a call of it reaches if it has no body.
func concrete(ctx context.Context, v *overlay.View, d overlay.Def, g *gold) map[place]said {
	at := place{d.File, d.Line}
	if g.functions[at] || d.ID == "" {
		return map[place]said{at: {directly, 1}}
	}
	out := map[place]said{}
	all, err := lineage.Hierarchy(ctx, v, d, false)
	for _, r := range all {
		if at := (place{r.File, r.Line}); err == nil && g.functions[at] {
			out[at] = said{byOwn, r.Confidence}
		}
	}
	return out
}

func compare(g *gold, ours map[call]said, show int) {
	found, all, right, says := map[way]int{}, map[way]int{}, map[way]int{}, map[way]int{}
	var errors []string
	for c, s := range ours {
		says[s.how]++
		if g.calls[c] != "" {
			right[s.how]++
			continue
		}
		errors = append(errors, fmt.Sprintf("wrong, %s (%.2f): %s calls %s", s.how, s.sure, g.names[c.from], g.names[c.to]))
	}
	for c, how := range g.calls {
		all[how]++
		if _, ok := ours[c]; ok {
			found[how]++
			continue
		}
		errors = append(errors, fmt.Sprintf("missing, %s: %s calls %s", how, g.names[c.from], g.names[c.to]))
	}
	fmt.Printf("%d functions\n", len(g.functions))
	for _, how := range append(slices.Clone(ways), "") {
		if how == "" {
			found[how], all[how], right[how], says[how] = sum(found), sum(all), sum(right), sum(says)
		}
		fmt.Printf("%-28s precision %.3f of %d recall %.3f of %d\n", cmp.Or(how, "all"), ratio(right[how], says[how]),
			says[how], ratio(found[how], all[how]), all[how])
	}
	hash := func(s string) uint32 { h := fnv.New32a(); h.Write([]byte(s)); return h.Sum32() }
	slices.SortFunc(errors, func(a, b string) int { return cmp.Compare(hash(a), hash(b)) })
	for _, e := range errors[:min(show, len(errors))] {
		fmt.Println("  " + e)
	}
}

func sum(m map[way]int) (n int) {
	for _, x := range m {
		n += x
	}
	return n
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}
