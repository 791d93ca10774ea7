package graph_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
)

// Uses that are read alone are as many as there are edges to a symbol in the graph.
func TestUsesAlone(t *testing.T) {
	odd := func(file string) bool { return strings.Contains(file, "1") }
	counted := 0
	for seed := range uint64(20) {
		root := t.TempDir()
		made := built(t, newRandom(seed).tree(), nil, 1)
		save(t, root, made)
		alone, err := ondisk.LoadCounter(root)
		if err != nil {
			t.Fatal(err)
		}
		for name := range made.Names.All {
			for _, s := range made.Names.Defs(name) {
				file, line := made.Tree.Path(s.File), made.Facts.Declared(s.File).Symbols[s.Index].Line
				first := s
				for _, other := range made.Names.Defs(name) {
					if other.File == s.File && made.Facts.Declared(s.File).Symbols[other.Index].Line == line {
						first = other
						break
					}
				}
				want, lasts := made.Edges.To(first), 0
				for _, e := range want {
					if odd(made.Tree.Path(e.File)) {
						lasts++
					}
				}
				counted += len(want)
				for _, u := range []*graph.Counter{alone, made.Counter()} {
					if n, last, ok := u.Count(file, name, line, line, odd); n != len(want) || last != lasts || !ok {
						t.Errorf("%s in %s:%d: %d uses, %d of them last, %v; want %d, %d", name, file, line, n, last, ok, len(want),
							lasts)
					}
				}
			}
		}
	}
	if counted == 0 {
		t.Error("nothing is used")
	}
}

// What uses are not read of may be damaged; what they are read of may not.
func TestUsesReadNothingElse(t *testing.T) {
	root := t.TempDir()
	save(t, root, built(t, newRandom(5).tree(), nil, 1))
	sidecar := read(t, root, ondisk.SidecarName)
	const header, row = 96, 24
	for n := range graph.Parts {
		entry := sidecar[header+row*n:]
		at, size := binary.LittleEndian.Uint64(entry), binary.LittleEndian.Uint64(entry[8:])
		if size == 0 || graph.IsRows(n) {
			continue
		}
		bad := bytes.Clone(sidecar)
		bad[at] ^= 0x10
		write(t, root, ondisk.SidecarName, bad)
		_, err := ondisk.LoadCounter(root)
		if noticed := fault.CodeOf(err) == fault.IndexNotReady; noticed != graph.ForCounting(n) {
			t.Errorf("part %d is damaged: %v", n, err)
		}
		if _, err := ondisk.Load(root); fault.CodeOf(err) != fault.IndexNotReady {
			t.Errorf("part %d of the graph is damaged: %v", n, err)
		}
	}
}
