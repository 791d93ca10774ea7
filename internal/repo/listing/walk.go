package listing

import (
	"context"
	"strings"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// Walk calls yield for each file below a folder in path order until yield
// returns an error, which Walk then returns. The files are those of List
// together with those that List skips for their size or as secret stores:
// ignored build output and symlinks don't flood a "**" pattern. A symlink to a
// folder inside the repository stands for that folder.
func Walk(ctx context.Context, t *disk.Folder, dir string, yield func(disk.Entry) error) error {
	files, _, err := Below(ctx, t, dir)
	if err != nil {
		return err
	}
	for _, e := range files {
		if err := yield(e); err != nil {
			return err
		}
	}
	return nil
}

// Below are the files that Walk yields, and what there is beside them.
func Below(ctx context.Context, t *disk.Folder, dir string) (files []disk.Entry, beside Unseen, err error) {
	p, err := relpath.Clean(dir)
	if err != nil {
		return nil, beside, err
	}
	if p, err = t.Resolve(p); err != nil {
		return nil, beside, disk.Fault(dir, err)
	}
	if err := t.CheckFolder(p); err != nil {
		return nil, beside, disk.Fault(dir, err)
	}
	found, err := scan(ctx, t, p, Limits{})
	if err != nil {
		return nil, beside, err
	}
	for _, f := range found {
		if p != "" && !strings.HasPrefix(f.Path, p+"/") {
			continue
		}
		if beside.count(f.detail); f.regular {
			files = append(files, f.Entry)
		}
	}
	return files, beside, nil
}
