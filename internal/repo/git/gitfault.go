package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
)

// ErrMissing means that there is no git program.
var ErrMissing = errors.New("git is not installed")

// A Error is a git command that failed.
type Error struct {
	dir    string
	exit   int // -1 when a signal ended it
	Stderr string
	Err    error
}

func (e *Error) Error() string { return fmt.Sprintf("git: %s (%v)", e.reason(), e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// reason is the first line of git's messages that is not just talk, or how it
// ended.
func (e *Error) reason() string {
	for line := range strings.SplitSeq(e.Stderr, "\n") {
		line = strings.TrimSpace(line)
		talk := strings.HasPrefix(line, "warning:") || strings.HasPrefix(line, "hint:") ||
			strings.HasPrefix(line, "Cloning into")
		if line != "" && !talk {
			return line
		}
	}
	return e.Err.Error()
}

// SaidNo reports that git did its work and its answer is no: status 1.
func SaidNo(err error) bool {
	failed, ok := errors.AsType[*Error](err)
	return ok && failed.exit == 1
}

// Fault is the fault of a git that had to answer and did not. It never means
// that there is no work tree.
func Fault(err error) error {
	if failed, ok := errors.AsType[*Error](err); ok {
		next := "repair the work tree, \"git status\" tells more"
		if strings.Contains(failed.Stderr, "fatal: not a git repository") {
			next = "repair its .git, or move that away to have the folder listed without git"
			if file := denied(filepath.Join(failed.dir, ".git")); file != "" {
				next = file + " can't be read by this program; change its permissions, or run as its owner"
			}
		}
		return fault.Wrap(fault.RAGUnavailable, err, "git fails in %s (%s); %s", failed.dir, failed.reason(), next)
	}
	if errors.Is(err, ErrMissing) {
		return fault.Wrap(fault.RAGUnavailable, err, "git is not installed any more; put it back on the PATH")
	}
	return err
}

// denied is what of a .git this program may not read, "" if it may.
func denied(dir string) string {
	for _, file := range []string{dir, filepath.Join(dir, "HEAD"), filepath.Join(dir, "config")} {
		f, err := os.Open(file)
		if errors.Is(err, fs.ErrPermission) {
			return file
		}
		if err == nil {
			_ = f.Close()
		}
	}
	return ""
}

// notStarted is the fault of a git that this machine could not start.
func (g Command) notStarted(err error) error {
	if Exhausted(err) {
		busy := fault.Wrap(fault.Overloaded, err, "git can't be started now (%v); %s", Cause(err), Relief(err))
		busy.RetryAfter = time.Second
		return busy
	}
	if _, gone := os.Stat(g.Dir); errors.Is(gone, fs.ErrNotExist) {
		return fault.Wrap(fault.PathNotFound, err, "the folder %s is gone", g.Dir)
	}
	if errors.Is(err, fs.ErrPermission) {
		if file := denied(g.Dir); file != "" { // it is started there
			return fault.Wrap(fault.InvalidRequest, err, "the folder %s can't be read; check its permissions", file)
		}
	}
	return fault.Wrap(fault.RAGUnavailable, err, "git can't be started (%v); see whether \"git --version\" runs",
		Cause(err))
}

// Exhausted reports whether the system has no more of something at this moment.
func Exhausted(err error) bool {
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.EMFILE) ||
		errors.Is(err, syscall.ENFILE)
}

// Relief says what to do about a system that is exhausted.
func Relief(err error) string {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return "let this process open more files (`ulimit -n 1024`) if that goes on"
	}
	return "try again when the machine has less to do"
}

// Cause is the innermost error.
func Cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
