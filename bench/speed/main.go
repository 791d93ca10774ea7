// Command speed measures what indexing and searching one source tree cost,
// beside two references on the same tree in the same run: reading every file,
// and a ripgrep scan.
//
//	go run ./bench/speed -bin bin -source $(go env GOROOT)/src
//
// It copies the tree first, because it changes a file of it. With -data or -sizes it
// measures how searches grow with the index, a row each, beside bare bleve and
// ripgrep: of data directories that there are, or of ones that it makes of -trees.
//
//	go run ./bench/speed -bin bin -data ~/.local/share/ragnav,/tmp/other
//	go run ./bench/speed -bin bin -sizes 10000,143000,500000,1000000 \
//		-trees $(go env GOROOT)/src/net,$(go env GOROOT)/src,…
//
// What is not there to compare with is SKIPPED, and said so.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	bin, source, data, queries string
	sizes, trees, filter       string
	rounds, bleveUpTo          int
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	var o options
	fs := flag.NewFlagSet("speed", flag.ContinueOnError)
	fs.SetOutput(out)
	fs.StringVar(&o.bin, "bin", "bin", "folder with api-server and ragnav")
	fs.StringVar(&o.source, "source", "", "source tree to measure on")
	fs.StringVar(&o.data, "data", "", "data directories to search in place of one of the source, by commas")
	fs.StringVar(&o.sizes, "sizes", "", "documents of the indexes to make of the trees, by commas")
	fs.StringVar(&o.trees, "trees", "", "folders to index, by commas, as many as a size needs")
	fs.StringVar(&o.filter, "filter", "net/http", "path_filter of the searches with one")
	fs.IntVar(&o.bleveUpTo, "bleve", 200_000, "documents up to which bare bleve is measured too")
	fs.StringVar(&o.queries, "queries", "", "file of queries to ask, one a line, in place of those of this benchmark")
	fs.IntVar(&o.rounds, "rounds", 5, "how often each query is asked")
	if err := fs.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	grows := o.data != "" || o.sizes != ""
	if o.source == "" && !grows {
		return errors.New("-source is missing; bench/speed/run.sh gives it")
	}
	work, err := os.MkdirTemp("", "ragnav-speed")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if grows {
		return grower{&bench{options: o, out: out, data: o.data}}.grow(ctx, work)
	}
	b := bench{options: o, out: out, data: filepath.Join(work, "data"), tree: filepath.Join(work, "src")}
	return b.all(ctx)
}

// A bench is one run over a copy of the source tree.
type bench struct {
	options
	out        io.Writer
	data, tree string
	size       size
}

func (b *bench) all(ctx context.Context) error {
	size, err := copyTree(b.source, b.tree)
	if err != nil {
		return err
	}
	b.size = size
	b.row("source", "%d files, %.1f MB, %d lines", size.files, mb(size.bytes), size.lines)
	for _, part := range []func(context.Context) error{b.references, b.index, b.oneShots, b.serve} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// row prints one line of a Markdown table.
func (b *bench) row(what, format string, args ...any) {
	fmt.Fprintf(b.out, "| %s | %s |\n", what, fmt.Sprintf(format, args...))
}

func mb(bytes int64) float64 { return float64(bytes) / 1e6 }
