package remote

import (
	"context"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// OpenClone opens the clone of a URL that Clone, of this process or of another
// that shares the folder, made below reposDir. A folder that is not there or,
// as far as git can tell, not a clone of that URL is PathNotFound.
func OpenClone(ctx context.Context, url, reposDir string) (*disk.Folder, error) {
	c, err := newCloner(url, reposDir)
	if err != nil {
		return nil, fault.Wrap(fault.PathNotFound, err, "there can't be a clone of %s", RedactURL(url))
	}
	root, there, wrong := c.place(ctx)
	if wrong != nil || !there {
		root, there = c.roots[0], false
	}
	tree, err := disk.Open(ctx, root)
	if err != nil {
		return nil, err
	}
	if there {
		return tree, nil
	}
	if err := c.sameOrigin(ctx, root); err != nil {
		_ = tree.Close()
		if fault.CodeOf(err) != fault.InvalidRequest {
			return nil, err
		}
		return nil, fault.Wrap(fault.PathNotFound, err, "%s is not a clone of %s", root, c.shown)
	}
	return tree, nil
}
