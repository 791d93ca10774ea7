package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// An operation is a question as REST and as the command line put it.
type operation struct {
	name         string
	method, path string
	body         string
	args         []string
}

// operations are the questions that every state of the index is asked.
func operations() []operation {
	ops := []operation{{name: "repos", method: http.MethodGet, path: "/api/rag/repos", args: []string{"repos"}}}
	for _, level := range []string{"symbol", "file", "module", "repo", "doc", "auto"} {
		ops = append(ops, searching("walrus frame parses", "level", level))
	}
	ops = append(
		ops,
		searching("depth of the ledger queue", "level", "symbol", "mode", "lexical"),
		searching("waiting until a lock is free", "level", "symbol", "mode", "semantic"),
		searching("keeper flushes", "level", "doc", "path_filter", "dive/**"),
		searching("retries the walrus", "level", "file", "language", "Python"),
	)
	for _, repo := range indexed {
		ops = append(ops, searching("drains the walrus", "level", "file", "repo_filter", repo), coverage(repo))
	}
	return append(
		ops,
		post("structure", "/api/rag/structure", fields{"repo_id": alpha, "include_summaries": true}, "structure", alpha,
			"--include-summaries"),
		post("file", "/api/rag/file", fields{"repo_id": beta, "file_path": "README.md"}, "file", beta, "README.md"),
		post("ask", "/api/rag/", fields{"query": "where is the walrus decoded?"}, "ask", "where is the walrus decoded?"),
	)
}

type fields map[string]any

func post(name, path string, body fields, args ...string) operation {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return operation{name: name, method: http.MethodPost, path: path, body: string(data), args: args}
}

// searching is a search with options as REST names them.
func searching(query string, options ...string) operation {
	body, args, name := fields{"query": query, "limit": 10}, []string{"search", query, "--limit", "10"}, "search"
	for i := 0; i < len(options); i += 2 {
		body[options[i]] = options[i+1]
		args = append(args, "--"+strings.ReplaceAll(options[i], "_", "-"), options[i+1])
		name += " " + options[i+1]
	}
	return post(name, "/api/rag/search", body, args...)
}

func coverage(repo string) operation {
	return operation{
		name: "coverage " + repo, method: http.MethodGet, path: "/api/index/coverage?repo_id=" + repo,
		args: []string{"coverage", repo},
	}
}

// A table is what an index answers: replies in the order of the operations,
// and every document that a search can give.
type table struct {
	replies []reply
	items   map[string]document
}

// record asks a server everything.
func record(ctx context.Context, s *server, ops []operation) (table, error) {
	t := table{items: map[string]document{}}
	for _, op := range ops {
		r, err := s.ask(ctx, op)
		if err != nil {
			return t, fmt.Errorf("%s: %w", op.name, err)
		}
		t.replies = append(t.replies, r)
		if strings.HasPrefix(op.name, "search") { // some have not the word that list looks for
			if err := t.add(r.Items); err != nil {
				return t, err
			}
		}
	}
	for _, repo := range repositories(t.replies[0].Items) {
		for _, level := range []string{"symbol", "file", "module", "repo", "doc"} {
			if err := t.list(ctx, s, repo, level); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// list pages through what a word finds that is in all documents.
func (t *table) list(ctx context.Context, s *server, repo, level string) error {
	for cursor := ""; ; {
		body := fields{"query": "walrus", "level": level, "repo_filter": repo, "mode": "lexical", "limit": 100}
		if cursor != "" {
			body["cursor"] = cursor
		}
		r, err := s.ask(ctx, post("list", "/api/rag/search", body))
		if err != nil {
			return err
		}
		if err := t.add(r.Items); err != nil {
			return err
		}
		if cursor = r.Cursor; cursor == "" {
			return nil
		}
	}
}

// add takes note of the documents of a reply.
func (t *table) add(items []json.RawMessage) error {
	for _, item := range items {
		d, err := parseItem(item)
		if err != nil {
			return err
		}
		t.items[d.id] = d
	}
	return nil
}
