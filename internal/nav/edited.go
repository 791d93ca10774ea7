package nav

import (
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/change"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/history"
)

// sinceCommit are the files that differ from a commit, or between two.
func sinceCommit(ctx context.Context, g *gateway.Gateway, base, commits string) ([]change.File, error) {
	from, to, err := revisions(ctx, g.Tree, base, commits)
	if err != nil {
		return nil, err
	}
	paths, err := history.Differing(ctx, g.Tree, from, to)
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool {
		return g.Opener.Extract.Revision(gateway.FactLanguage(p)) == ""
	})
	slices.Sort(paths)
	paths = slices.Compact(paths)
	old, err := history.Blobs(ctx, g.Tree, from, paths)
	if err != nil {
		return nil, err
	}
	var now map[string]string
	if to != "" {
		if now, err = history.Blobs(ctx, g.Tree, to, paths); err != nil {
			return nil, err
		}
	}
	var files []change.File
	for _, p := range paths {
		f := change.File{Path: p, Old: blob(old, p), New: blob(now, p)}
		if to == "" {
			if f.New, err = gateway.TextOf(ctx, g, p); err != nil {
				return nil, err
			}
		}
		touched := f.Old != nil && f.New != nil && *f.Old == *f.New
		if !touched && (f.Old != nil || f.New != nil) {
			files = append(files, f)
		}
	}
	return files, nil
}

func blob(all map[string]string, p string) *string {
	text, ok := all[p]
	if !ok {
		return nil
	}
	return gateway.Decoded([]byte(text))
}

// revisions are the commits to compare; the second is "" for the files as they
// are. Of a range with three dots the first is what both have in common.
func revisions(ctx context.Context, tree *disk.Folder, base, commits string) (from, to history.Revision, err error) {
	if commits == "" {
		from, err = history.FindRevision(ctx, tree, base)
		return from, "", err
	}
	before, after, ok := strings.Cut(commits, "..")
	after, common := strings.CutPrefix(after, ".")
	if !ok || before == "" || after == "" {
		return "", "", fault.New(fault.InvalidRequest,
			"range %.100q is none; write two commits with dots between them, as v1..v2 or main...topic", commits)
	}
	if from, err = history.FindRevision(ctx, tree, before); err != nil {
		return "", "", err
	}
	if to, err = history.FindRevision(ctx, tree, after); err == nil && common {
		from, err = history.MergeBase(ctx, tree, from, to)
	}
	return from, to, err
}
