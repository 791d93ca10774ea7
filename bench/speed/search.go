package main

import (
	"bytes"
	"context"
	_ "embed" // the queries
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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

//go:embed queries.txt
var queries string

// quantile expects sorted times.
func quantile(times []time.Duration, q float64) time.Duration {
	return times[min(len(times)-1, int(q*float64(len(times))))]
}
