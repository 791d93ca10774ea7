// Command ask measures answers to questions whose files are known, beside file
// search. It makes the questions itself, from the history of repositories.
//
//	go run ./bench/ask make -out DIR OWNER/NAME=GITDIR …
//	go run ./bench/ask run -set DIR -server http://127.0.0.1:8080 [-split dev]
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
		fmt.Fprintln(os.Stderr, "ask:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "make":
			return makeSet(ctx, args[1:])
		case "run":
			return runSet(ctx, args[1:])
		}
	}
	return errors.New("want `make` or `run`; -h behind it lists the flags")
}
