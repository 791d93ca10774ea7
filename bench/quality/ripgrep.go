package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// fillers are the words of a question that nobody would grep for.
const fillers = " a an and are as at be before by do does for from given how i if in into is it its not of on only or so than that the their this to until what when where which while who with without "

// ripgrepSystem is what a person without an index does: grep for each word of
// the query, and look first where most of the matches are.
type ripgrepSystem struct{ corpora map[string]*corpus }

func (r ripgrepSystem) search(ctx context.Context, q query) ([]answer, error) {
	c := r.corpora[q.Repo]
	args := []string{"--no-config", "--no-heading", "--no-messages", "-n", "-o", "-i", "-F"}
	for _, w := range words(q.Query) {
		if !strings.Contains(fillers, " "+w+" ") {
			args = append(args, "-e", w)
		}
	}
	cmd := exec.CommandContext(ctx, "rg", append(args, ".")...)
	cmd.Dir = c.root
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return nil, nil // no match
	}
	if err != nil {
		return nil, fmt.Errorf("rg: %w", err)
	}
	return mostMatches(countMatches(c, q.Level, out)), nil
}

// countMatches reads lines "./path:line:match".
func countMatches(c *corpus, level string, out []byte) map[answer]int {
	counts := map[answer]int{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		name, rest, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "./"), ":")
		number, _, _ := strings.Cut(rest, ":")
		n, err := strconv.Atoi(number)
		file := c.files[name]
		if err != nil || file == nil {
			continue
		}
		if level == "file" {
			counts[answer{path: name}]++
			continue
		}
		for _, sp := range file.spans {
			if sp.start <= n && n <= sp.end {
				counts[answer{name, sp.name}]++
			}
		}
	}
	return counts
}

func mostMatches(counts map[answer]int) []answer {
	found := slices.SortedFunc(maps.Keys(counts), func(a, b answer) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.path, b.path), cmp.Compare(a.symbol, b.symbol))
	})
	return found[:min(depth, len(found))]
}
