package repo

import (
	"context"
	"errors"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
)

// Tracked are the paths in git's index, in order, also those of files that are
// not on disk and of submodules. There are none without git.
func (t *Tree) Tracked(ctx context.Context) ([]string, error) { return t.index(ctx) }

// TrackedIgnored are the paths in git's index that its rules exclude: they are
// listed only for as long as they are in the index.
func (t *Tree) TrackedIgnored(ctx context.Context) ([]string, error) {
	return t.index(ctx, "-i", "--exclude-standard")
}

// index asks for paths in the index.
func (t *Tree) index(ctx context.Context, more ...string) ([]string, error) {
	if !t.git {
		return nil, nil
	}
	out, err := git(ctx, listTimeout, t.root, append([]string{"--literal-pathspecs", "ls-files", "-z", "-c"}, more...)...)
	if failed, ok := errors.AsType[*gitError](err); ok {
		return nil, fault.Wrap(fault.InvalidRequest, err,
			"git can't list %s (%s); repair the work tree, \"git status\" tells more", t.root, reason(failed.stderr))
	}
	if err != nil || out == "" {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(out, "\x00"), "\x00"), nil
}
