package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ragnav/ragnav/bench/usage"
)

// clients is how many ask at once, and warmUp how many requests come first.
const (
	clients = 8
	warmUp  = 100
)

// A grower measures indexes of several sizes.
type grower struct{ *bench }

// A growth is one data directory as it is searched.
type growth struct {
	*bench
	server *server
	texts  []string
}

// grow measures searches of indexes of several sizes: those of -data, or ones that
// are made of the folders of -trees.
func (b grower) grow(ctx context.Context, work string) error {
	loops(b.out)
	fmt.Fprintf(b.out, "\n| documents | hybrid, CPU | words | one name | %s | hybrid p50 · p99 | %d clients | bare "+
		"bleve, words | one process a search | rg, one word |\n%s\n",
		b.filter, clients, "|---|---|---|---|---|---|---|---|---|---|")
	if b.data != "" {
		for dir := range strings.SplitSeq(b.data, ",") {
			if err := b.searched(ctx, dir); err != nil {
				return err
			}
		}
		return nil
	}
	for size := range strings.SplitSeq(b.sizes, ",") {
		want, err := strconv.Atoi(size)
		if err != nil {
			return fmt.Errorf("-sizes: %w", err)
		}
		dir := filepath.Join(work, size)
		if err := b.fill(ctx, dir, want); err != nil {
			return err
		}
		if err := b.searched(ctx, dir); err != nil {
			return err
		}
	}
	return nil
}

// fill indexes trees until there are as many documents as wanted.
func (b grower) fill(ctx context.Context, dir string, want int) error {
	have := 0
	for i, tree := range strings.Split(b.trees, ",") {
		cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "ragnav"), "index", "--quiet", "--no-graph",
			"--store", "embedded:"+dir, "--repo-id", fmt.Sprintf("bench/t%d", i), tree)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("index %s: %w\n%s", tree, err, out)
		}
		n, _, err := b.contents(ctx, dir)
		if have = n; err != nil || have >= want {
			return err
		}
	}
	fmt.Fprintf(b.out, "SKIPPED part of %d documents: the trees have %d; name more with -trees\n", want, have)
	return nil
}

// contents are how many documents an index has, and the folders of its repositories.
func (b grower) contents(ctx context.Context, dir string) (documents int, roots []string, err error) {
	var reply struct {
		Items []struct {
			Documents int `json:"doc_count"`
		} `json:"items"`
	}
	out, err := exec.CommandContext(ctx, filepath.Join(b.bin, "ragnav"), "repos", "--json", "--store",
		"embedded:"+dir).Output()
	if err == nil {
		err = json.Unmarshal(out, &reply)
	}
	for _, item := range reply.Items {
		documents += item.Documents
	}
	var registered struct {
		Body []struct {
			Root string `json:"root"`
		} `json:"body"`
	}
	if data, unread := os.ReadFile(filepath.Join(dir, "registrations.json")); unread == nil &&
		json.Unmarshal(data, &registered) == nil {
		for _, r := range registered.Body {
			roots = append(roots, r.Root)
		}
	}
	if err == nil && documents == 0 {
		err = errors.New("the index has no documents: " + dir)
	}
	return documents, roots, err
}

// searched prints the row of one index.
func (b grower) searched(ctx context.Context, dir string) error {
	documents, roots, err := b.contents(ctx, dir)
	if err != nil {
		return err
	}
	texts, err := b.texts()
	if err != nil {
		return err
	}
	one := *b.bench
	one.data = dir
	cells := []string{strconv.Itoa(documents)}
	err = one.withServer(ctx, func(s *server) error {
		cells, err = growth{&one, s, texts}.cells(ctx, cells)
		return err
	})
	if err != nil {
		return err
	}
	cells = append(cells, bareBleve(ctx, &one, documents, texts))
	cpu, _, err := one.median(ctx,
		[]string{"search", "--store", "embedded:" + dir, "--level", "symbol", "open a file for reading"})
	if err != nil {
		return err
	}
	cells = append(cells, fmt.Sprintf("%.0f ms", millis(cpu)), scanned(ctx, roots))
	fmt.Fprintf(b.out, "| %s |\n", strings.Join(cells, " | "))
	return nil
}

