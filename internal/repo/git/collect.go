package git

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"

	"github.com/ragnav/ragnav/internal/parallel"
)

// collected runs a command and returns all that it wrote by its end. What a
// process writes that it left behind, with its output open, is not waited for.
//
// exec.Cmd with buffers tells neither: with a WaitDelay it makes an error of an
// end whose output was not read in time, on a busy machine, and without one it
// waits for the processes left behind.
func collected(cmd *exec.Cmd) (stdout, stderr string, err error) {
	out, err := newCollector()
	if err != nil {
		return "", "", err
	}
	messages, err := newCollector()
	if err != nil {
		out.abandon()
		return "", "", err
	}
	cmd.Stdout, cmd.Stderr = out.write, messages.write
	err = cmd.Start()
	out.begin()
	messages.begin()
	if err == nil {
		err = cmd.Wait()
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it ended well without reading all of stdin
	}
	return out.end(), messages.end(), err
}

// A collector reads one pipe.
type collector struct {
	read, write *os.File
	data        bytes.Buffer
	done        chan struct{}
}

func newCollector() (*collector, error) {
	r, w, err := os.Pipe()
	return &collector{read: r, write: w, done: make(chan struct{})}, err
}

// abandon closes what was not begun.
func (c *collector) abandon() {
	_ = c.write.Close()
	_ = c.read.Close()
}

// begin reads until nobody has the pipe open for writing. The child, if there is
// one, has its own end.
func (c *collector) begin() {
	_ = c.write.Close()
	parallel.Start(func() error {
		defer close(c.done)
		_, err := io.Copy(&c.data, c.read)
		return err
	})
}

// end is what was written up to now.
func (c *collector) end() string {
	defer func() { _ = c.read.Close() }()
	finish(c)
	return c.data.String()
}
