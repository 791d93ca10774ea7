package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// patience is how long the first index run, or an edit, may take.
const patience = 5 * time.Minute

// A server is a running api-server --watch.
type server struct {
	cmd *exec.Cmd
	url string
}

var serverURL = regexp.MustCompile(`http://[0-9.]+:\d+`)

// serve starts the server and waits until the repository is searchable.
func (b *bench) serve(ctx context.Context) (*server, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "api-server"),
		"--addr", "127.0.0.1:0", "--store", "embedded:"+b.data, "--log-level", "warn", "--watch", b.tree)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	s := &server{cmd: cmd, url: serverURL.FindString(line)}
	if err != nil || s.url == "" {
		return nil, errors.Join(fmt.Errorf("the server said %q: %w", line, err), s.stop())
	}
	if err := s.settle(ctx); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func (s *server) stop() error {
	return errors.Join(s.cmd.Process.Signal(os.Interrupt), s.cmd.Wait())
}

// settle waits until the first run and the watcher's own have ended.
func (s *server) settle(ctx context.Context) error {
	for start := time.Now(); time.Since(start) < patience; {
		var jobs struct {
			Items []struct {
				State string `json:"state"`
			} `json:"items"`
		}
		if err := s.call(ctx, http.MethodGet, "/api/index/jobs", nil, &jobs); err != nil {
			return err
		}
		done := 0
		for _, j := range jobs.Items {
			if j.State == "done" {
				done++
			}
		}
		if done >= 2 && done == len(jobs.Items) {
			return pause(ctx, time.Second)
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return errors.New("the repository is not indexed in time")
}

// until searches for a function until it is found.
func (s *server) until(ctx context.Context, name string) error {
	for start := time.Now(); time.Since(start) < patience; {
		var reply struct {
			Items []struct {
				SymbolName string `json:"symbol_name"`
			} `json:"items"`
		}
		if err := s.call(ctx, http.MethodPost, "/api/rag/search",
			map[string]any{"query": name, "level": "symbol", "mode": "lexical", "limit": 1}, &reply); err != nil {
			return err
		}
		if len(reply.Items) > 0 && reply.Items[0].SymbolName == name {
			return nil
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s is not found in time", name)
}

func (s *server) call(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, &body)
	if err != nil {
		return err
	}
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s", method, path, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
