package repo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
)

// A Revision is a commit, by its full name.
type Revision string

// Revision finds a commit by what a user calls it: HEAD, a branch, v1.2, a1b2c3.
// One that is not there is fault.InvalidRequest, as is a tree without git.
func (t *Tree) Revision(ctx context.Context, name string) (Revision, error) {
	if in, err := t.IsGit(ctx); err != nil || !in {
		return "", errors.Join(fault.New(fault.InvalidRequest, "%s is no git work tree; send a diff instead", t.root), err)
	}
	out, err := git(ctx, t.root, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		if saidNo(err) {
			return "", fault.New(fault.InvalidRequest, "no commit is called %.100q here", name)
		}
		return "", err
	}
	return Revision(strings.TrimSpace(out)), nil
}

// MergeBase is the commit that two have in common.
func (t *Tree) MergeBase(ctx context.Context, a, b Revision) (Revision, error) {
	out, err := git(ctx, t.root, "merge-base", string(a), string(b))
	if saidNo(err) {
		return "", fault.New(fault.InvalidRequest, "%.12s and %.12s have no commit in common", a, b)
	}
	return Revision(strings.TrimSpace(out)), err
}

// Differing are the paths of the files of the tree that differ between two
// commits, or between one and the files as they are if other is "": then also
// those that git does not know yet. They are in no order.
func (t *Tree) Differing(ctx context.Context, base, other Revision) ([]string, error) {
	args := []string{"diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=all", "--name-only", "--relative", "-z", string(base)}
	if other != "" {
		args = append(args, string(other))
	}
	out, err := git(ctx, t.root, append(args, "--", ".")...)
	if err != nil {
		return nil, err
	}
	paths := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	if other == "" {
		if out, err = git(ctx, t.root, "ls-files", "--others", "--exclude-standard", "-z", "--", "."); err != nil {
			return nil, err
		}
		paths = append(paths, strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")...)
	}
	kept := paths[:0]
	for _, p := range paths {
		if p != "" && !strings.Contains(p, "\n") {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// Blobs are the texts of files in a commit. Those that are not there, or are no
// files, are left out.
func (t *Tree) Blobs(ctx context.Context, at Revision, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var in strings.Builder
	for _, p := range paths {
		fmt.Fprintf(&in, "%s:./%s\n", at, p)
	}
	out, _, err := readGit(ctx, gitCommand{dir: t.root, args: []string{"cat-file", "--batch"}, stdin: in.String()})
	if err != nil {
		return nil, err
	}
	blobs := map[string]string{}
	for _, p := range paths {
		head, rest, _ := strings.Cut(out, "\n")
		words := strings.Fields(head)
		size := -1
		if len(words) == 3 {
			size, err = strconv.Atoi(words[2])
		}
		if err != nil || size < 0 || size >= len(rest) {
			out = rest // missing
			continue
		}
		if words[1] == "blob" {
			blobs[p] = rest[:size]
		}
		out = rest[size+1:]
	}
	return blobs, nil
}
