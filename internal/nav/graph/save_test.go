package graph_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
)

// save saves a graph to a repository.
func save(t testing.TB, root string, g *graph.Graph) ondisk.Saved {
	t.Helper()
	lock, err := ondisk.TakeLock(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := lock.Save(g)
	if err := errors.Join(err, lock.Release()); err != nil {
		t.Fatal(err)
	}
	return saved
}

func read(t testing.TB, root, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, ondisk.Folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t testing.TB, root, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, ondisk.Folder, name), content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestSavedGraphIsTheSame(t *testing.T) {
	for seed := range uint64(20) {
		root := t.TempDir()
		made := built(t, newRandom(seed).tree(), nil, 1)
		saved := save(t, root, made)
		loaded, err := ondisk.Load(root)
		if err != nil {
			t.Fatal(err)
		}
		if loaded.ID() != made.ID() || saved.ID != made.ID() {
			t.Errorf("loaded %s, saved %s, built %s", loaded.ID(), saved.ID, made.ID())
		}
		if id, err := ondisk.Stored(root); id != made.ID() || err != nil {
			t.Errorf("stored %s, %v", id, err)
		}
		if hash := sha256.Sum256(read(t, root, ondisk.JSONName)); hash != saved.JSONHash {
			t.Error("the JSON has another hash")
		}
		if diff := cmp.Diff(made.Stats(), loaded.Stats()); diff != "" {
			t.Errorf("counts (-built +loaded):\n%s", diff)
		}
		sameViews(t, overlay.Lay(made, overlay.Changes{}, nil), overlay.Lay(loaded, overlay.Changes{}, nil), all, names...)
		again := t.TempDir()
		save(t, again, built(t, newRandom(seed).tree(), loaded, 3))
		for _, name := range []string{ondisk.JSONName, ondisk.SidecarName} {
			if !bytes.Equal(read(t, root, name), read(t, again, name)) {
				t.Errorf("%s of the same tree differs", name)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	root := t.TempDir()
	g := goGraph(t, shop)
	save(t, root, g)
	content := read(t, root, ondisk.JSONName)
	got, names, kinds := decodeJSON(t, content)
	if got.SchemaVersion != graph.SchemaVersion || got.Graph != g.ID().String() || len(names) != g.Stats().Symbols {
		t.Errorf("version %d, graph %s, %d symbols", got.SchemaVersion, got.Graph, len(names))
	}
	if diff := cmp.Diff([]string{"cart/cart.go", "cart/cart_test.go", "go.mod", "main.go", "pay/pay.go"},
		got.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"line", "column", "lines", "kind", "parent", "id", "name"},
		got.SymbolColumns); diff != "" {
		t.Errorf("columns of symbols (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"down", "column", "way", "from", "to"}, got.EdgeColumns); diff != "" {
		t.Errorf("columns of edges (-want +got):\n%s", diff)
	}
	if want := "method Pay pay/pay.go:7:13-7"; kinds["pay/pay.go:Card.Pay"] != want {
		t.Errorf("a symbol is %q, want %q", kinds["pay/pay.go:Card.Pay"], want)
	}
	var edges []string
	for f := range got.Edges {
		for _, e := range got.edgesOf(names, f) {
			if e.file == "main.go" || e.kind == "implements" || strings.HasPrefix(e.from, "cart/cart.go:Cart") &&
				e.kind == "defines" {
				edges = append(edges,
					fmt.Sprintf("%s %s %v %s:%d:%d %s %.3g", e.kind, e.from, strings.Join(e.to, " "), e.file, e.line, e.column, e.tier,
						e.confidence))
			}
		}
	}
	want := []string{
		"defines cart/cart.go:Cart cart/cart.go:Cart.items cart/cart.go:5:2  1",
		"defines cart/cart.go:Cart cart/cart.go:Cart.first cart/cart.go:6:2  1",
		"imports main.go cart/cart.go main.go:4:2 B 1",
		"imports main.go pay/pay.go main.go:5:2 B 1",
		"defines main.go main.go:main main.go:8:6  1",
		"calls main.go:main cart/cart.go:New main.go:9:12 B 1",
		"calls main.go:main cart/cart.go:Cart.Add main.go:10:4 C 0.999",
		"calls main.go:main main.go:run main.go:11:2 A 1",
		"uses_type main.go:main pay/pay.go:Card main.go:11:10 B 1",
		"defines main.go main.go:run main.go:14:6  1",
		"uses_type main.go:run pay/pay.go:Payer main.go:14:16 B 1",
		"uses_type main.go:run cart/cart.go:Cart main.go:14:31 B 1",
		"calls main.go:run pay/pay.go:Payer.Pay main.go:15:4 C 0.999",
		"calls main.go:run cart/cart.go:Cart.Total main.go:15:10 C 0.999",
		"defines main.go main.go:New main.go:19:6  1",
		"reads main.go:New main.go:limit main.go:19:25 A 1",
		"defines main.go main.go:limit main.go:21:7  1",
		"implements pay/pay.go:Card pay/pay.go:Payer pay/pay.go:5:6 C 0.999",
		"implements pay/pay.go:Card.Pay pay/pay.go:Payer.Pay pay/pay.go:7:13 C 0.995",
		"implements pay/pay.go:Cash pay/pay.go:Payer pay/pay.go:9:6 C 0.999",
		"implements pay/pay.go:Cash.Pay pay/pay.go:Payer.Pay pay/pay.go:11:13 C 0.995",
	}
	if diff := cmp.Diff(want, edges); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
}

func TestFilesWithoutASidecar(t *testing.T) {
	root := t.TempDir()
	g := built(t, newRandom(1).tree(), nil, 1)
	save(t, root, g)
	if err := os.Remove(filepath.Join(root, ondisk.Folder, ondisk.SidecarName)); err != nil {
		t.Fatal(err)
	}
	var plain struct{ Files []string }
	if err := json.Unmarshal(read(t, root, ondisk.JSONName), &plain); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(g.Files(), plain.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	checkNotReady(t, root, "damaged")
}

// checkNotReady checks that the graph is refused with words that help.
func checkNotReady(t *testing.T, root, word string) {
	t.Helper()
	_, err := ondisk.Load(root)
	if fault.CodeOf(err) != fault.IndexNotReady || !strings.Contains(fault.MessageOf(err), word) ||
		!strings.Contains(fault.MessageOf(err), "build-graph") {
		t.Errorf("error %v, want %s with %q", err, fault.IndexNotReady, word)
	}
}

func TestNoGraph(t *testing.T) {
	root := t.TempDir()
	checkNotReady(t, root, "no graph")
	if err := os.Mkdir(filepath.Join(root, ondisk.Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	checkNotReady(t, root, "no graph")
}

// Every way in which the two files may not be what was written.
func TestDamageIsNoticed(t *testing.T) {
	root := t.TempDir()
	save(t, root, built(t, newRandom(5).tree(), nil, 1))
	jsonBytes, sidecar := read(t, root, ondisk.JSONName), read(t, root, ondisk.SidecarName)
	other := t.TempDir()
	save(t, other, built(t, newRandom(6).tree(), nil, 1))
	write(t, root, ondisk.SidecarName, read(t, other, ondisk.SidecarName))
	checkNotReady(t, root, "damaged")
	write(t, root, ondisk.SidecarName, sidecar)
	for name, content := range map[string][]byte{
		"empty": {}, "half": jsonBytes[:len(jsonBytes)/2], "longer": append(bytes.Clone(jsonBytes), ' '),
		"another": read(t, other, ondisk.JSONName), "foreign": []byte(strings.Repeat("{}", 200)),
	} {
		write(t, root, ondisk.JSONName, content)
		if _, err := ondisk.Load(root); fault.CodeOf(err) != fault.IndexNotReady {
			t.Errorf("%s JSON: %v", name, err)
		}
	}
	write(t, root, ondisk.JSONName, jsonBytes)
	for i := 0; i < len(sidecar); i += 1 + len(sidecar)/400 {
		bad := bytes.Clone(sidecar)
		bad[i] ^= 0x10
		write(t, root, ondisk.SidecarName, bad)
		g, err := ondisk.Load(root)
		if err == nil && g.Verify() != nil {
			continue // it is noticed when the row is asked for
		}
		// Between parts there is room that nothing reads.
		if err == nil && g.ID() != built(t, newRandom(5).tree(), nil, 1).ID() || err != nil &&
			fault.CodeOf(err) != fault.IndexNotReady {
			t.Errorf("byte %d: %v", i, err)
		}
		write(t, root, ondisk.SidecarName, sidecar[:i])
		if g, err := ondisk.Load(root); fault.CodeOf(err) != fault.IndexNotReady && (err != nil || g.Verify() == nil) {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
}

// A build that died between its two renames leaves the new pair.
func TestHalfReplacedPair(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	old, next := built(t, newRandom(7).tree(), nil, 1), built(t, newRandom(8).tree(), nil, 1)
	save(t, root, old)
	save(t, other, next)
	write(t, root, "rag_graph.bin.next", read(t, other, ondisk.SidecarName))
	if g, err := ondisk.Load(root); err != nil || g.ID() != old.ID() {
		t.Errorf("before the commit: %v", err)
	}
	write(t, root, ondisk.JSONName, read(t, other, ondisk.JSONName))
	if g, err := ondisk.Load(root); err != nil || g.ID() != next.ID() {
		t.Errorf("after the commit: %v", err)
	}
	save(t, root, old)
	if g, err := ondisk.Load(root); err != nil || g.ID() != old.ID() {
		t.Errorf("after another build: %v", err)
	}
}

func TestOneBuildAtATime(t *testing.T) {
	root := t.TempDir()
	first, err := ondisk.TakeLock(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ondisk.TakeLock(t.Context(), root); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("second lock: %v", err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := ondisk.TakeLock(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Release(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("*\n", string(read(t, root, ".gitignore"))); diff != "" {
		t.Errorf(".gitignore (-want +got):\n%s", diff)
	}
}

// A graph that is outside of the repository is none of it.
func TestStoredBehindSymlinks(t *testing.T) {
	outside := t.TempDir()
	lock, err := ondisk.TakeLock(t.Context(), outside)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := lock.Save(built(t, newRandom(1).tree(), nil, 1))
	if err := errors.Join(err, lock.Release()); err != nil {
		t.Fatal(err)
	}
	if id, err := ondisk.Stored(outside); err != nil || id != saved.ID {
		t.Fatalf("%v, %v", id, err)
	}
	for _, name := range []string{ondisk.Folder, filepath.Join(ondisk.Folder, ondisk.JSONName)} {
		root := t.TempDir()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(outside, name), filepath.Join(root, name)); err != nil {
			t.Skip("SKIPPED: no symlinks here")
		}
		if id, err := ondisk.Stored(root); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: %v, %v", name, id, err)
		}
	}
}

// Nothing outside of the repository is touched, whatever lies there.
func TestSymlinksAreRefused(t *testing.T) {
	outside := t.TempDir()
	link := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.Symlink(to, from); err != nil {
			t.Skip("SKIPPED: no symlinks here")
		}
	}
	t.Run("folder", func(t *testing.T) {
		root := t.TempDir()
		link(t, filepath.Join(root, ondisk.Folder), outside)
		if _, err := ondisk.TakeLock(t.Context(), root); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("lock: %v", err)
		}
		if _, err := ondisk.Load(root); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("load: %v", err)
		}
	})
	for _, name := range []string{
		ondisk.JSONName, ondisk.SidecarName, "rag_graph.lock", "rag_graph.json.tmp",
		"rag_graph.bin.next", "rag_graph.bin.next.tmp",
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.Mkdir(filepath.Join(root, ondisk.Folder), 0o755); err != nil {
				t.Fatal(err)
			}
			link(t, filepath.Join(root, ondisk.Folder, name), filepath.Join(outside, "target"))
			if lock, err := ondisk.TakeLock(t.Context(), root); err == nil {
				if _, err := lock.Save(built(t, newRandom(1).tree(), nil, 1)); err != nil {
					t.Error(err)
				}
				if err := lock.Release(); err != nil {
					t.Error(err)
				}
			} else if fault.CodeOf(err) != fault.InvalidRequest {
				t.Errorf("lock: %v", err)
			}
			if left, _ := os.ReadDir(outside); len(left) > 0 {
				t.Errorf("%s was made outside", left[0].Name())
			}
		})
	}
}

// A save that fails in the middle leaves nothing behind: the disk may be full.
func TestFailedSaveLeavesNothing(t *testing.T) {
	root := t.TempDir()
	lock, err := ondisk.TakeLock(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Release() }()
	inTheWay := filepath.Join(root, ondisk.Folder, ondisk.SidecarName+".next.tmp", "folder")
	if err := os.MkdirAll(inTheWay, 0o750); err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Save(goGraph(t, shop)); err == nil {
		t.Fatal("saved where the sidecar can't be written")
	}
	if left, err := filepath.Glob(filepath.Join(root, ondisk.Folder, ondisk.JSONName+"*")); len(left) > 0 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
