package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// patience is how long a program may take before it counts as hanging.
const patience = 60 * time.Second

// A result is what a program left.
type result struct {
	exit     int // -1: ended by a signal
	out, err string
	hung     bool
}

// crash matches what the runtime writes when a program dies of its own fault,
// and what the server logs of a panic that it caught.
var crash = regexp.MustCompile(
	`(?m)^(panic: |fatal error: |goroutine \d+ \[|unexpected fault address|\[signal )|"msg":"panic"`)

func (r result) panicked() bool { return crash.MatchString(r.err) }

// said is what a program wrote to stderr, from where it crashed if it did.
func (r result) said() string {
	if at := crash.FindStringIndex(r.err); at != nil {
		return r.err[at[0]:]
	}
	return r.err
}

// A command is a program of this project under circumstances: words before it
// (strace, prlimit, …) and the environment.
type command struct {
	before []string
	path   string
	args   []string
	env    []string
	lasts  time.Duration // when over 0, it gets the signal then
	end    os.Signal     // nil is an interrupt
}

func (c command) start(ctx context.Context, out, errs *lockedBuffer) (*exec.Cmd, error) {
	words := append(append([]string{}, c.before...), c.path)
	words = append(words, c.args...)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(os.Environ(), c.env...)
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = 2 * time.Second
	return cmd, cmd.Start()
}

func (c command) run(ctx context.Context) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var out, errs lockedBuffer
	cmd, err := c.start(ctx, &out, &errs)
	if err != nil {
		return result{}, err
	}
	if c.lasts > 0 {
		timer := time.AfterFunc(c.lasts, func() { _ = cmd.Process.Signal(c.signal()) }) // has ended already, perhaps
		defer timer.Stop()
	}
	err = cmd.Wait()
	r := result{exit: cmd.ProcessState.ExitCode(), out: out.String(), err: errs.String(), hung: ctx.Err() != nil}
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended && !errors.Is(err, exec.ErrWaitDelay) &&
		!r.hung {
		return r, err
	}
	return r, nil
}

func (c command) signal() os.Signal {
	if c.end == nil {
		return os.Interrupt
	}
	return c.end
}

// programs are the two programs under test.
type programs struct{ dir string }

// withStore is the environment of a program that keeps its index in data.
func withStore(data, home string) []string {
	return []string{
		"RAGNAV_STORE=embedded:" + data, "HOME=" + home,
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
	}
}

func (p programs) path(name string) string { return filepath.Join(p.dir, name) }

// split takes a command line apart as a shell does with plain words and quotes.
func split(line string) []string {
	var words []string
	var word strings.Builder
	quote, inside := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inside = r, true
		case quote == 0 && r == ' ':
			if inside {
				words = append(words, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if inside {
		words = append(words, word.String())
	}
	return words
}

// A lockedBuffer may be read while a program writes to it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
