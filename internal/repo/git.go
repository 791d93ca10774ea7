package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

const (
	gitTimeout  = 5 * time.Second  // for questions about HEAD, remotes and single paths
	listTimeout = 60 * time.Second // for ls-files, which looks at every folder
)

// errNoGit means that there is no git program.
var errNoGit = errors.New("git is not installed")

// A gitError is a git command that failed.
type gitError struct {
	exit   int
	stderr string
	err    error
}

func (e *gitError) Error() string {
	return fmt.Sprintf("git: %s (%v)", reason(e.stderr), e.err)
}

func (e *gitError) Unwrap() error { return e.err }

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

// git runs a reading git command in dir and returns its output.
func git(ctx context.Context, timeout time.Duration, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return gitCommand{dir: dir, env: readOnlyEnv, args: slices.Concat(readOnly, args)}.run(ctx)
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

// output is run with what git says beside its output: warnings, in English with
// the environment of readOnlyEnv.
func (g gitCommand) output(ctx context.Context) (out, messages string, err error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return "", "", errNoGit
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, path, g.args...) //nolint:gosec // fixed commands; paths and URLs follow "--"
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = g.dir, strings.NewReader(g.stdin), &stdout, &stderr
	cmd.WaitDelay = time.Second / 2
	endTogether(cmd)
	cmd.Env = append(withoutGit(cmd.Environ()), g.env...)
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", "", fmt.Errorf("git: %w", ctx.Err())
		}
		return "", "", &gitError{exit: cmd.ProcessState.ExitCode(), stderr: stderr.String(), err: err}
	}
	return stdout.String(), stderr.String(), nil
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

// reason is the first line of git's messages that is not just talk.
func reason(stderr string) string {
	for line := range strings.SplitSeq(stderr, "\n") {
		line = strings.TrimSpace(line)
		talk := strings.HasPrefix(line, "warning:") || strings.HasPrefix(line, "hint:") || strings.HasPrefix(line, "Cloning into")
		if line != "" && !talk {
			return line
		}
	}
	return "no message"
}
