// Command fresh measures how long it takes to learn whether a repository is as
// a manifest says, beside what git takes to tell the same, in the same rounds.
//
//	go run ./bench/fresh -files 50000 -folders 1000
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fresh:", err)
		os.Exit(1)
	}
}

// A bench is one run.
type bench struct {
	files, folders, rounds int
	out                    io.Writer
	dir                    string
	tree                   *disk.Folder
	manifest               *fresh.Manifest
	watchers               *fresh.Watchers
	watched                *fresh.Manifest // the same with a watcher
	floor                  *floor          // nil where there is none
	times                  map[string][]sample
	order                  []string
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	b := bench{out: out, times: map[string][]sample{}}
	fs := flag.NewFlagSet("fresh", flag.ContinueOnError)
	fs.SetOutput(out)
	fs.IntVar(&b.files, "files", 50_000, "files of the repository")
	fs.IntVar(&b.folders, "folders", 1_000, "folders they are in")
	fs.IntVar(&b.rounds, "rounds", 30, "rounds to time")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "ragnav-fresh"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	if b.dir, err = filepath.EvalSymlinks(b.dir); err != nil {
		return err
	}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	b.watchers = fresh.NewWatchers(0)
	defer func() { err = errors.Join(err, b.watchers.Close(), b.tree.Close()) }()
	for i := range b.rounds {
		if err := b.round(ctx, i); err != nil {
			return err
		}
	}
	return b.report()
}

// prepare makes the repository and its manifest.
func (b *bench) prepare(ctx context.Context) (err error) {
	for i := range b.files {
		p := b.path(i)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(p, fmt.Appendf(nil, "package p\n\nfunc F%d() int { return %d }\n", i, i), 0o600); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		{"-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-q", "-m", "all"},
	} {
		if err := b.git(ctx, args...); err != nil {
			return err
		}
	}
	if b.tree, err = disk.Open(ctx, b.dir); err != nil {
		return err
	}
	if err := artifact.Prepare(b.tree); err != nil {
		return err
	}
	time.Sleep(3 * time.Second) // until nothing is racy
	if err := b.git(ctx, "status", "--porcelain"); err != nil {
		return err
	}
	start := time.Now()
	if b.manifest, err = fresh.Take(ctx, b.tree, fresh.Options{}, nil); err != nil {
		return err
	}
	if b.floor, err = prepareFloor(b.dir); err != nil {
		return err
	}
	_, err = fmt.Fprintf(b.out, "%d files in %d folders, manifest taken in %v, %d bytes stored\n\n",
		b.manifest.Len(), b.folders, time.Since(start).Round(time.Millisecond), len(b.manifest.Encode()))
	return err
}

// path spreads files over folders of four levels.
func (b *bench) path(i int) string {
	d := i % b.folders
	return filepath.Join(b.dir, "top"+strconv.Itoa(d%7), "mid"+strconv.Itoa(d%61), "dir"+strconv.Itoa(d),
		"file"+strconv.Itoa(i)+".go")
}

func (b *bench) git(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "gc.auto=0"}, args...)...) //nolint:gosec // fixed commands
	cmd.Dir = b.dir
	cmd.Env = append(cmd.Environ(), "GIT_OPTIONAL_LOCKS=0")
	return cmd.Run()
}

// check is a check that must find so many files that differ.
func (b *bench) check(ctx context.Context, m *fresh.Manifest, want int) error {
	var opts fresh.Options
	if m != b.manifest {
		opts.Watchers = b.watchers
	}
	d, err := m.Check(ctx, b.tree, opts)
	if err == nil && d.Count() != want {
		return fmt.Errorf("the check found %d files that differ, not %d: %v", d.Count(), want, d.Some(5))
	}
	return err
}

func (b *bench) report() error {
	status, bare := b.times[gitStatus], b.times[floorOfCheck]
	if _, err := fmt.Fprintln(b.out,
		"| what | wall min · p50 · p95 | CPU min · p50 | p50 of wall, CPU against git status | CPU min against the floor "+
			"|\n|---|---|---|---|---|"); err != nil {
		return err
	}
	for _, name := range b.order {
		s, beside := b.times[name], "–"
		if len(bare) > 0 {
			beside = fmt.Sprintf("%.2f", ratio(quantile(s, 0, cpu), quantile(bare, 0, cpu)))
		}
		if _, err := fmt.Fprintf(b.out, "| %s | %s · %s · %s | %s · %s | %.2f, %.2f | %s |\n", name,
			ms(quantile(s, 0, wall)), ms(median(s, wall)), ms(quantile(s, 0.95, wall)), ms(quantile(s, 0, cpu)),
			ms(median(s, cpu)),
			ratio(median(s, wall), median(status, wall)), ratio(median(s, cpu), median(status, cpu)), beside); err != nil {
			return err
		}
	}
	return nil
}

func wall(s sample) time.Duration { return s.wall }
func cpu(s sample) time.Duration  { return s.cpu }

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }

func ratio(a, b time.Duration) float64                               { return a.Seconds() / max(b.Seconds(), 1e-9) }
func median(s []sample, of func(sample) time.Duration) time.Duration { return quantile(s, 0.5, of) }

func quantile(s []sample, q float64, of func(sample) time.Duration) time.Duration {
	s = slices.SortedFunc(slices.Values(s), func(a, b sample) int { return cmp.Compare(of(a), of(b)) })
	return of(s[int(q*float64(len(s)-1))])
}
