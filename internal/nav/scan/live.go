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
	a.Matches = joined(a.Matches, b.Matches, func(m Match) string { return m.Path })
	a.Counts = joined(a.Counts, b.Counts, func(c Count) string { return c.Path })
	a.Truncated, a.Uncounted = a.Truncated || b.Truncated, a.Uncounted || b.Uncounted
	if limit > 0 && len(a.Matches) > limit {
		a.Matches, a.Truncated = a.Matches[:limit], true
	}
	a.Files += b.Files
	a.Bytes += b.Bytes
	a.Left += b.Left
	a.Skipped.Add(b.Skipped)
	return a
}

// joined are two lists in order of paths as one.
func joined[T any](a, b []T, path func(T) string) []T {
	if len(b) == 0 {
		return a
	}
	a = append(a, b...)
	slices.SortStableFunc(a, func(x, y T) int { return cmp.Compare(path(x), path(y)) })
	return a
}

// LiveNames are the files that Live searches, in order of paths.
func LiveNames(ctx context.Context, tree *disk.Folder, limits listing.Limits) ([]string, error) {
	tracked, err := listing.TrackedNames(ctx, tree, limits)
	if err != nil {
		return nil, err
	}
	others, err := listing.OtherNames(ctx, tree, limits)
	return joined(tracked, others, func(p string) string { return p }), err
}
