package repo

import "context"

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
	if in, err := t.IsGit(ctx); err != nil || !in {
		return nil, err
	}
	found, _, err := t.lsFiles(ctx, append([]string{"-c"}, more...)...)
	return found, err
}
