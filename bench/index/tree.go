package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/index"
)

// repoID is what a measured tree is called.
const repoID = "bench/source"

// figures are what was measured of one tree.
type figures struct {
	name         string
	source       index.Previewed // what of the tree is indexed
	load         string          // of the machine, when it began
	first, again spending
	tags         spending // of ctags; zero if there is none
	data         int64    // bytes of the data directory
	stages       stages
}

func (b *bench) measure(ctx context.Context, name, dir string) (f figures, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return f, err
	}
	data := filepath.Join(b.work, "data")
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
	f = figures{name: name, load: loadAverage()}
	if f.source, err = b.preview(ctx, dir, data); err != nil {
		return f, err
	}
	for _, u := range []*spending{&f.first, &f.again} {
		if *u, err = b.index(ctx, dir, data); err != nil {
			return f, err
		}
	}
	if f.data, err = usage.Disk(data); err != nil {
		return f, err
	}
	if f.tags, err = ctags(ctx, dir, filepath.Join(b.work, "tags")); err != nil {
		return f, err
	}
	if err := os.RemoveAll(data); err != nil {
		return f, err
	}
	f.stages, err = profile(ctx, b, name, dir, data)
	return f, err
}

// preview asks what of the tree is indexed. It also reads all files, so that
// the runs find them in memory.
func (b *bench) preview(ctx context.Context, dir, data string) (index.Previewed, error) {
	out, err := b.command(ctx, dir, data, "--dry-run", "--json").Output()
	if err != nil {
		return index.Previewed{}, fmt.Errorf("ragnav index --dry-run: %w", err)
	}
	var reply index.PreviewResponse
	if err := json.Unmarshal(out, &reply); err != nil {
		return index.Previewed{}, err
	}
	if len(reply.Repositories) != 1 {
		return index.Previewed{}, fmt.Errorf("a preview of %d repositories", len(reply.Repositories))
	}
	return reply.Repositories[0], nil
}

func (b *bench) index(ctx context.Context, dir, data string) (spending, error) {
	return measured(b.command(ctx, dir, data, "--quiet"))
}

func (b *bench) command(ctx context.Context, dir, data string, flags ...string) *exec.Cmd {
	args := append([]string{"index", "--store", "embedded:" + data, "--repo-id", repoID}, flags...)
	return exec.CommandContext(ctx, filepath.Join(b.bin, "ragnav"), append(args, dir)...)
}

// ctags times universal-ctags, if it is installed, which writes into a file.
func ctags(ctx context.Context, dir, file string) (spending, error) {
	program, err := exec.LookPath("ctags")
	if err != nil {
		return spending{}, nil //nolint:nilerr // the report says that it is not installed
	}
	return measured(exec.CommandContext(ctx, program, "--options=NONE", "--quiet", "-R", "-f", file, dir))
}

// spending is what a process and its children cost.
type spending struct {
	wall, cpu time.Duration
	peak      int64 // bytes of memory, of all processes at the same moment; 0 where the system does not tell
}

// measured runs a command to its end.
func measured(cmd *exec.Cmd) (spending, error) {
	var output capped
	if cmd.Stdout == nil {
		cmd.Stdout = &output
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &output
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return spending{}, err
	}
	peak := watchMemory(cmd.Process.Pid)
	err := cmd.Wait()
	u := spending{wall: time.Since(start), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak: peak()}
	if err != nil {
		return spending{}, fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, output.kept)
	}
	return u, nil
}

// capped keeps the beginning of what is written to it.
type capped struct{ kept []byte }

func (c *capped) Write(p []byte) (int, error) {
	c.kept = append(c.kept, p[:min(len(p), 4096-min(4096, len(c.kept)))]...)
	return len(p), nil
}

// madeUp measures a git repository of n small files: a first run with what its
// progress said, and runs that find nothing to do.
func (b *bench) madeUp(ctx context.Context, n int) error {
	dir, data := filepath.Join(b.work, "src"), filepath.Join(b.work, "data")
	if err := makeUp(ctx, dir, n); err != nil {
		return err
	}
	load := loadAverage()
	first := b.command(ctx, dir, data)
	var said bytes.Buffer
	first.Stderr = &said
	u, err := measured(first)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, said.String())
	}
	size, err := usage.Disk(data)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%d files, load %s: first run %.1f s (%.1f s CPU), peak %.0f MB, data %.0f MB; %d lines of "+
		"progress:\n%s\n",
		n, load, u.wall.Seconds(), u.cpu.Seconds(), mb(u.peak), mb(size), bytes.Count(said.Bytes(), []byte("\n")),
		said.String())
	for range 3 {
		if err := line(b.out, "nothing changed", b.command(ctx, dir, data, "--quiet")); err != nil {
			return err
		}
	}
	return line(b.out, "reference: git status",
		exec.CommandContext(ctx, "git", "-C", dir, "--no-optional-locks", "status", "--porcelain"))
}
