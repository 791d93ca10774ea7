package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// A server is asked over HTTP.
type server struct {
	url string
	pid int // 0: its CPU time is not told
}

// A repository is one that a server has.
type repository struct {
	ID   string `json:"repo_id"`
	Root string `json:"root"`
}

// repositories are all that the server has.
func (s *server) repositories(ctx context.Context) (all []repository, err error) {
	var list struct{ Items []repository }
	r, err := s.send(ctx, http.MethodGet, "/api/rag/repos?limit=100", nil)
	if err == nil {
		err = json.Unmarshal(r.body, &list)
	}
	if err == nil && len(list.Items) == 0 {
		err = fmt.Errorf("%s has no repositories: %.300s", s.url, r.body)
	}
	return list.Items, err
}

// A reply is what a server said.
type reply struct {
	ok   bool
	body []byte
}

func (r reply) same(other reply) bool { return r.ok == other.ok && bytes.Equal(r.body, other.body) }

// ask sends a question.
func (s *server) ask(ctx context.Context, path string, question any) (reply, error) {
	data, err := json.Marshal(question)
	if err != nil {
		return reply{}, err
	}
	return s.send(ctx, http.MethodPost, path, data)
}

func (s *server) send(ctx context.Context, method, path string, data []byte) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, bytes.NewReader(data))
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	return reply{res.StatusCode == http.StatusOK, body}, err
}

// shown is a question as a line.
func shown(question any) string {
	data, _ := json.Marshal(question) //nolint:errchkjson // it was sent
	return string(data)
}
