// Faults judges the real programs from outside while things go wrong.
//
// Kind damage damages data directories and lets system calls fail while the
// programs read, write and serve them: every reply is the one of an undamaged
// index, or says what is wrong and which command repairs it, and that command
// does. Kind kill kills programs that write. Kind load sends a server more than
// it can answer.
//
// It knows the programs' surface and the names of files, nothing of what is in
// them. What it needs beside the programs: Linux, git, and for failing system
// calls strace, prlimit, setpriv and mount, as root. It says what it skips.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

type options struct {
	kind    string
	n       int
	seed    uint64
	only    int
	bin     string
	workers int
	keep    bool
	each    time.Duration
	clients []int
	trees   []string
}

func main() {
	o, err := parseFlags()
	ok := false
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		if o.kind == "load" {
			ok, err = judgeLoad(ctx, o)
		} else {
			ok, err = judgeAll(ctx, o)
		}
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func parseFlags() (options, error) {
	var o options
	var clients, trees string
	flag.StringVar(&o.kind, "kind", "damage", "damage, kill or load")
	flag.IntVar(&o.n, "n", 500, "number of cases of damage and kill")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()%1_000_000), "decides about everything")
	flag.IntVar(&o.only, "case", -1, "only the case with this number of the seed")
	flag.StringVar(&o.bin, "bin", "bin", "folder with api-server and ragnav")
	flag.IntVar(&o.workers, "workers", 1, "cases at the same time")
	flag.BoolVar(&o.keep, "keep", false, "keep the working folder")
	flag.DurationVar(&o.each, "each", time.Minute, "length of a round of load")
	flag.StringVar(&clients, "clients", "8,48,256", "clients of the rounds of load")
	flag.StringVar(&trees, "trees", "",
		"folders that are repositories under load, the last of which is indexed all the time (default "+
			"net,crypto,encoding,go of the Go tree)")
	flag.Parse()
	if o.kind != "damage" && o.kind != "kill" && o.kind != "load" {
		return o, fmt.Errorf("-kind is %q, not damage, kill or load", o.kind)
	}
	for word := range strings.SplitSeq(clients, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return o, fmt.Errorf("-clients: %q is no number of clients", word)
		}
		o.clients = append(o.clients, n)
	}
	var err error
	if o.trees = strings.Split(trees, ","); trees == "" {
		o.trees, err = goTrees()
	}
	if err == nil {
		o.bin, err = filepath.Abs(o.bin)
	}
	return o, err
}

// goTrees are folders of the Go tree that are like repositories.
func goTrees() ([]string, error) {
	root, err := exec.CommandContext(context.Background(), "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w; name folders with -trees", err)
	}
	var trees []string
	for _, name := range []string{"net", "crypto", "encoding", "go"} {
		trees = append(trees, filepath.Join(strings.TrimSpace(string(root)), "src", name))
	}
	return trees, nil
}
