package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ragnav/ragnav/internal/parse"
)

// What ends a worker within a request.
var (
	errDeadline = errors.New("it takes too long to parse")
	errMemory   = errors.New("it takes too much memory to parse")
)

// errNotReady is of a process that ends, or is silent, before it has been given
// anything. It says nothing about a file.
var errNotReady = errors.New("the parser process does not start")

// A process is one worker. It has one caller at a time.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	write *bufio.Writer
	read  *bufio.Reader
	ready bool // it has said so
	files int  // parsed so far
}

// start runs a command as a worker.
func start(command []string) (*process, error) {
	// Not bound to a request's context: it outlives the one that it is started for.
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec,noctx // the program itself, see above
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &process{cmd: cmd, in: in, write: bufio.NewWriterSize(in, 1<<16), read: bufio.NewReaderSize(out, 1<<16)}, nil
}

// kill ends the process. It may be called at any time, and more than once.
func (p *process) kill() { _ = p.cmd.Process.Kill() }

// close ends the process and waits for it.
func (p *process) close() {
	_ = p.in.Close()
	p.kill()
	_ = p.cmd.Wait()
}

// killedByOthers reports whether a process that is closed, and gave that error
// before, was ended by the one signal that a parser does not raise: by the
// system that ran out of memory, say, or by a person. Where there are no
// signals it is false.
func (p *process) killedByOthers(err error) bool {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, syscall.EPIPE) {
		return false // it was alive until close
	}
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// limits are those of one request.
type limits struct {
	deadline time.Duration // of the processor, or where that is not told, of the clock
	memory   int64         // bytes
}

// ask has a file parsed. An error other than of ctx means that the process is
// of no use any more.
func (p *process) ask(ctx context.Context, f parse.File, r request, l limits) (reply, error) {
	defer context.AfterFunc(ctx, p.kill)()
	answer, err := p.watched(f, r, l)
	if ctx.Err() != nil && err != nil {
		err = ctx.Err()
	}
	return answer, err
}

// watched asks for one file under the limits. They are the file's: what the
// process needs to start does not count.
func (p *process) watched(f parse.File, r request, l limits) (reply, error) {
	if err := p.await(); err != nil {
		return reply{}, err
	}
	p.files++
	w := p.watch(l)
	answer, err := p.exchange(f, r)
	if why := w.stop(); why != nil && err != nil {
		err = why
	}
	return answer, err
}

// startLimit is how long a process may take to start, by the clock.
const startLimit = time.Minute

// await waits until a new process is ready for its first request.
func (p *process) await() error {
	if p.ready {
		return nil
	}
	defer time.AfterFunc(startLimit, p.kill).Stop()
	hello, err := readFrame(p.read)
	if err != nil || string(hello) != greeting {
		return errNotReady
	}
	p.ready = true
	return nil
}

func (p *process) exchange(f parse.File, r request) (answer reply, err error) {
	if err := writeValue(p.write, &r); err != nil {
		return reply{}, fmt.Errorf("ask a parser: %w", err)
	}
	if err := errors.Join(writeFrame(p.write, []byte(f.Text)), p.write.Flush()); err != nil {
		return reply{}, fmt.Errorf("ask a parser: %w", err)
	}
	if err := readValue(p.read, &answer); err != nil {
		return reply{}, fmt.Errorf("hear a parser: %w", err)
	}
	return answer, nil
}

// A watchdog kills a process that takes too long or too much.
type watchdog struct {
	timer *time.Timer
	why   atomic.Pointer[error]
}

// pollEvery is how often the memory of a busy worker is looked at.
const pollEvery = 50 * time.Millisecond

// patience is how many times the deadline a worker may take by the clock, if it
// does not get the processor: what is found in a file must not depend on how
// busy the machine is.
const patience = 20

// watch begins to count the processor time at its first poll, which few files
// live to see: to ask the system for every file takes a fortieth of a run.
func (p *process) watch(l limits) *watchdog {
	w := &watchdog{}
	start, seen := time.Now(), false
	var before time.Duration
	var told bool
	late := func() bool {
		used, ok := processorTime(p.cmd.Process.Pid)
		if !seen {
			before, told, seen = used, ok, true
		}
		if told {
			return time.Since(start) >= patience*l.deadline || ok && used-before >= l.deadline
		}
		return time.Since(start) >= l.deadline
	}
	started := make(chan struct{})
	w.timer = time.AfterFunc(min(pollEvery, l.deadline), func() {
		<-started
		switch {
		case late():
			w.why.Store(&errDeadline)
		case resident(p.cmd.Process.Pid) > l.memory:
			w.why.Store(&errMemory)
		default:
			w.timer.Reset(min(pollEvery, l.deadline))
			return
		}
		p.kill()
	})
	close(started)
	return w
}

// stop ends the watch. It returns why the process was killed, if it was.
func (w *watchdog) stop() error {
	w.timer.Stop()
	if why := w.why.Load(); why != nil {
		return *why
	}
	return nil
}
