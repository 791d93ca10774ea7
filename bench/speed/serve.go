package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/bench/usage"
)

// serve times a server on the index that was made: start, searches, one change.
func (b *bench) serve(ctx context.Context) error {
	return b.withServer(ctx, func(s *server) error {
		b.row("api-server: start to ready, index opened", "%.0f ms", millis(s.start))
		if err := b.searches(ctx, s); err != nil {
			return err
		}
		if err := b.change(ctx, s); err != nil {
			return err
		}
		b.row("peak memory of api-server", "%.0f MB", mb(residentPeak(s.pid)))
		return nil
	})
}

// withServer calls do while a server runs on the index.
func (b *bench) withServer(ctx context.Context, do func(s *server) error) (err error) {
	cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "api-server"),
		"--addr", "127.0.0.1:0", "--store", "embedded:"+b.data, "--log-level", "warn")
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, cmd.Process.Signal(os.Interrupt), cmd.Wait())
	}()
	s, err := b.ready(ctx, cmd.Process.Pid, start)
	if err != nil {
		return err
	}
	s.start = time.Since(start)
	return do(s)
}

// ready waits until the server has written its address and answers.
func (b *bench) ready(ctx context.Context, pid int, start time.Time) (*server, error) {
	for time.Since(start) < time.Minute {
		var owner struct {
			Address string `json:"address"`
		}
		data, err := os.ReadFile(filepath.Join(b.data, "owner.json"))
		if err == nil && json.Unmarshal(data, &owner) == nil && owner.Address != "" {
			s := &server{url: "http://" + owner.Address, pid: pid}
			if code, err := s.call(ctx, http.MethodGet, "/readyz", nil, nil); err == nil && code == http.StatusOK {
				return s, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
	return nil, errors.New("api-server is not ready after a minute")
}

// change adds a function to one file and waits until a search finds it.
func (b *bench) change(ctx context.Context, s *server) error {
	path, err := b.goFile()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString("\n// Quizzaciously says so.\nfunc Quizzaciously() {}\n")
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	start := time.Now()
	if _, err := s.call(ctx, http.MethodPost, "/api/index", map[string]any{"targets": []string{b.tree}, "repo_id": repoID},
		nil); err != nil {
		return err
	}
	for time.Since(start) < time.Minute {
		var reply struct {
			Items []struct {
				SymbolName string `json:"symbol_name"`
			} `json:"items"`
		}
		if _, err := s.call(ctx, http.MethodPost, searchPath, search{Query: "Quizzaciously", Level: "symbol"},
			&reply); err != nil {
			return err
		}
		if len(reply.Items) > 0 && reply.Items[0].SymbolName == "Quizzaciously" {
			b.row("one file changed: index request to found", "%.2f s", time.Since(start).Seconds())
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return fmt.Errorf("the change of %s is not searchable after a minute", path)
}

// goFile is the first Go file of the tree that is no test.
func (b *bench) goFile() (string, error) {
	found := ""
	err := filepath.WalkDir(b.tree, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			found = path
			return filepath.SkipAll
		}
		return err
	})
	if err == nil && found == "" {
		err = fmt.Errorf("%s has no Go file to change", b.source)
	}
	return found, err
}

// searches times every query of the judged set at every level, one after
// another, with and without a repository filter.
func (b *bench) searches(ctx context.Context, s *server) error {
	texts, err := b.texts()
	if err != nil {
		return err
	}
	used, requests := usage.CPUOf(s.pid), 0
	for _, level := range []string{"symbol", "file", "module", "repo", "doc"} {
		for _, filter := range []string{"", repoID} {
			times, err := b.timeEach(ctx, s, texts, search{Level: level, RepoFilter: filter, Limit: 10})
			if err != nil {
				return err
			}
			requests += len(times) + len(texts)
			name := "search, level " + level
			if filter != "" {
				name += ", repo_filter"
			}
			b.row(name, "p50 %.1f ms, p95 %.1f ms, max %.1f ms (%d requests)",
				millis(quantile(times, .5)), millis(quantile(times, .95)), millis(times[len(times)-1]), len(times))
		}
	}
	b.row("CPU of api-server, mean of a search", "%.1f ms", millis(usage.CPUOf(s.pid)-used)/float64(requests))
	return nil
}

// texts are the queries, one a line.
func (b *bench) texts() ([]string, error) {
	all := queries
	if b.queries != "" {
		data, err := os.ReadFile(b.queries)
		if err != nil {
			return nil, err
		}
		all = string(data)
	}
	return strings.Split(strings.TrimSpace(all), "\n"), nil
}

// timeEach returns the times of all requests, shortest first. The first round
// warms up and is not counted.
func (b *bench) timeEach(ctx context.Context, s *server, texts []string, req search) ([]time.Duration, error) {
	var times []time.Duration
	for round := range b.rounds + 1 {
		for _, text := range texts {
			req.Query = text
			start := time.Now()
			if _, err := s.call(ctx, http.MethodPost, searchPath, req, nil); err != nil {
				return nil, err
			}
			if round > 0 {
				times = append(times, time.Since(start))
			}
		}
	}
	slices.Sort(times)
	return times, nil
}
