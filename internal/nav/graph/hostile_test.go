package graph

import (
	"bytes"
	"context"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// plain resolves a name to whatever is called so first.
type plain struct{ w resolve.World }

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

func (p plain) Inherited(_ resolve.SymbolID, name string) ([]resolve.SymbolID, bool) {
	return p.w.Defs(name), false
}

func sampleGraph(t testing.TB) *Graph {
	t.Helper()
	var files []*facts.File
	for _, name := range []string{"a.x", "dir/b.x", "dir/c.x"} {
		f := filled(uint64(len(name)))
		f.Path, f.Language = name, "X"
		f.Symbols[1].Kind, f.Symbols[2].Kind = "type", "method"
		f.Refs[0].Name, f.Refs[1].Name = f.Symbols[1].Name, f.Symbols[2].Name
		files = append(files, f)
	}
	g := assembled(t, files)
	w := newWorld(g, Overlay{})
	in := Input{Resolver: func(w resolve.World) Resolver { return plain{w} }, Workers: 1}
	all, err := resolveAll(t.Context(), w, in, nil, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.connect(all, ""); err != nil {
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
	for i := range parts {
		for at := range min(len(g.parts[i]), 16) {
			f.Add(int(i), at, byte(0xff))
			f.Add(int(i), at, byte(1))
		}
	}
	f.Fuzz(func(_ *testing.T, n, at int, change byte) {
		p := g.parts
		i := uint(n) % uint(parts)
		if len(p[i]) == 0 {
			return
		}
		b := aligned(len(p[i]))
		copy(b, p[i])
		b[uint(at)%uint(len(b))] ^= change
		p[i] = b
		exercise(p)
	})
}

// exercise opens columns and asks for everything.
func exercise(p [parts][]byte) {
	g, err := open(p, nil)
	if err != nil || len(g.edgeStarts) == 0 {
		return
	}
	exerciseGraph(g)
}

func exerciseGraph(g *Graph) {
	var out bytes.Buffer
	_ = g.writeJSON(&out)
	changed := &facts.File{
		Path: "dir/b.x", Language: "X",
		Symbols: []facts.Symbol{{Name: "s1", Qualified: "s1", Kind: "func", Parent: -1}},
	}
	for _, o := range []Overlay{{}, {Changed: []*facts.File{changed}}, {Deleted: []string{"a.x"}}} {
		v := g.With(o, func(w resolve.World) Resolver { return plain{w} })
		for n := range g.Names {
			for _, d := range v.Find(g.str(n), Pick{}) {
				v.Uses(d, UseOptions{})
				for _, dir := range []Direction{Upstream, Downstream} {
					_, _ = v.Lineage(context.Background(), d, dir, LineageOptions{})
				}
			}
			v.Places(g.str(n))
		}
	}
}

func FuzzSidecar(f *testing.F) {
	var b bytes.Buffer
	if err := sampleGraph(f).writeSidecar(&b, binding{}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:headerSize])
	f.Fuzz(func(_ *testing.T, content []byte) {
		if g, _, err := readSidecar(bytes.NewReader(content), int64(len(content))); err == nil {
			exerciseGraph(g)
		}
	})
}
