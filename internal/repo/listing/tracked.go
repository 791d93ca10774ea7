package listing

import (
	"context"

	"github.com/ragnav/ragnav/internal/repo/disk"
)

// Tracked are the paths in git's index, in order, also those of files that are
// not on disk and of submodules. There are none without git.
func Tracked(ctx context.Context, t *disk.Folder) ([]string, error) { return index(ctx, t) }

// TrackedIgnored are the paths in git's index that its rules exclude: they are
// listed only for as long as they are in the index.
func TrackedIgnored(ctx context.Context, t *disk.Folder) ([]string, error) {
	return index(ctx, t, "-i", "--exclude-standard")
}

// index asks for paths in the index.
func index(ctx context.Context, t *disk.Folder, more ...string) ([]string, error) {
	if in, err := t.IsGit(ctx); err != nil || !in {
		return nil, err
	}
	found, _, err := lsFiles(ctx, t, append([]string{"-c"}, more...)...)
	return found, err
}
