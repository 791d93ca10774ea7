package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/fresh"
)

// A sample is one measurement.
type sample struct{ wall, cpu time.Duration }

const (
	gitStatus    = "`git status --porcelain` (reference)"
	floorOfCheck = "floor: `fstatat` of each file and nothing else"
)

func (b *bench) time(name string, do func() error) error {
	if _, ok := b.times[name]; !ok {
		b.order = append(b.order, name)
	}
	cpu, start := usage.All(), time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	b.times[name] = append(b.times[name], sample{time.Since(start), usage.All() - cpu})
	return nil
}

// round times each thing once. Every edit is taken back.
func (b *bench) round(ctx context.Context, i int) error {
	plain := b.path(i * 37 % b.files)
	stored := b.manifest.Encode()
	steps := []struct {
		name string
		do   func() error
	}{
		{gitStatus, func() error { return b.git(ctx, "status", "--porcelain") }},
		{
			"`git ls-files -co --exclude-standard`",
			func() error { return b.git(ctx, "ls-files", "-co", "--exclude-standard") },
		},
		{floorOfCheck, b.floor.look},
		{"check, nothing changed", func() error { return b.check(ctx, b.manifest, 0) }},
		{"load the manifest and check", func() error {
			m, err := fresh.Decode(stored)
			if err != nil {
				return err
			}
			return b.check(ctx, m, 0)
		}},
		{"load the manifest, check twice, until it is watched", func() error { return b.watch(ctx, stored) }},
		{"check, nothing changed, watched", func() error { return b.check(ctx, b.watched, 0) }},
	}
	for _, s := range steps {
		if strings.HasSuffix(s.name, ", watched") {
			if err := b.settle(ctx); err != nil {
				return err
			}
		}
		if s.name == floorOfCheck && b.floor == nil {
			continue
		}
		if err := b.time(s.name, s.do); err != nil {
			return err
		}
	}
	if err := b.edits(ctx, plain, b.manifest, ""); err != nil {
		return err
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	return b.edits(ctx, plain, b.watched, ", watched")
}

// watch loads the manifest, checks twice, since the first question has nothing
// watched, and waits until it is.
func (b *bench) watch(ctx context.Context, stored []byte) (err error) {
	if b.watched != nil {
		b.watched.Release()
	}
	if b.watched, err = fresh.Decode(stored); err != nil {
		return err
	}
	for range 2 {
		if err := b.check(ctx, b.watched, 0); err != nil {
			return err
		}
	}
	for !b.watched.Watched() && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	return ctx.Err()
}

// settle has all that checks learn learnt: what git reads is known, and nothing
// was changed a moment ago.
func (b *bench) settle(ctx context.Context) error {
	time.Sleep(2100 * time.Millisecond)
	for range 3 {
		if err := b.check(ctx, b.watched, 0); err != nil {
			return err
		}
	}
	for !b.watched.Watched() && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	return b.check(ctx, b.watched, 0)
}

func (b *bench) edits(ctx context.Context, file string, m *fresh.Manifest, how string) error {
	was, err := os.ReadFile(file) //nolint:gosec // of the synthetic repository
	if err != nil {
		return err
	}
	edited := append(append([]byte{}, was...), "// more\n"...)
	added := filepath.Join(filepath.Dir(file), "added.go")
	steps := []struct {
		name         string
		before, undo func() error
		differ       int
	}{
		{"check, a file written in place", func() error { return os.WriteFile(file, edited, 0o600) }, nil, 1},
		{"check, written back: equal content", func() error { return os.WriteFile(file, was, 0o600) }, nil, 0},
		{
			"check, a file replaced by another", func() error { return replaceFile(file, edited) },
			func() error { return replaceFile(file, was) }, 1,
		},
		{
			"check, a file added", func() error { return os.WriteFile(added, edited, 0o600) },
			func() error { return os.Remove(added) }, 1,
		},
		{"check, `git add` of one", func() error {
			if err := os.WriteFile(added, edited, 0o600); err != nil {
				return err
			}
			return b.git(ctx, "add", "-A")
		}, func() error {
			if err := os.Remove(added); err != nil {
				return err
			}
			return b.git(ctx, "add", "-A")
		}, 1},
	}
	for _, s := range steps {
		if err := s.before(); err != nil {
			return err
		}
		if err := b.time(s.name+how, func() error { return b.check(ctx, m, s.differ) }); err != nil {
			return err
		}
		if s.undo == nil {
			continue
		}
		if err := s.undo(); err != nil {
			return err
		}
		if err := b.check(ctx, m, 0); err != nil {
			return err
		}
	}
	return nil
}

// replaceFile is how most editors save.
func replaceFile(file string, content []byte) error {
	if err := os.WriteFile(file+"~", content, 0o600); err != nil {
		return err
	}
	return os.Rename(file+"~", file)
}
