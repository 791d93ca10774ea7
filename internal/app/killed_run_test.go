package app_test

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// The test program runs itself as the process that is killed.
var (
	killedData = flag.String("killed-data", "", "index -killed-root into this data directory until killed")
	killedRoot = flag.String("killed-root", "", "the repository that is indexed until killed")
)

var kills = flag.Int("kills", 6, "how often TestKilledRuns kills")

// TestKilledRuns kills a process that indexes a changed repository, at random
// moments from its start to its end. Whatever it was doing, the index it leaves
// answers, the next run comes to its end, and then the index is what a clean
// build makes. Nothing here knows how a run writes.
//
// 200 times by: go test ./internal/app -run TestKilledRuns -kills 200 -v.
func TestKilledRuns(t *testing.T) {
	if *killedData != "" {
		indexUntilKilled(t)
		return
	}
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, %d kills", seed, *kills)
	v := newVictim(t, rand.New(rand.NewPCG(seed, 0)))
	v.finish()
	for v.killed < *kills && !t.Failed() {
		v.edit(1 + v.random.IntN(80))
		if !v.kill() {
			continue
		}
		v.answers()
		if v.killed < *kills && v.random.IntN(4) == 0 {
			continue // the next is killed before this one is repaired
		}
		v.finish()
		v.wantClean()
	}
	v.finish()
	v.wantClean()
	t.Logf("%d kills, %d runs ended before theirs, last kill %v after the start of the run at most", v.killed, v.escaped,
		v.latest)
}

// indexUntilKilled says when it begins and when it has ended.
func indexUntilKilled(t *testing.T) {
	a := openFor(t, *killedData)
	fmt.Println("begin")
	resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{*killedRoot}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.WatchJob(t.Context(), index.JobRequest{ID: resp.Items[0].ID}, func(index.Job) {}); err != nil {
		t.Fatal(err)
	}
	fmt.Println("end")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// A victim is a repository, its index, and what was done to both.
type victim struct {
	*testing.T

	random     *rand.Rand
	root, data string
	edits      int           // gives each version of a file a time of its own
	lasts      time.Duration // what a run takes
	killed     int
	escaped    int
	latest     time.Duration
}

func newVictim(t *testing.T, random *rand.Rand) *victim {
	v := &victim{
		T: t, random: random, root: filepath.Join(t.TempDir(), "repo"), data: t.TempDir(),
		lasts: 200 * time.Millisecond,
	}
	v.write("untouched.go", "package repo\n\n// Walrus never changes.\nfunc Walrus() {}\n")
	for range 150 {
		v.edit(1)
	}
	return v
}

// write writes a file that is as old as its version is.
func (v *victim) write(name, text string) {
	v.Helper()
	file := filepath.Join(v.root, filepath.FromSlash(name))
	writeFile(v.T, file, text)
	v.edits++
	at := time.Unix(1_700_000_000+int64(v.edits), 0)
	if err := os.Chtimes(file, at, at); err != nil {
		v.Fatal(err)
	}
}

// edit changes, adds, moves or deletes so many files.
func (v *victim) edit(n int) {
	v.Helper()
	r := v.random
	for range n {
		dir := []string{".", "server", "server/deep", "docs", "cmd/x"}[r.IntN(5)]
		name := fmt.Sprintf("%s/f%d.%s", dir, r.IntN(12), []string{"go", "py", "md"}[r.IntN(3)])
		switch r.IntN(10) {
		case 0:
			gone(v.T, filepath.Join(v.root, filepath.FromSlash(name)))
		case 1:
			// if it is there
			_ = os.Rename(filepath.Join(v.root, filepath.FromSlash(name)),
				filepath.Join(v.root, fmt.Sprintf("moved%d.go", r.IntN(5))))
		default:
			v.write(name, someText(r))
		}
	}
}

// someText is a text of up to 40 declarations and headings.
func someText(r *rand.Rand) string {
	text := fmt.Sprintf("// Package p is number %d.\npackage p\n", r.IntN(1000))
	for i := range 1 + r.IntN(40) {
		text += fmt.Sprintf("\n# Walrus %d\n\n// F%d dives %d meters.\nfunc F%d() {}\n\ndef dive%d():\n    return %d\n", i, i,
			r.IntN(1000), i, i, r.IntN(100))
	}
	return text
}

// kill runs a process and kills it, and reports whether that was before the end
// of its run. Half of the moments are spread over its life, the others over what
// follows the beginning of the run.
func (v *victim) kill() bool {
	v.Helper()
	cmd := exec.CommandContext(v.Context(), os.Args[0], "-test.run=^TestKilledRuns$", "-killed-data="+v.data,
		"-killed-root="+v.root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		v.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		v.Fatal(err)
	}
	if v.random.IntN(10) == 0 { // perhaps while it opens the store
		v.killAfter(cmd, time.Duration(v.random.Int64N(int64(400*time.Millisecond))))
	}
	var begun time.Time
	ended := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch lines.Text() {
		case "begin":
			begun = time.Now()
			v.killAfter(cmd, time.Duration(v.random.Int64N(int64(v.lasts)*11/10)))
		case "end":
			ended = true
			v.lasts = (3*v.lasts + time.Since(begun)) / 4
		}
	}
	_ = cmd.Wait() // killed
	if ended {
		v.escaped++
		return false
	}
	if !begun.IsZero() {
		v.latest = max(v.latest, time.Since(begun))
	}
	v.killed++
	return true
}

