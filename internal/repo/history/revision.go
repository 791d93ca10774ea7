// Package history asks git for revisions, and for what differs between them.
package history

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
)

// A Revision is a commit, by its full name.
type Revision string

// FindRevision finds a commit by what a user calls it: HEAD, a branch, v1.2, a1b2c3.
// One that is not there is fault.InvalidRequest, as is a tree without git.
func FindRevision(ctx context.Context, t *disk.Folder, name string) (Revision, error) {
	if in, err := t.IsGit(ctx); err != nil || !in {
		return "", errors.Join(fault.New(fault.InvalidRequest, "%s is no git work tree; send a diff instead", t.Root()), err)
	}
	none := fault.New(fault.InvalidRequest, "no commit is called %.100q here", name)
	if strings.Contains(name, "\x00") { // with which no program can be started
		return "", none
	}
	out, err := git.Run(ctx, t.Root(), "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	switch {
	case git.SaidNo(err):
		return "", missing(ctx, t, none)
	case err != nil:
		return "", err
	}
	return Revision(strings.TrimSpace(out)), nil
}

// missing is none, with what of a repository may be why a commit is not there.
func missing(ctx context.Context, t *disk.Folder, none *fault.Error) error {
	said := func(args ...string) string {
		out, _ := git.Run(ctx, t.Root(), args...) // what it can't tell is no reason
		return strings.TrimSpace(out)
	}
	switch {
	case said("rev-list", "--all", "--max-count=1") == "" && ctx.Err() == nil:
		return fault.New(none.Code, "%s: the repository has no commit yet; send a diff, or commit first", none.Message)
	case said("rev-parse", "--is-shallow-repository") == "true":
		return fault.New(none.Code, "%s: the clone is shallow; `git fetch --unshallow` brings all commits", none.Message)
	}
	return none
}

// MergeBase is the commit that two have in common.
func MergeBase(ctx context.Context, t *disk.Folder, a, b Revision) (Revision, error) {
	out, err := git.Run(ctx, t.Root(), "merge-base", string(a), string(b))
	if git.SaidNo(err) {
		return "", fault.New(fault.InvalidRequest, "%.12s and %.12s have no commit in common", a, b)
	}
	return Revision(strings.TrimSpace(out)), err
}

// Differing are the paths of the files of the tree that differ between two
// commits, or between one and the files as they are if other is "": then also
// those that git does not know yet, and some that are the same, where git would
// know it by a filter of the repository. They are in no order. Submodules are among them between
// two commits only, as others must be looked into.
func Differing(ctx context.Context, t *disk.Folder, base, other Revision) ([]string, error) {
	env, err := git.WithoutFilters(ctx, t.Root())
	if err != nil {
		return nil, git.Fault(err)
	}
	args := []string{"diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--name-only", "--relative", "-z"}
	if other == "" {
		args = append(args, "--ignore-submodules=all", string(base))
	} else {
		args = append(args, "--ignore-submodules=none", string(base), string(other))
	}
	out, _, err := git.Read(ctx, git.Command{Dir: t.Root(), Env: env, Args: append(args, "--", ".")})
	if err != nil {
		return nil, git.Fault(err)
	}
	paths := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	if other == "" {
		if out, err = git.Run(ctx, t.Root(), "ls-files", "--others", "--exclude-standard", "-z", "--", "."); err != nil {
			return nil, git.Fault(err)
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
func Blobs(ctx context.Context, t *disk.Folder, at Revision, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var in strings.Builder
	for _, p := range paths {
		fmt.Fprintf(&in, "%s:./%s\n", at, p)
	}
	out, _, err := git.Read(ctx, git.Command{Dir: t.Root(), Args: []string{"cat-file", "--batch"}, Stdin: in.String()})
	if err != nil {
		return nil, err
	}
	blobs := map[string]string{}
	for _, p := range paths {
		var text string
		var ok bool
		if text, out, ok = cutBlob(out); ok {
			blobs[p] = text
		}
	}
	return blobs, nil
}

// cutBlob takes the first object off what cat-file --batch writes; ok tells
// that it is there, and a blob.
func cutBlob(out string) (text, rest string, ok bool) {
	head, rest, _ := strings.Cut(out, "\n")
	words := strings.Fields(head)
	if len(words) != 3 {
		return "", rest, false
	}
	size, err := strconv.Atoi(words[2])
	if err != nil || size < 0 || size >= len(rest) {
		return "", rest, false
	}
	return rest[:size], rest[size+1:], words[1] == "blob"
}
