// Command quality measures how well a running api-server finds what the
// queries of queries.json ask for, beside two references that it computes from
// the same files in the same run: plain BM25 and ripgrep.
//
//	go run ./bench/quality -server http://127.0.0.1:8080 -root std=$(go env GOROOT)/src …
//
// bench/quality/run.sh does the whole run. With -check it only verifies that
// every judged path and symbol exists.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	queries, server, split, only string
	roots                        map[string]string // repo → folder
	check, verbose               bool
}

func parseFlags(args []string, out io.Writer) (options, error) {
	o := options{roots: map[string]string{}}
	fs := flag.NewFlagSet("quality", flag.ContinueOnError)
	fs.SetOutput(out)
	fs.StringVar(&o.queries, "queries", "bench/quality/queries.json", "judged queries")
	fs.StringVar(&o.server, "server", "", "URL of an api-server that has indexed the repositories; empty: references only")
	fs.StringVar(&o.split, "split", "", "dev, test or empty for both")
	fs.StringVar(&o.only, "only", "", "comma-separated systems to run; empty for all")
	fs.BoolVar(&o.check, "check", false, "only verify the judgements against the roots")
	fs.BoolVar(&o.verbose, "v", false, "print each query's figures and its results with their grades")
	fs.Func("root", "REPO=FOLDER, once for each repository", func(s string) error {
		repo, dir, ok := strings.Cut(s, "=")
		if !ok {
			return errors.New("want REPO=FOLDER")
		}
		o.roots[repo] = dir
		return nil
	})
	return o, fs.Parse(args)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parseFlags(args, out)
	if err != nil {
		return err
	}
	queries, err := loadQueries(o.queries, o.split)
	if err != nil {
		return err
	}
	corpora, err := loadCorpora(queries, o.roots)
	if err != nil {
		return err
	}
	if err := checkJudgements(queries, corpora); err != nil || o.check {
		if err == nil {
			fmt.Fprintf(out, "%d queries, every judged path and symbol exists\n", len(queries))
		}
		return err
	}
	table := newTable(out, o.verbose)
	for _, s := range systems(o, corpora, out) {
		if err := table.measure(ctx, s, queries); err != nil {
			return err
		}
	}
	table.print(out, queries)
	return nil
}