func (v *victim) killAfter(cmd *exec.Cmd, d time.Duration) {
	timer := time.AfterFunc(d, func() { _ = cmd.Process.Kill() }) // has ended already, perhaps
	v.Cleanup(func() { timer.Stop() })
}

// answers opens the index that a killed process left, and searches it.
func (v *victim) answers() {
	v.Helper()
	a := openFor(v.T, v.data)
	defer v.closeApp(a)
	for _, level := range models.Levels() {
		res, err := op.Search.By(v.Context(), a, search.Request{Query: "walrus", Level: level, Limit: new(100)})
		if err != nil {
			v.Errorf("after kill %d: level %s: %v", v.killed, level, err)
			continue
		}
		untouched := level != models.LevelFile && level != models.LevelSymbol
		for _, item := range res.Items {
			untouched = untouched || item.FilePath != nil && *item.FilePath == "untouched.go"
		}
		if !untouched || len(res.Items) == 0 {
			v.Errorf("after kill %d: level %s has %d hits, untouched.go among them: %v", v.killed, level, len(res.Items),
				untouched)
		}
	}
}

// finish has a run come to its end.
func (v *victim) finish() {
	v.Helper()
	a := openFor(v.T, v.data)
	defer v.closeApp(a)
	begun := time.Now()
	v.runIn(a)
	v.lasts = max(v.lasts, time.Since(begun)/2)
}

func (v *victim) runIn(a *app.App) {
	v.Helper()
	resp, err := op.StartIndex.By(v.Context(), a, index.StartRequest{Targets: []string{v.root}})
	if err != nil {
		v.Fatal(err)
	}
	done, err := a.WatchJob(v.Context(), index.JobRequest{ID: resp.Items[0].ID}, func(index.Job) {})
	if err != nil || done.Items[0].State != index.JobDone {
		v.Fatalf("the run ended %+v, %v", done.Items, err)
	}
}

func (v *victim) closeApp(a *app.App) {
	v.Helper()
	if err := a.Close(); err != nil {
		v.Error(err)
	}
}

// wantClean wants the index to be what a first run makes of the repository.
func (v *victim) wantClean() {
	v.Helper()
	clean := v.TempDir()
	a := openFor(v.T, clean)
	v.runIn(a)
	v.closeApp(a)
	wantSameIndex(v.T, clean, v.data, "repo")
}
