package ondisk

import (
	"bytes"
	"context"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// plain resolves a name to whatever is called so first.
type plain struct{ w resolve.World }

func (plain) Dispatches(string, string) bool { return false }

func (plain) Taken(resolve.FileID, int) []resolve.SymbolID                   { return nil }
func (plain) Satisfying(string, string, string) ([]resolve.SymbolID, string) { return nil, "" }

func (plain) Undecided(resolve.FileID, int, resolve.SymbolID) bool { return false }
func (plain) Open(resolve.SymbolID) bool                           { return false }
func (plain) Dispatched(resolve.FileID, int) resolve.Resolution    { return resolve.Resolution{} }

func (plain) Implied(resolve.SymbolID) ([]resolve.SymbolID, resolve.Implied) {
	return nil, resolve.ByName
}

func (plain) Named([]string) []resolve.SymbolID { return nil }

func (p plain) Ref(f resolve.FileID, i int) resolve.Resolution {
	if defs := p.w.Defs(p.w.File(f).Refs[i].Name); len(defs) > 0 {
		return resolve.Resolution{Targets: defs[:1], Tier: resolve.TierD, Confidence: 1}
	}
	return resolve.Resolution{}
}

func (p plain) Refs(f resolve.FileID) []resolve.Resolution {
	var all []resolve.Resolution
	for i := range p.w.File(f).Refs {
		all = append(all, p.Ref(f, i))
	}
	return all
}

func (p plain) Import(resolve.FileID, int) []resolve.FileID {
	return p.w.Folder("dir")
}
func (plain) Bases(resolve.SymbolID) []resolve.Base { return nil }
func (p plain) Overrides(s resolve.SymbolID) []resolve.SymbolID {
	return p.w.Defs(p.w.File(s.File).Symbols[s.Index].Name)
}

func (p plain) Hides(s resolve.SymbolID) []resolve.SymbolID { return p.Overrides(s) }

func (p plain) Inherited(_ resolve.SymbolID, name string) ([]resolve.SymbolID, bool) {
	return p.w.Defs(name), false
}

// hostileExtractor reads the same of every file.
type hostileExtractor struct{}

func (hostileExtractor) Revision(string) string { return "1" }

func (hostileExtractor) Facts(_ context.Context, path, _, _ string) (*facts.File, error) {
	symbol := func(name, kind string, parent int) facts.Symbol {
		return facts.Symbol{
			Name: name, Qualified: name, Kind: kind, Parent: parent, Line: parent + 2, StartLine: 1, EndLine: 9, Column: 1,
			Type: facts.Name("e1"), Params: []string{"T"}, Bases: []facts.Base{{Kind: facts.Extends, Of: facts.Name("e2")}},
		}
	}
	return &facts.File{
		Path: path, Language: "X", Package: "p",
		Imports: []facts.Import{{Path: "dir", Local: "other", Line: 1, Column: 1, In: -1}},
		Symbols: []facts.Symbol{symbol("s0", "func", -1), symbol("s1", "type", 0), symbol("s2", "method", 1)},
		Refs: []facts.Ref{
			{Name: "s1", Kind: facts.Type, In: 0, Line: 2, Column: 3},
			{Name: "s2", Kind: facts.Call, In: 2, Line: 3, Column: 4},
			{Name: "other", Kind: facts.Read, In: -1, Line: 3, Column: 9, Of: facts.Name("e1")},
		},
	}, nil
}

func sampleGraph(t testing.TB) *graph.Graph {
	t.Helper()
	in := build.Input{
		Resolver: func(w resolve.World) graph.Resolver { return plain{w} }, Workers: 1, Extract: hostileExtractor{},
		Read: func(_ context.Context, path string) (string, error) { return path, nil },
	}
	for _, name := range []string{"a.x", "dir/b.x", "dir/c.x"} {
		in.Sources = append(in.Sources, build.Source{Path: name, Language: "X"})
	}
	g, _, err := build.Graph(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Columns that anybody may have written are refused or answer something; they
// never end the process. The checksums don't matter here: who writes a column
// on purpose writes those too.
func FuzzColumns(f *testing.F) {
	if testing.Short() {
		f.Skip("SKIPPED: it is long")
	}
	g := sampleGraph(f)
	f.Add(0, 0, byte(1))
	for i, column := range g.Columns() {
		for at := range min(len(column), 16) {
			f.Add(i, at, byte(0xff))
			f.Add(i, at, byte(1))
		}
	}
	f.Fuzz(func(_ *testing.T, n, at int, change byte) {
		p := *g.Columns()
		i := uint(n) % uint(graph.Parts)
		if len(p[i]) == 0 {
			return
		}
		b := graph.Aligned(len(p[i]))
		copy(b, p[i])
		b[uint(at)%uint(len(b))] ^= change
		p[i] = b
		// Opened, they are asked for everything.
		if g, err := graph.OpenStored(g.ID(), p, nil, nil); err == nil {
			exerciseGraph(g)
		}
		if u, err := graph.OpenCounter(p, nil, nil); err == nil {
			exerciseUses(u)
		}
	})
}

func exerciseUses(u *graph.Counter) {
	for _, name := range []string{"s0", "s1", "s2"} {
		u.Count("a.x", name, 0, 9, func(string) bool { return true })
	}
}

func exerciseGraph(g *graph.Graph) {
	var out bytes.Buffer
	_ = writeJSON(&out, g)
	changed := &facts.File{
		Path: "dir/b.x", Language: "X",
		Symbols: []facts.Symbol{{Name: "s1", Qualified: "s1", Kind: "func", Parent: -1}},
	}
	for _, o := range []overlay.Changes{{}, {Changed: []*facts.File{changed}}, {Deleted: []string{"a.x"}}} {
		v := overlay.Lay(g, o, func(w resolve.World) graph.Resolver { return plain{w} })
		for name := range g.Names.All {
			for _, d := range lookup.Find(context.Background(), v, name, lookup.Pick{}) {
				uses := usage.Find(context.Background(), v, d, usage.Options{})
				for i := range uses.Len() {
					uses.At(i)
				}
				usage.Via(context.Background(), v, d)
				usage.Implementations(context.Background(), v, d)
				for _, dir := range []lineage.Direction{lineage.Upstream, lineage.Downstream} {
					_, _ = lineage.Follow(context.Background(), v, d, dir, lineage.Options{})
				}
			}
			usage.Places(v, name)
		}
	}
}

func FuzzSidecar(f *testing.F) {
	var b bytes.Buffer
	if err := writeSidecar(&b, sampleGraph(f), binding{}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:headerSize])
	f.Fuzz(func(_ *testing.T, content []byte) {
		if g, _, err := readSidecar(bytes.NewReader(content), int64(len(content)), whole); err == nil {
			exerciseGraph(g)
		}
		if u, _, err := readSidecar(bytes.NewReader(content), int64(len(content)), usesOnly); err == nil {
			exerciseUses(u)
		}
	})
}