// cells are what a server with the index costs.
func (g growth) cells(ctx context.Context, cells []string) ([]string, error) {
	names, err := g.names(ctx)
	if err != nil {
		return nil, err
	}
	hybrid := search{Level: "symbol"}
	if _, _, err := g.ask(ctx, hybrid, g.texts, warmUp, 1); err != nil {
		return nil, err
	}
	for _, c := range []struct {
		req   search
		texts []string
	}{
		{hybrid, g.texts},
		{search{Level: "symbol", Mode: "lexical"}, g.texts},
		{hybrid, names},
		{search{Level: "symbol", PathFilter: g.filter}, g.texts},
	} {
		cpu, _, err := g.ask(ctx, c.req, c.texts, g.rounds*len(c.texts), 1)
		if err != nil {
			return nil, err
		}
		cells = append(cells, fmt.Sprintf("%.2f ms", millis(cpu)))
	}
	_, times, err := g.ask(ctx, hybrid, g.texts, g.rounds*len(g.texts), 1)
	if err != nil {
		return nil, err
	}
	cells = append(cells, fmt.Sprintf("%.1f · %.1f ms", millis(quantile(times, .5)), millis(quantile(times, .99))))
	start := time.Now()
	if _, times, err = g.ask(ctx, hybrid, g.texts, g.rounds*len(g.texts), clients); err != nil {
		return nil, err
	}
	return append(cells, fmt.Sprintf("%.0f/s", float64(len(times))/time.Since(start).Seconds())), nil
}

// ask sends n requests, several at once, and gives the CPU of the server for one
// of them, and their times, shortest first.
func (g growth) ask(ctx context.Context, req search, texts []string, n, atOnce int) (cpu time.Duration,
	times []time.Duration, err error,
) {
	var mu sync.Mutex
	used := usage.CPUOf(g.server.pid)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i := range n {
		group.Go(func() error {
			req := req
			req.Query = texts[i%len(texts)]
			start := time.Now()
			_, err := g.server.call(ctx, http.MethodPost, searchPath, req, nil)
			mu.Lock()
			defer mu.Unlock()
			times = append(times, time.Since(start))
			return err
		})
	}
	err = group.Wait()
	slices.Sort(times)
	return (usage.CPUOf(g.server.pid) - used) / time.Duration(n), times, err
}

// names are those of the first hits of the texts.
func (g growth) names(ctx context.Context) ([]string, error) {
	var names []string
	for _, text := range g.texts {
		var reply struct {
			Items []struct {
				SymbolName string `json:"symbol_name"`
			} `json:"items"`
		}
		if _, err := g.server.call(ctx, http.MethodPost, searchPath, search{Query: text, Level: "symbol"},
			&reply); err != nil {
			return nil, err
		}
		if len(reply.Items) > 0 && reply.Items[0].SymbolName != "" {
			names = append(names, reply.Items[0].SymbolName)
		}
	}
	if names == nil {
		return nil, errors.New("no query finds a symbol with a name")
	}
	return names, nil
}

// scanned is the CPU of ripgrep over folders.
func scanned(ctx context.Context, roots []string) string {
	rg, err := exec.LookPath("rg")
	if err != nil {
		return "SKIPPED: no rg"
	}
	cmd := exec.CommandContext(ctx, rg, append([]string{"--no-config", "-c", "-F", "parseRFC3339"}, roots...)...)
	cmd.Stdout, cmd.Stderr = nil, os.Stderr
	_ = cmd.Run() // 1 is no match
	if cmd.ProcessState == nil {
		return "SKIPPED: rg does not run"
	}
	return fmt.Sprintf("%.0f ms", millis(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()))
}
