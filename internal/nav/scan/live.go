package scan

import (
	"cmp"
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// Live searches the files that a repository's folder has now. What git tracks is known at once and searched while git
// looks for what it does not track.
func Live(ctx context.Context, tree *disk.Folder, limits listing.Limits, m *match.Matcher, o Options) (Result, error) {
	if o.MaxFileSize <= 0 {
		o.MaxFileSize = limits.MaxFileSize
	}
	folder := OpenFolder(tree.Root())
	lists := []func(context.Context, *disk.Folder, listing.Limits) ([]string, error){
		listing.TrackedNames,
		listing.OtherNames,
	}
	found := make([]Result, len(lists))
	group, ctx := parallel.NewGroup(ctx)
	for i, list := range lists {
		group.Go(func() error {
			paths, err := list(ctx, tree, limits)
			if err != nil {
				return err
			}
			found[i], err = Search(ctx, folder, paths, m, o)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return Result{}, err
	}
	return merge(found[0], found[1], m.Query.Limit), nil
}

// merge joins the results of two lists of files that have none in common.
func merge(a, b Result, limit int) Result {
	if len(b.Matches) > 0 {
		a.Matches = append(a.Matches, b.Matches...)
		slices.SortStableFunc(a.Matches, func(x, y Match) int { return cmp.Compare(x.Path, y.Path) })
	}
	a.Truncated = a.Truncated || b.Truncated
	if limit > 0 && len(a.Matches) > limit {
		a.Matches, a.Truncated = a.Matches[:limit], true
	}
	a.Files += b.Files
	a.Bytes += b.Bytes
	a.Left += b.Left
	a.Skipped.Add(b.Skipped)
	return a
}
