// Command scan measures the live scan against ripgrep and the trigram file
// against the live scan, on one tree, in one run: each round runs all programs
// one after another, and what is printed are medians over the rounds.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"

	"github.com/ragnav/ragnav/internal/repo/disk"
)

// maxFileSize is far above what is indexed: ripgrep has no limit.
const maxFileSize = 1 << 30

type bench struct {
	tree    *disk.Folder
	rg      string // path of ripgrep, "" without
	rounds  int
	workers int
	only    string
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "scan:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	root := flag.String("tree", "", "the folder to search, a git work tree of 1 GB or more")
	rg := flag.String("rg", "rg", "ripgrep")
	profile := flag.String("cpuprofile", "", "write a profile of the searches to this file")
	b := bench{}
	flag.IntVar(&b.rounds, "rounds", 7, "how often each program runs")
	flag.IntVar(&b.workers, "threads", 2, "of each program")
	flag.StringVar(&b.only, "only", "", "run the case of this name only; trigrams for these")
	flag.Parse()
	if *root == "" {
		return errors.New("give -tree FOLDER")
	}
	path, err := exec.LookPath(*rg)
	if err != nil {
		fmt.Println("ripgrep was not found: install it (apt install ripgrep, cargo install ripgrep, npm install " +
			"@vscode/ripgrep) or give -rg PATH")
	}
	b.rg = path
	if b.tree, err = disk.Open(ctx, *root); err != nil {
		return err
	}
	defer func() { _ = b.tree.Close() }()
	runtime.GOMAXPROCS(b.workers)
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	if b.only != "trigrams" {
		if err := b.live(ctx); err != nil {
			return err
		}
	}
	if b.only == "" || b.only == "trigrams" {
		return b.trigrams(ctx)
	}
	return nil
}
