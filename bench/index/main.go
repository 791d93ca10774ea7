// Index measures what a first run of the indexer costs on real trees, stage by
// stage, beside universal-ctags on the same tree in the same run, and what a
// second run costs that finds nothing to do. See README.md.
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
	"strings"

	"github.com/ragnav/ragnav/internal/app"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == app.ParseWorker { // this program is also its own worker
		if err := app.ServeParser(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "index:", err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	bin, profiles, work string
	synthetic           int
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	var o options
	fs := flag.NewFlagSet("index", flag.ContinueOnError)
	fs.SetOutput(out)
	fs.StringVar(&o.bin, "bin", "bin", "folder with ragnav")
	fs.StringVar(&o.profiles, "profiles", "", "folder to keep the CPU profiles in")
	fs.StringVar(&o.work, "work", "", "folder to work in, which stays; else a temporary one")
	fs.IntVar(&o.synthetic, "synthetic", 0, "measure a made-up git repository of so many files, instead of trees")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() == 0 && o.synthetic == 0 {
		return errors.New("name the trees to measure, as NAME=FOLDER")
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	if o.work == "" {
		if o.work, err = os.MkdirTemp("", "ragnav-index"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(o.work)) }()
	}
	b := bench{options: o, out: out}
	if o.synthetic > 0 {
		return b.madeUp(ctx, o.synthetic)
	}
	return b.trees(ctx, fs.Args())
}

// A bench measures trees one after another.
type bench struct {
	options
	out io.Writer
}

func (b *bench) trees(ctx context.Context, args []string) error {
	var all []figures
	for _, arg := range args {
		name, dir, ok := strings.Cut(arg, "=")
		if !ok {
			name, dir = filepath.Base(arg), arg
		}
		f, err := b.measure(ctx, name, dir)
		if err != nil {
			report(b.out, all) // it took long to measure them
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, f)
	}
	report(b.out, all)
	return nil
}
