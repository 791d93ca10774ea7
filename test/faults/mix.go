package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
)

// A mix are valid requests of several kinds, and how often each kind is sent.
type mix struct {
	requests map[string][]operation
	weights  []weight
}

type weight struct {
	name string
	of   int
}

var shares = []weight{
	{"search", 40},
	{"file", 20},
	{"structure", 10},
	{"nav search", 10},
	{"where-used", 10},
	{"ask", 4},
	{"repos", 3},
	{"healthz", 3},
}

func (m mix) names() string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(m.requests)) {
		names = append(names, fmt.Sprintf("%d %s", len(m.requests[name]), name))
	}
	return strings.Join(names, ", ")
}

func (m mix) pick(random *rand.Rand) operation {
	n := random.IntN(100)
	for _, w := range m.weights {
		if n -= w.of; n < 0 {
			return m.requests[w.name][random.IntN(len(m.requests[w.name]))]
		}
	}
	return m.requests["healthz"][0]
}

func bodyOf(op operation) io.Reader { return bytes.NewReader([]byte(op.body)) }

var questions = []string{
	"parse a time stamp", "where is the header decoded", "retry after an error", "buffered writer flush",
	"read a whole file",
	"compare two certificates", "split a path", "canonical encoding", "resolve a host name", "close idle connections",
	"escape special characters",
	"walk the syntax tree", "sign a digest", "limit the size of a body", "unread one byte",
}

// learnMix makes requests of what the server has: symbols, files and folders that exist.
func learnMix(ctx context.Context, s *server, roots []string) (mix, error) {
	m := mix{weights: shares, requests: map[string][]operation{
		"repos":   {{name: "repos", method: http.MethodGet, path: "/api/rag/repos"}},
		"healthz": {{name: "healthz", method: http.MethodGet, path: "/healthz"}},
	}}
	for _, q := range questions {
		for _, level := range []string{"symbol", "file", "module", "doc", "auto"} {
			m.add("search", "/api/rag/search", fields{"query": q, "level": level, "limit": 10})
		}
		m.add("ask", "/api/rag/", fields{"query": "How does it " + q + "?"})
		for _, root := range roots {
			if err := m.addFound(ctx, s, filepath.Base(root), q); err != nil {
				return m, err
			}
		}
	}
	for _, w := range m.weights {
		if len(m.requests[w.name]) == 0 {
			return m, fmt.Errorf("no request of the kind %s", w.name)
		}
	}
	return m, nil
}

func (m mix) add(name, path string, body fields) {
	m.requests[name] = append(m.requests[name], post(name, path, body))
}

// addFound adds requests about what a search finds in a repository.
func (m mix) addFound(ctx context.Context, s *server, repo, question string) error {
	r, err := s.ask(ctx, post("search", "/api/rag/search",
		fields{"query": question, "level": "symbol", "repo_filter": repo, "limit": 3}))
	if err != nil || r.Status == "ERROR" {
		return fmt.Errorf("search in %s: %s, %w", repo, r.Message, err)
	}
	for _, item := range r.Items {
		var hit struct {
			Path   string `json:"file_path"`
			Symbol string `json:"symbol_name"`
			Start  int    `json:"start_line"`
		}
		if err := json.Unmarshal(item, &hit); err != nil {
			return err
		}
		m.add("file", "/api/rag/file",
			fields{"repo_id": repo, "file_path": hit.Path, "start_line": hit.Start, "end_line": hit.Start + 40})
		m.add("structure", "/api/rag/structure",
			fields{"repo_id": repo, "path": strings.TrimSuffix(filepath.ToSlash(filepath.Dir(hit.Path)), ".")})
		m.add("where-used", "/api/nav/where-used", fields{"repo_id": repo, "symbol": hit.Symbol})
		m.add("nav search", "/api/nav/search", fields{"repo_id": repo, "query": hit.Symbol})
	}
	return nil
}
