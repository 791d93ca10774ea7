package main

import (
	"bytes"
	"context"
	_ "embed" // the queries
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

const searchPath = "/api/rag/search"

// A search is the body of a search request.
type search struct {
	Query      string `json:"query"`
	Level      string `json:"level"`
	Mode       string `json:"mode,omitempty"`
	RepoFilter string `json:"repo_filter,omitempty"`
	PathFilter string `json:"path_filter,omitempty"`
	Limit      int    `json:"limit,omitempty"`
}

// A server is a running api-server.
type server struct {
	url   string
	pid   int
	start time.Duration // until it was ready
}

// call sends body as JSON, nil for none, and decodes the reply into reply, where that is
// wanted. Statuses from 400 on are errors.
func (s *server) call(ctx context.Context, method, path string, body, reply any) (int, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, http.NoBody)
	if err != nil {
		return 0, err
	}
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		req.Body = io.NopCloser(bytes.NewReader(data))
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, err
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return resp.StatusCode, fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, text)
	}
	if reply == nil {
		return resp.StatusCode, nil
	}
	return resp.StatusCode, json.Unmarshal(text, reply)
}

// searches times every query of the judged set at every level, one after
// another, with and without a repository filter.
func (b *bench) searches(ctx context.Context, s *server) error {
	texts, err := b.texts()
	if err != nil {
		return err
	}
	used, requests := cpuTime(s.pid), 0
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
	b.row("CPU of api-server, mean of a search", "%.1f ms", millis(cpuTime(s.pid)-used)/float64(requests))
	return nil
}

//go:embed queries.txt
var queries string

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

// quantile expects sorted times.
func quantile(times []time.Duration, q float64) time.Duration {
	return times[min(len(times)-1, int(q*float64(len(times))))]
}
