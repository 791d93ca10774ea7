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
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"github.com/ragnav/ragnav/bench/usage"
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

// index times the first run and the second one, each in a process of its own.
func (b *bench) index(ctx context.Context) error {
	first, err := b.indexOnce(ctx)
	if err != nil {
		return err
	}
	seconds := first.wall.Seconds()
	b.row("index, first run", "%.1f s (%.1f s CPU): %.0f files/s, %.2f MB/s, %.0f lines/s", seconds, first.cpu.Seconds(),
		float64(b.size.files)/seconds, mb(b.size.bytes)/seconds, float64(b.size.lines)/seconds)
	b.row("peak memory of that process", "%.0f MB", mb(first.peak))
	used, err := usage.Disk(b.data)
	if err != nil {
		return err
	}
	b.row("data directory", "%.1f MB = %.2f × the source", mb(used), float64(used)/float64(b.size.bytes))
	second, err := b.indexOnce(ctx)
	if err != nil {
		return err
	}
	b.row("index, second run, nothing changed", "%.2f s (%.2f s CPU), %.0f MB", second.wall.Seconds(),
		second.cpu.Seconds(), mb(second.peak))
	return nil
}

func (b *bench) indexOnce(ctx context.Context) (spending, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "ragnav"), "index", "--quiet",
		"--store", "embedded:"+b.data, "--repo-id", repoID, b.tree)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return spending{}, fmt.Errorf("ragnav index: %w\n%s", err, out)
	}
	return spending{
		wall: time.Since(start),
		cpu:  cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		peak: peakMemory(cmd.ProcessState),
	}, nil
}

// oneShots measures processes that do one thing: what every command costs before
// it does anything, and a search by a process that opens the index for it.
func (b *bench) oneShots(ctx context.Context) error {
	store := "embedded:" + b.data
	for _, one := range []struct {
		name string
		args []string
	}{
		{"ragnav version", []string{"version"}},
		{"ragnav repos", []string{"repos", "--store", store}},
		{
			"ragnav search, one process a search",
			[]string{"search", "--store", store, "--level", "symbol", "open a file for reading"},
		},
	} {
		cpu, peak, err := b.median(ctx, one.args)
		if err != nil {
			return err
		}
		b.row(one.name, "%.0f ms CPU, %.0f MB", millis(cpu), mb(peak))
	}
	return nil
}

// median runs ragnav as often as each query is asked, and once before.
func (b *bench) median(ctx context.Context, args []string) (cpu time.Duration, peak int64, err error) {
	var all []time.Duration
	for round := range b.rounds + 1 {
		cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "ragnav"), args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return 0, 0, fmt.Errorf("ragnav %s: %w\n%s", args[0], err, out)
		}
		if p := cmd.ProcessState; round > 0 {
			all, peak = append(all, p.UserTime()+p.SystemTime()), max(peak, peakMemory(p))
		}
	}
	slices.Sort(all)
	return quantile(all, .5), peak, nil
}

// references times what any tool has to do at least: read the tree, and scan it.
func (b *bench) references(ctx context.Context) error {
	start := time.Now()
	if err := eachFile(b.tree, func(string, []byte) error { return ctx.Err() }); err != nil {
		return err
	}
	b.row("reference: read every file, one thread", "%.2f s", time.Since(start).Seconds())
	scan := []string{"grep", "-rIc", "--include=*.go", "parseRFC3339", b.tree}
	if _, err := exec.LookPath("rg"); err == nil {
		scan = []string{"rg", "--no-config", "-c", "-F", "parseRFC3339", b.tree}
	}
	start = time.Now()
	err := exec.CommandContext(ctx, scan[0], scan[1:]...).Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		err = nil // no match
	}
	b.row("reference: "+scan[0]+" for one rare word", "%.0f ms", millis(time.Since(start)))
	return err
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
