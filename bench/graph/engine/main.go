// Engine measures the graph of a tree of Go files: building, saving, loading,
// who uses a symbol, lineage, and answers right after an edit.
//
//	go run ./bench/graph/engine [-symbols 1000] [-edits 100] [DIR]
//
// DIR is the standard library when it is not given. Beside wall times stand CPU
// seconds, and as a reference the time that reading all files takes.
package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	uses "github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

var (
	symbols = flag.Int("symbols", 1000, "how many symbols to ask for")
	edits   = flag.Int("edits", 100, "how many edits to make")
)

func main() {
	flag.Parse()
	dir := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // a benchmark runs where it was built
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if err := run(context.Background(), dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// extractor reads Go.
type extractor struct{}

func (extractor) Revision(language string) string {
	if language == "Go" || language == "Go Module" {
		return "1"
	}
	return ""
}

func (extractor) Facts(_ context.Context, path, language, text string) (*facts.File, error) {
	extract := golang.Extract
	if language == "Go Module" {
		extract = golang.ExtractModule
	}
	f, err := extract(path, text)
	return &f, err
}

func resolver(w resolve.World) graph.Resolver { return resolve.New(w, languages.All()) }

func run(ctx context.Context, dir string) error {
	texts, err := read(dir)
	if err != nil {
		return err
	}
	in := build.Input{
		Extract: extractor{}, Resolver: resolver, Revision: "1",
		Read: func(_ context.Context, p string) (string, error) { return texts[p], nil },
	}
	size := 0
	for p, text := range texts {
		language := "Go"
		if strings.HasSuffix(p, ".mod") {
			language = "Go Module"
		}
		size += len(text)
		in.Sources = append(in.Sources, build.Source{Path: p, Language: language, Hash: sha256.Sum256([]byte(text))})
	}
	fmt.Printf("%d files, %.1f MB\n", len(texts), float64(size)/1e6)
	measure("read all files, the reference", func() { _, err = read(dir) })
	var g *graph.Graph
	var report build.Report
	measure("build", func() { g, report, err = build.Graph(ctx, in, nil) })
	if err != nil {
		return err
	}
	fmt.Printf("%+v, %d failed\n", report.Stats, len(report.Failed))
	fmt.Printf("peak memory %d MB\n", usage.Peak()<<10>>20)
	loaded, err := storage(ctx, g)
	if err != nil {
		return err
	}
	measure("build again, nothing changed", func() { _, report, err = build.Graph(ctx, in, loaded) })
	fmt.Printf("reused %d of %d\n", report.Reused, report.Files)
	return queries(ctx, loaded, texts)
}

// storage saves the graph to a folder and loads it again.
func storage(ctx context.Context, g *graph.Graph) (*graph.Graph, error) {
	root, err := os.MkdirTemp("", "graph")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	lock, err := ondisk.TakeLock(ctx, root)
	if err != nil {
		return nil, err
	}
	defer lock.Release() //nolint:errcheck // the process ends
	var saved ondisk.Saved
	measure("save", func() { saved, err = lock.Save(g) })
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(root, ondisk.Folder, ondisk.SidecarName))
	if err != nil {
		return nil, err
	}
	fmt.Printf("JSON %.1f MB, sidecar %.1f MB\n", float64(saved.JSONSize)/1e6, float64(info.Size())/1e6)
	var loaded *graph.Graph
	runtime.GC()
	for range 3 {
		measure("load", func() { loaded, err = ondisk.Load(root) })
	}
	return loaded, err
}

func queries(ctx context.Context, g *graph.Graph, texts map[string]string) error {
	r := rand.New(rand.NewPCG(1, 1))
	plain := overlay.Lay(g, overlay.Changes{}, resolver)
	defs := sample(ctx, r, plain, *symbols)
	total := 0
	spread("where-used", defs, func(d overlay.Def) {
		for _, found := range lookup.Find(ctx, plain, d.ID, lookup.Pick{}) {
			total += whereUsed(ctx, plain, found)
		}
	})
	fmt.Printf("  %d uses of %d symbols\n", total, len(defs))
	for _, dir := range []lineage.Direction{lineage.Upstream, lineage.Downstream} {
		spread("lineage "+string(dir), defs, func(d overlay.Def) {
			lineage.Follow(ctx, plain, d, dir, lineage.Options{}) //nolint:errcheck // ctx is never done
		})
	}
	for _, kind := range []string{"body", "new function", "new method", "new file"} {
		editor{r, g, texts}.edit(ctx, kind, defs[:min(*edits, len(defs))])
	}
	return nil
}

// whereUsed asks what uses a symbol, and counts it.
func whereUsed(ctx context.Context, v *overlay.View, d overlay.Def) int {
	found := uses.Find(ctx, v, d, uses.Options{})
	for i := range found.Len() {
		found.At(i)
	}
	uses.Via(ctx, v, d)
	uses.Implementations(ctx, v, d)
	return found.Len()
}

// sample takes symbols that have uses for one half and any for the other.
func sample(ctx context.Context, r *rand.Rand, v *overlay.View, n int) []overlay.Def {
	w := v.World()
	var defs []overlay.Def
	for len(defs) < n {
		f := w.File(resolve.FileID(r.IntN(w.Len())))
		if len(f.Symbols) == 0 {
			continue
		}
		s := f.Symbols[r.IntN(len(f.Symbols))]
		found := lookup.Find(ctx, v, f.Path+":"+s.Qualified, lookup.Pick{})
		if len(found) == 0 || len(defs)%2 == 0 && v.Uses(ctx, found[0].Symbol).Len() == 0 {
			continue
		}
		defs = append(defs, found[0])
	}
	return defs
}

// An editor changes files.
type editor struct {
	rand  *rand.Rand
	graph *graph.Graph
	texts map[string]string
}

// edit changes a file and asks for a symbol: parsing, laying the overlay and
// answering.
func (e editor) edit(ctx context.Context, kind string, defs []overlay.Def) {
	r, g, texts := e.rand, e.graph, e.texts
	paths := slices.DeleteFunc(g.Files(), func(p string) bool { return !strings.HasSuffix(p, ".go") })
	spread("edit of "+kind+" → where-used", defs, func(d overlay.Def) {
		p := paths[r.IntN(len(paths))]
		text := texts[p]
		switch kind {
		case "body":
			text += "\n// changed\n"
		case "new function":
			text += "\nfunc addedByEdit() int { return 1 }\n"
		case "new method":
			text += "\nfunc (x *Reader) addedByEdit() int { return 1 }\n"
		case "new file":
			p = strings.TrimSuffix(p, ".go") + "_added.go"
			_, clause, _ := strings.Cut(text, "\npackage ")
			name, _, _ := strings.Cut(clause, "\n")
			text = "package " + name + "\n\nfunc addedByEdit() int { return 1 }\n"
		}
		f, err := extractor{}.Facts(ctx, p, "Go", text)
		if err != nil {
			return
		}
		v := overlay.Lay(g, overlay.Changes{Changed: []*facts.File{f}}, resolver)
		for _, found := range lookup.Find(ctx, v, d.ID, lookup.Pick{}) {
			whereUsed(ctx, v, found)
		}
	})
}

// read reads the Go files of a folder.
func read(dir string) (map[string]string, error) {
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") && d.Name() != "go.mod" {
			return err
		}
		b, err := os.ReadFile(p)
		rel, relErr := filepath.Rel(dir, p)
		texts[filepath.ToSlash(rel)] = string(b)
		return cmp.Or(err, relErr)
	})
	return texts, err
}

// measure prints how long do takes.
func measure(what string, do func()) {
	start, before := time.Now(), usage.CPU()
	do()
	fmt.Printf("%-40s %8.0f ms wall %8.0f ms CPU\n", what, ms(time.Since(start)), ms(usage.CPU()-before))
}

// spread prints how long do takes for each: on the wall, and the CPU time of
// the whole process meanwhile, which other programs don't change.
func spread(what string, defs []overlay.Def, do func(overlay.Def)) {
	var wall, cpu []time.Duration
	for _, d := range defs {
		start, before := time.Now(), usage.CPU()
		do(d)
		wall, cpu = append(wall, time.Since(start)), append(cpu, usage.CPU()-before)
	}
	fmt.Printf("%-32s wall %s, CPU %s\n", what, quantiles(wall), quantiles(cpu))
}

func quantiles(times []time.Duration) string {
	slices.Sort(times)
	at := func(q float64) float64 { return ms(times[int(q*float64(len(times)-1))]) }
	return fmt.Sprintf("p50 %.3f p95 %.3f max %.1f ms", at(.5), at(.95), at(1))
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
