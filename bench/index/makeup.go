package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// filesInFolder is how many files a folder of a made-up repository has.
const filesInFolder = 50

// makeUp writes a git repository of n files, half of them Go and half of them
// Python, each with four functions in words of its own, and commits it. Their
// times are an hour ago, as those of a clone that was not made a moment ago.
func makeUp(ctx context.Context, dir string, n int) error {
	for i := range n {
		folder := filepath.Join(dir, fmt.Sprintf("area%03d", i/filesInFolder/40), fmt.Sprintf("part%02d", i/filesInFolder%40))
		if i%filesInFolder == 0 {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
		}
		name, text := fmt.Sprintf("file%06d.go", i), goFile(i)
		if i%2 == 1 {
			name, text = fmt.Sprintf("file%06d.py", i), pythonFile(i)
		}
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
		then := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, then, then); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		{"-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0", "commit", "-q", "-m", "made up"},
	} {
		if out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
		}
	}
	return nil
}

// nouns and verbs are what names are made of.
var (
	nouns = strings.Fields(
		"account batch cache device event folder graph header index journal kernel ledger memory node order packet queue " +
			"record socket token user vector window")
	verbs = strings.Fields(
		"add build check decode encode find grow hash insert join keep load merge notify open parse read send trim update " +
			"verify write")
)

func words(i, k int) (verb, noun string) {
	seed := i*7 + k*13
	return verbs[seed%len(verbs)], nouns[(seed/len(verbs)+k)%len(nouns)] + fmt.Sprint(i%997)
}

func goFile(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Package part holds what area %d does.\npackage part\n", i/filesInFolder)
	for k := range 4 {
		verb, noun := words(i, k)
		fmt.Fprintf(&b, "\n// %s%s%d does its part for the %s.\nfunc %s%s%d(limit int) int {\n\ttotal := 0\n"+
			"\tfor n := range limit {\n\t\ttotal += n * %d\n\t}\n\treturn total\n}\n",
			verb, noun, k, noun, verb, noun, k, k+2)
	}
	return b.String()
}

func pythonFile(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\"\"\"What area %d does.\"\"\"\n", i/filesInFolder)
	for k := range 4 {
		verb, noun := words(i, k)
		fmt.Fprintf(&b, "\n\ndef %s_%s_%d(limit):\n    \"\"\"Does its part for the %s.\"\"\"\n    total = 0\n"+
			"    for n in range(limit):\n        total += n * %d\n    return total\n",
			verb, noun, k, noun, k+2)
	}
	return b.String()
}
