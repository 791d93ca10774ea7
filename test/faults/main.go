// Faults damages data directories and lets system calls fail while the real
// programs read, write and serve them, and judges every reply: a reply is the
// one of an undamaged index, or says what is wrong and which command repairs
// it, and that command does. It is a judge from outside: it knows the programs'
// surface and the names of files, nothing of what is in them.
//
// What it needs beside the programs: Linux, and for failing system calls strace,
// prlimit, setpriv and mount, as root. It says what it skips.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

type options struct {
	n       int
	seed    uint64
	only    int
	bin     string
	workers int
	keep    bool
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 500, "number of cases")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()%1_000_000), "decides about everything")
	flag.IntVar(&o.only, "case", -1, "only the case with this number of the seed")
	flag.StringVar(&o.bin, "bin", "bin", "folder with api-server and ragnav")
	flag.IntVar(&o.workers, "workers", 1, "cases at the same time")
	flag.BoolVar(&o.keep, "keep", false, "keep the working folder")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ok, err := judgeAll(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}
