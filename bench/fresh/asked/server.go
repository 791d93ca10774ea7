package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A server is an api-server that serves one folder, with a graph.
type server struct {
	cmd  *exec.Cmd
	url  string
	repo string
}

// start starts the server, waits until the folder is indexed and builds its graph.
func start(ctx context.Context, program, data, folder string) (_ *server, err error) {
	s := &server{cmd: exec.CommandContext(ctx, program, "--addr", "127.0.0.1:0", "--request-timeout", "10m", "--log-level",
		"error", "--store", "embedded:"+data, folder)} //nolint:gosec // the program that is measured
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.cmd.Stderr = s.cmd.Stdout
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	found := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if _, rest, ok := strings.Cut(lines.Text(), "ragnav is at "); ok {
				found <- strings.TrimRight(strings.Fields(rest)[0], ".,/")
				continue
			}
			_, _ = fmt.Fprintln(os.Stderr, lines.Text())
		}
	}()
	defer func() {
		if err != nil {
			_ = s.stop()
		}
	}()
	select {
	case s.url = <-found:
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("%s does not say where it is", program)
	}
	if s.repo, err = s.indexed(ctx); err != nil {
		return nil, err
	}
	var built struct{}
	return s, s.post(ctx, "/api/nav/build-graph", map[string]any{"repo_id": s.repo}, &built)
}

// indexed waits until the folder is, and returns its id.
func (s *server) indexed(ctx context.Context) (string, error) {
	for end := time.Now().Add(20 * time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
		var got struct {
			Items []struct {
				ID      string `json:"repo_id"`
				Indexed string `json:"last_indexed_at"`
			} `json:"items"`
		}
		if err := s.get(ctx, "/api/rag/repos", &got); err == nil && len(got.Items) == 1 && got.Items[0].Indexed != "" {
			return got.Items[0].ID, nil
		}
	}
	return "", fmt.Errorf("the folder is not indexed after 20 minutes")
}

// cpu is what the server has used, in steps of 10 ms.
func (s *server) cpu() time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	ticks := 0
	for _, i := range []int{11, 12} { // user and system, see proc(5)
		if i < len(fields) {
			n, _ := strconv.Atoi(fields[i])
			ticks += n
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	_ = s.cmd.Wait()
	return nil
}
