package repo

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/ragnav/ragnav/internal/fault"
)

// patience is how long a reading git is waited for where the context has no
// earlier deadline. Listing a huge repository from a cold disk takes minutes; a
// git that takes longer hangs.
const patience = 10 * time.Minute

// readOnly keeps a repository's configuration from running anything and from
// reaching the network.
var readOnly = []string{
	"--no-pager",
	"-c", "safe.directory=*",
	"-c", "core.fsmonitor=false",
	"-c", "core.untrackedCache=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.quotePath=false",
}

var readOnlyEnv = []string{
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_NO_LAZY_FETCH=1",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_ALLOW_PROTOCOL=none",
	"GIT_PAGER=cat",
	"LC_ALL=C",
}

// git runs a reading git command in dir and returns its output. Errors are those
// of gitCommand.output.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	out, _, err := readGit(ctx, gitCommand{dir: dir, args: args})
	return out, err
}

// readGit is output for a command that only reads.
func readGit(ctx context.Context, g gitCommand) (out, messages string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	g.env, g.args = readOnlyEnv, slices.Concat(readOnly, g.args)
	return g.output(ctx)
}

// A gitCommand is one run of git.
type gitCommand struct {
	dir   string
	env   []string // added to the environment without GIT_*
	args  []string
	stdin string
}

func (g gitCommand) run(ctx context.Context) (string, error) {
	out, _, err := g.output(ctx)
	return out, err
}

// output is what git writes and, beside it, what it says: warnings, in English
// with the environment of readOnlyEnv. It is whole when err is nil.
//
// Without a git program the error is errNoGit, of one that failed a *gitError, of
// one that was not over in time a fault.Timeout, of one that could not be started
// a fault.Overloaded, a fault.PathNotFound or a fault.RAGUnavailable.
func (g gitCommand) output(ctx context.Context) (out, messages string, err error) {
	path, err := exec.LookPath("git")
	if errors.Is(err, exec.ErrNotFound) {
		return "", "", errNoGit
	}
	if err != nil {
		return "", "", g.notStarted(err)
	}
	cmd := exec.CommandContext(ctx, path, g.args...) //nolint:gosec // fixed commands; paths and URLs follow "--"
	cmd.Dir, cmd.Env = g.dir, append(withoutGit(cmd.Environ()), g.env...)
	cmd.WaitDelay = time.Second // of what it is told, only stdin passes through this process
	if g.stdin != "" {
		cmd.Stdin = strings.NewReader(g.stdin)
	}
	endTogether(cmd)
	stdout, stderr, err := inTurn(ctx, cmd)
	switch {
	case err == nil:
		return stdout, stderr, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", "", fault.Wrap(fault.Timeout, ctx.Err(),
			"git did not answer in time in %s; try again, or see whether \"git status\" is as slow there", g.dir)
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case cmd.ProcessState == nil:
		return "", "", g.notStarted(err)
	}
	return "", "", &gitError{dir: g.dir, exit: cmd.ProcessState.ExitCode(), stderr: stderr, err: err}
}

// processes are the gits that may run at once, whoever asks for them: more don't
// end sooner, and take memory and files.
var processes = semaphore.NewWeighted(8)

// inTurn is collected, once there are few enough others.
func inTurn(ctx context.Context, cmd *exec.Cmd) (stdout, stderr string, err error) {
	if err := processes.Acquire(ctx, 1); err != nil {
		return "", "", err
	}
	defer processes.Release(1)
	return collected(cmd)
}

// withoutGit drops the variables that would point git elsewhere.
func withoutGit(env []string) []string {
	kept := make([]string, 0, len(env))
	for _, kv := range env {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "SSH_ASKPASS") {
			kept = append(kept, kv)
		}
	}
	return kept
}
