// Package git runs the git program: with a cleared environment and without hooks,
// monitors, pagers and transports, because a repository's own configuration may
// be hostile.
package git

import (
	"context"
	"errors"
	"fmt"
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

// Run runs a reading git command in dir and returns its output. Errors are those
// of gitCommand.output.
func Run(ctx context.Context, dir string, args ...string) (string, error) {
	out, _, err := Read(ctx, Command{Dir: dir, Args: args})
	return out, err
}

// Read is output for a command that only reads.
func Read(ctx context.Context, g Command) (out, messages string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	g.Env, g.Args = slices.Concat(readOnlyEnv, g.Env), slices.Concat(readOnly, g.Args)
	return g.Output(ctx)
}

// WithoutFilters is an environment in which git runs none of the programs that the
// repository around dir has it read files by: where it compares files with what it
// knows of them, it would.
func WithoutFilters(ctx context.Context, dir string) ([]string, error) {
	out, err := Run(ctx, dir, "config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|process|required)$`)
	if err != nil && !SaidNo(err) { // "no" is that there are none
		return nil, err
	}
	var env []string
	n := 0
	for key := range strings.SplitSeq(out, "\x00") {
		if key == "" {
			continue
		}
		value := ""
		if strings.HasSuffix(key, ".required") {
			value = "false"
		}
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
		n++
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n)), nil
}

// A Command is one run of git.
type Command struct {
	Dir   string
	Env   []string // added to the environment without GIT_*
	Args  []string
	Stdin string
}

// Run is what Output returns, without what git says beside.
func (g Command) Run(ctx context.Context) (string, error) {
	out, _, err := g.Output(ctx)
	return out, err
}

// Output is what git writes and, beside it, what it says: warnings, in English
// with the environment of readOnlyEnv. It is whole when err is nil.
//
// Without a git program the error is errNoGit, of one that failed a *gitError, of
// one that was not over in time a fault.Timeout, of one that could not be started
// a fault.Overloaded, a fault.PathNotFound or a fault.RAGUnavailable.
func (g Command) Output(ctx context.Context) (out, messages string, err error) {
	path, err := exec.LookPath("git")
	if errors.Is(err, exec.ErrNotFound) {
		return "", "", ErrMissing
	}
	if err != nil {
		return "", "", g.notStarted(err)
	}
	cmd := exec.CommandContext(ctx, path, g.Args...) //nolint:gosec // fixed commands; paths and URLs follow "--"
	cmd.Dir, cmd.Env = g.Dir, append(withoutGit(cmd.Environ()), g.Env...)
	cmd.WaitDelay = time.Second // of what it is told, only stdin passes through this process
	if g.Stdin != "" {
		cmd.Stdin = strings.NewReader(g.Stdin)
	}
	endTogether(cmd)
	stdout, stderr, err := inTurn(ctx, cmd)
	switch {
	case err == nil:
		return stdout, stderr, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", "", fault.Wrap(fault.Timeout, ctx.Err(),
			"git did not answer in time in %s; try again, or see whether \"git status\" is as slow there", g.Dir)
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case cmd.ProcessState == nil:
		return "", "", g.notStarted(err)
	}
	return "", "", &Error{dir: g.Dir, exit: cmd.ProcessState.ExitCode(), Stderr: stderr, Err: err}
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
