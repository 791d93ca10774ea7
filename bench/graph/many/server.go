package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// A server is asked over HTTP.
type server struct {
	url string
	pid int // 0: its CPU time is not told
}

// A repository is one that a server has, in a folder.
type repository struct{ id, root string }

// repositories are what arguments say: each an id, an equals sign and a folder.
func repositories(args []string) (all []repository, err error) {
	for _, arg := range args {
		id, root, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no ID=FOLDER", arg)
		}
		all = append(all, repository{id, root})
	}
	return all, nil
}

// A reply is what a server said.
type reply struct {
	ok   bool
	body []byte
}

// own is what each reply has of its own, or of when its store was made.
var own = regexp.MustCompile(`"(?:request_id":"\w*|took_ms":[\d.e-]+|last_indexed_at":"[^"]*)`)

func (r reply) same(other reply) bool {
	return r.ok == other.ok && bytes.Equal(own.ReplaceAll(r.body, nil), own.ReplaceAll(other.body, nil))
}

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

// maxShown is how many bytes of a question are shown.
const maxShown = 1000

// shown is a question as a line.
func shown(question any) string {
	data, _ := json.Marshal(question) //nolint:errchkjson // it was sent
	return string(data[:min(len(data), maxShown)])
}
