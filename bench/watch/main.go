// Command watch measures how long an edit takes to be found: api-server --watch
// on a synthetic git repository, one function added to one file at a time, and
// a search repeated until it finds that function. Beside it, in the same run, the
// time that git takes to tell which file changed.
//
//	go run ./bench/watch -bin bin
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "watch:", err)
		os.Exit(1)
	}
}

// A bench is one run.
type bench struct {
	bin          string
	files, edits int
	out          io.Writer
	data, tree   string
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	b := bench{out: out}
	fs := flag.NewFlagSet("watch", flag.ContinueOnError)
	fs.SetOutput(out)
	fs.StringVar(&b.bin, "bin", "bin", "folder with api-server")
	fs.IntVar(&b.files, "files", 10_000, "files of the repository")
	fs.IntVar(&b.edits, "edits", 100, "edits to time")
	keep := fs.String("keep", "",
		"folder for the repository and its index, used again by the next run (default: a temporary one)")
	if err := fs.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	work := *keep
	if work == "" {
		if work, err = os.MkdirTemp("", "ragnav-watch"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	}
	b.data, b.tree = filepath.Join(work, "data"), filepath.Join(work, "synthetic")
	if _, err := os.Stat(b.tree); err != nil {
		if err := b.plant(ctx); err != nil {
			return err
		}
	}
	s, err := b.serve(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	return b.measure(ctx, s)
}

// plant makes the repository: 20 files a folder, 12 functions a file.
func (b *bench) plant(ctx context.Context) error {
	for i := range b.files {
		if err := os.MkdirAll(filepath.Dir(b.file(i)), 0o755); err != nil {
			return err
		}
		var text strings.Builder
		fmt.Fprintf(&text, "// Package p%d is part %d of a synthetic repository.\npackage p%d\n", i/20, i, i/20)
		for j := range 12 {
			fmt.Fprintf(&text, "\n// Work%dOf%d adds %d to what it is given, and scales that by b.\n"+
				"func Work%dOf%d(a, b int) int {\n\tsum := a + %d\n\treturn sum * b\n}\n", j, i, j, j, i, i+j)
		}
		if err := os.WriteFile(b.file(i), []byte(text.String()), 0o600); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		{
			"-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false", "commit", "-q", "-m",
			"synthetic",
		},
	} {
		if err := b.git(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) file(i int) string {
	return filepath.Join(b.tree, fmt.Sprintf("area%02d", i/1000), fmt.Sprintf("p%d", i/20), fmt.Sprintf("file%d.go", i))
}

func (b *bench) git(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = b.tree
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
	}
	return nil
}

// measure edits files and waits for each edit.
func (b *bench) measure(ctx context.Context, s *server) error {
	var found, status []time.Duration
	r, began := rand.New(rand.NewPCG(1, 1)), time.Now().Unix()
	for n := range b.edits {
		name := nameOf(began, n)
		start := time.Now()
		if err := b.edit(r.IntN(b.files), name); err != nil {
			return err
		}
		if err := s.until(ctx, name); err != nil {
			return err
		}
		found = append(found, time.Since(start))
		start = time.Now()
		if err := b.git(ctx, "--no-optional-locks", "status", "--porcelain"); err != nil {
			return err
		}
		status = append(status, time.Since(start))
		if err := pause(ctx, 300*time.Millisecond); err != nil { // people don't type quicker
			return err
		}
	}
	fmt.Fprintf(b.out, "| %d edits, repository of %d files | p50 | p95 | max |\n|---|---|---|---|\n", b.edits, b.files)
	b.row("edit to found by a search", found)
	b.row("`git status --porcelain` after it (reference)", status)
	return nil
}

func (b *bench) row(what string, times []time.Duration) {
	slices.Sort(times)
	at := func(share float64) float64 {
		return float64(times[int(share*float64(len(times)-1)+0.5)].Microseconds()) / 1000
	}
	fmt.Fprintf(b.out, "| %s | %.0f ms | %.0f ms | %.0f ms |\n", what, at(0.5), at(0.95), at(1))
}

// nameOf is a word that no other edit of this run and of others has.
func nameOf(run int64, n int) string {
	word := []byte("Quiz")
	for id := run*1000 + int64(n); id > 0; id /= 26 {
		word = append(word, 'a'+byte(id%26))
	}
	return string(word)
}

func (b *bench) edit(i int, name string) (err error) {
	f, err := os.OpenFile(b.file(i), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "\n// %s says so.\nfunc %s() {}\n", name, name)
	return errors.Join(err, f.Close())
}
