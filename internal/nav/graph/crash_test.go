package graph_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
)

// The test program runs itself as the process that is killed.
var crashDir = flag.String("crash-dir", "", "build and save graphs there until killed")

// crashTree is that of build number n.
func crashTree(n int) tree { return newRandom(uint64(n % 4)).tree() }

// TestChildThatBuilds is the process that is killed.
func TestChildThatBuilds(t *testing.T) {
	if *crashDir == "" {
		t.Skip("only as a child")
	}
	for n := 0; ; n++ {
		previous, _ := ondisk.Load(*crashDir)
		save(t, *crashDir, built(t, crashTree(n), previous, 2))
		fmt.Println("saved")
	}
}

// However a build ends, there is a graph that was built, and the next build
// can go on.
func TestKilledBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	root := t.TempDir()
	whole := map[graph.ID]bool{}
	for n := range 4 {
		whole[built(t, crashTree(n), nil, 1).ID()] = true
	}
	r := rand.New(rand.NewPCG(1, 2))
	saved := false
	for range 15 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestChildThatBuilds$", "-crash-dir="+root)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range r.IntN(4) {
			saved = lines.Scan() || saved
		}
		timer := time.AfterFunc(time.Duration(r.IntN(20_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
		timer.Stop()
		g, err := ondisk.Load(root)
		if err != nil && saved {
			t.Fatalf("after a kill: %v", err)
		}
		if err == nil && !whole[g.ID()] {
			t.Fatalf("a graph %s that nobody built", g.ID())
		}
	}
	if !saved {
		t.Error("no child saved anything")
	}
	save(t, root, built(t, crashTree(1), nil, 1))
	if g, err := ondisk.Load(root); err != nil || g.ID() != built(t, crashTree(1), nil, 1).ID() {
		t.Errorf("after all: %v", err)
	}
}

// Whoever loads while others build gets a graph that was built.
func TestLoadWhileBuilding(t *testing.T) {
	root := t.TempDir()
	whole := map[graph.ID]bool{}
	var graphs []*graph.Graph
	for n := range 4 {
		g := built(t, crashTree(n), nil, 1)
		graphs, whole[g.ID()] = append(graphs, g), true
	}
	save(t, root, graphs[0])
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range 40 {
			save(t, root, graphs[n%4])
		}
	}()
	for loads := 0; ; loads++ {
		g, err := ondisk.Load(root)
		if err != nil || !whole[g.ID()] {
			t.Fatalf("load %d: %v", loads, err)
		}
		select {
		case <-done:
			return
		default:
		}
	}
}
