// Command quality measures the order of search results: it makes questions
// whose answers are known out of repositories, asks them, and compares with
// references in the same run.
//
//	go run ./bench/quality make -out DIR -fetched DIR [-ask DIR]
//	go run ./bench/quality run -set DIR -data DIR [-half dev] [-replay FILE]
//
// See README.md for what the questions are; run.sh does the whole run.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "make":
			return makeSet(args[1:])
		case "run":
			return runSet(ctx, args[1:], os.Stdout)
		case "compare":
			return compare(args[1:], os.Stdout)
		}
	}
	return errors.New("want `make`, `run` or `compare`; -h behind it lists the flags")
}
