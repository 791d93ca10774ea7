// Command speed measures what indexing and searching one source tree cost,
// beside two references on the same tree in the same run: reading every file,
// and a ripgrep scan.
//
//	go run ./bench/speed -bin bin -source $(go env GOROOT)/src
//
// It copies the tree first, because it changes a file of it. With -data it measures
// only what processes cost that search an index that there is, to see how that
// grows:
//
//	go run ./bench/speed -bin bin -data ~/.local/share/ragnav
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
	rounds                     int
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	var o options
	fs := flag.NewFlagSet("speed", flag.ContinueOnError)
	fs.SetOutput(out)
	fs.StringVar(&o.bin, "bin", "bin", "folder with api-server and ragnav")
	fs.StringVar(&o.source, "source", "", "source tree to measure on")
	fs.StringVar(&o.data, "data", "", "data directory to search in place of one of the source")
	fs.StringVar(&o.queries, "queries", "bench/quality/queries.json", "queries to time, those of the repository std")
	fs.IntVar(&o.rounds, "rounds", 5, "how often each query is asked")
	if err := fs.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	if o.data != "" {
		return (&bench{options: o, out: out, data: o.data}).oneShots(ctx)
	}
	if o.source == "" {
		return errors.New("-source is missing; bench/speed/run.sh gives it")
	}
	work, err := os.MkdirTemp("", "ragnav-speed")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
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
