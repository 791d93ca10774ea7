package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"time"
)

// A server is a running api-server.
type server struct {
	url       string
	cmd       *exec.Cmd
	out, errs lockedBuffer
	ended     chan struct{}
	client    *http.Client
}

var atURL = regexp.MustCompile(`ragnav is at (http://\S+)`)

// startServer returns when the server says where it is, or has ended: then its
// result is not nil.
func startServer(ctx context.Context, c command) (*server, *result, error) {
	s := &server{ended: make(chan struct{}), client: &http.Client{Timeout: patience}}
	cmd, err := c.start(ctx, &s.out, &s.errs)
	if err != nil {
		return nil, nil, err
	}
	s.cmd = cmd
	go func() {
		_ = cmd.Wait() // told by the exit code
		close(s.ended)
	}()
	deadline := time.After(patience)
	for {
		if m := atURL.FindStringSubmatch(s.out.String()); m != nil {
			s.url = m[1]
			return s, nil, nil
		}
		select {
		case <-s.ended:
			r := s.result(false)
			return nil, &r, nil
		case <-deadline:
			_ = cmd.Process.Kill()
			<-s.ended
			r := s.result(true)
			return nil, &r, nil
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (s *server) result(hung bool) result {
	return result{exit: s.cmd.ProcessState.ExitCode(), out: s.out.String(), err: s.errs.String(), hung: hung}
}

// alive reports whether the server still runs.
func (s *server) alive() bool {
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// stop ends the server as an operator does, and kills it when that takes too long.
func (s *server) stop() result {
	_ = s.cmd.Process.Signal(os.Interrupt) // has ended already, perhaps
	select {
	case <-s.ended:
		return s.result(false)
	case <-time.After(patience / 2):
		_ = s.cmd.Process.Kill()
		<-s.ended
		return s.result(true)
	}
}

// ask sends one operation and reads its reply.
func (s *server) ask(ctx context.Context, op operation) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, op.method, s.url+op.path, bytes.NewReader([]byte(op.body)))
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return reply{}, err
	}
	return parseReply(body)
}

// index runs an index job to its end and returns its last state.
func (s *server) index(ctx context.Context, request fields) (state, message string, err error) {
	r, err := s.ask(ctx, post("index", "/api/index", request))
	if err != nil || r.Status == "ERROR" {
		return "refused", r.Message, err
	}
	var job struct {
		ID, State, Error string
	}
	if err := json.Unmarshal(r.Items[0], &job); err != nil {
		return "", "", err
	}
	for end := time.Now().Add(10 * patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		r, err = s.ask(ctx, operation{method: http.MethodGet, path: "/api/index/jobs/" + job.ID})
		if err != nil {
			return "", "", err
		}
		if r.Code == "OVERLOADED" {
			continue
		}
		if r.Status == "ERROR" {
			return "lost", r.Message, nil
		}
		if err := json.Unmarshal(r.Items[0], &job); err != nil {
			return "", "", err
		}
		switch job.State {
		case "done", "failed", "cancelled":
			return job.State, job.Error, nil
		}
	}
	return "", "", fmt.Errorf("the job is %s after %v", job.State, 10*patience)
}
