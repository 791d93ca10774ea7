package repo

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

// errNoGit means that there is no git program.
var errNoGit = errors.New("git is not installed")

// A gitError is a git command that failed.
type gitError struct {
	dir    string
	exit   int // -1 when a signal ended it
	stderr string
	err    error
}

func (e *gitError) Error() string { return fmt.Sprintf("git: %s (%v)", e.reason(), e.err) }

func (e *gitError) Unwrap() error { return e.err }

// reason is the first line of git's messages that is not just talk, or how it
// ended.
func (e *gitError) reason() string {
	for line := range strings.SplitSeq(e.stderr, "\n") {
		line = strings.TrimSpace(line)
		talk := strings.HasPrefix(line, "warning:") || strings.HasPrefix(line, "hint:") || strings.HasPrefix(line, "Cloning into")
		if line != "" && !talk {
			return line
		}
	}
	return e.err.Error()
}

// saidNo reports that git did its work and its answer is no: status 1.
func saidNo(err error) bool {
	failed, ok := errors.AsType[*gitError](err)
	return ok && failed.exit == 1
}

// gitFault is the fault of a git that had to answer and did not. It never means
// that there is no work tree.
func gitFault(err error) error {
	if failed, ok := errors.AsType[*gitError](err); ok {
		next := "repair the work tree, \"git status\" tells more"
		if strings.Contains(failed.stderr, "fatal: not a git repository") {
			next = "repair its .git, or move that away to have the folder listed without git"
		}
		return fault.Wrap(fault.RAGUnavailable, err, "git fails in %s (%s); %s", failed.dir, failed.reason(), next)
	}
	if errors.Is(err, errNoGit) {
		return fault.Wrap(fault.RAGUnavailable, err, "git is not installed any more; put it back on the PATH")
	}
	return err
}

// notStarted is the fault of a git that this machine could not start.
func (g gitCommand) notStarted(err error) error {
	if exhausted(err) {
		busy := fault.Wrap(fault.Overloaded, err, "git can't be started now (%v); try again when the machine has less to do", cause(err))
		busy.RetryAfter = time.Second
		return busy
	}
	if _, gone := os.Stat(g.dir); errors.Is(gone, fs.ErrNotExist) {
		return fault.Wrap(fault.PathNotFound, err, "the folder %s is gone", g.dir)
	}
	return fault.Wrap(fault.RAGUnavailable, err, "git can't be started (%v); see whether \"git --version\" runs", cause(err))
}

// exhausted reports whether the system has no more of something at this moment.
func exhausted(err error) bool {
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// cause is the innermost error.
func cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

const (
	notARepository = "fatal: not a git repository (or any "
	noWorkTreeHere = "fatal: this operation must be run in a work tree"
)

// saysNoWorkTree reports that git answered, of a folder, that it is in no work
// tree, and that the disk agrees: of a repository that is damaged, or that it may
// not read, git says the same.
func saysNoWorkTree(root string, err error) bool {
	failed, ok := errors.AsType[*gitError](err)
	if !ok || failed.exit != 128 {
		return false
	}
	for line := range strings.SplitSeq(failed.stderr, "\n") {
		if strings.HasPrefix(line, noWorkTreeHere) {
			return true
		}
		if rest, ok := strings.CutPrefix(line, notARepository); ok {
			_, mount, _ := strings.Cut(strings.TrimSuffix(rest, ")"), "parent up to mount point ")
			return !gitAbove(root, mount)
		}
	}
	return false
}

// gitAbove reports whether a folder or one above it, up to top, has what git
// keeps a repository in.
func gitAbove(dir, top string) bool {
	for {
		dot := filepath.Join(dir, ".git")
		info, err := os.Lstat(dot)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return true
		case err == nil && !info.IsDir():
			return true
		case err == nil && keepsRepository(dot):
			return true
		}
		parent := filepath.Dir(dir)
		if dir == top || dir == parent {
			return false
		}
		dir = parent
	}
}

// keepsRepository reports whether a folder has, or may have, a part of a
// repository.
func keepsRepository(dot string) bool {
	for _, part := range []string{"HEAD", "objects", "refs", "packed-refs"} {
		if _, err := os.Lstat(filepath.Join(dot, part)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}
