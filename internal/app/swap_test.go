package app_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

const swapFiles = 210 // of 21 documents: more than one batch, and more files than a search reads by itself

// writeGeneration writes the files of a repository, all of which name their generation.
func writeGeneration(t *testing.T, root string, n int) {
	t.Helper()
	functions := 20
	if testing.Short() { // with the race detector; without it the size is what swapFiles tells of
		functions = 5
	}
	for i := range swapFiles {
		var text strings.Builder
		fmt.Fprintf(&text, "// Package brew is of Gen%d.\npackage brew\n", n)
		for f := range functions {
			fmt.Fprintf(&text, "\n// Brew%dx%dGen%d makes coffee of Gen%d.\nfunc Brew%dx%dGen%d() {}\n", i, f, n, n, i, f, n)
		}
		writeFile(t, filepath.Join(root, fmt.Sprintf("d%d/f%d.go", i%7, i)), text.String())
	}
	writeFile(t, filepath.Join(root, "README.md"), fmt.Sprintf("# Gen%d\n\nMakes coffee of Gen%d.\n", n, n))
}

var genPattern = regexp.MustCompile(`[Gg]en(\d+)`)

// oneGeneration is the generation that all of a reply is of.
func oneGeneration(items []models.SearchResult) (string, error) {
	found := ""
	for _, item := range items {
		text := item.Content
		if item.SymbolName != nil {
			text += " " + *item.SymbolName
		}
		for _, m := range genPattern.FindAllStringSubmatch(text, -1) {
			if found == "" {
				found = m[1]
			}
			if m[1] != found {
				return "", fmt.Errorf("generations %s and %s: %s", found, m[1], item.DocumentID)
			}
		}
	}
	return found, nil
}

// While a repository of which every file changed is indexed again, every reply
// is of the files before or of those after, whole, and what was there before is
// not seen again.
func TestRepliesDuringASwap(t *testing.T) {
	a := openFor(t, t.TempDir())
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	root := filepath.Join(t.TempDir(), "brewery")
	writeGeneration(t, root, 1)
	runOf(t, a, root)
	looks, last := 0, "1"
	for n := 2; n <= 3; n++ {
		writeGeneration(t, root, n)
		resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{root}, Full: n == 3})
		if err != nil {
			t.Fatal(err)
		}
		for ended := false; !ended; looks++ {
			job, err := op.Job.By(t.Context(), a, index.JobRequest{ID: resp.Items[0].ID})
			if err != nil {
				t.Fatal(err)
			}
			ended = job.Items[0].State.Final()
			now := lookAround(t, a, looks)
			if now != last && (now != fmt.Sprint(n) || last != fmt.Sprint(n-1)) {
				t.Fatalf("generation %s after %s", now, last)
			}
			last = now
		}
		waitFor(t, a, resp.Items[0])
		if last != fmt.Sprint(n) {
			t.Errorf("generation %s after the run, want %d", last, n)
		}
	}
	t.Logf("%d looks", looks)
}

// lookAround searches one of the levels and returns the generation of the reply.
func lookAround(t *testing.T, a *app.App, n int) string {
	t.Helper()
	levels := []models.Level{models.LevelSymbol, models.LevelFile, models.LevelDoc, models.LevelModule}
	full := []int{50, 50, 1, 8}
	req := search.Request{Query: "make coffee", Level: levels[n%len(levels)], Limit: new(50)}
	res, err := op.Search.By(t.Context(), a, req)
	if err != nil {
		t.Fatal(err)
	}
	if want := full[n%len(levels)]; len(res.Items) != want {
		t.Fatalf("%s: %d results, want %d", req.Level, len(res.Items), want)
	}
	for _, w := range res.Meta.Warnings {
		if w.Code != "FILES_NOT_INDEXED" && w.Code != "FRESHNESS_UNKNOWN" { // the run is under way
			t.Fatalf("%s: %+v", req.Level, res.Meta.Warnings)
		}
	}
	found, err := oneGeneration(res.Items)
	if err != nil || found == "" {
		t.Fatalf("%s: %q %v", req.Level, found, err)
	}
	return found
}

func runOf(t *testing.T, a *app.App, root string) {
	t.Helper()
	resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, a, resp.Items[0])
}
