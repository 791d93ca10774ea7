package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// placeSuffix takes the lines or the symbol off a path.
var placeSuffix = regexp.MustCompile(`^(.+?)(:\d+(?:-\d+)?|#.*)?$`)

// locate reads "[REPO_ID] [PATH]". A path without a repository is one of this
// machine, and the repository is the one around it: a single argument that is
// no such path is a repository, where the path may be left out.
func locate(ctx context.Context, args []string, pathMayLack bool) (id models.RepoID, path string, err error) {
	if len(args) == 2 {
		return models.RepoID(args[0]), args[1], nil
	}
	name, suffix := ".", ""
	if len(args) == 1 {
		m := placeSuffix.FindStringSubmatch(args[0])
		if m == nil {
			return "", "", fault.New(fault.InvalidRequest, "the path is empty")
		}
		name, suffix = m[1], m[2]
	}
	at, err := filepath.Abs(name)
	if err != nil {
		return "", "", err
	}
	info, err := os.Stat(at)
	switch {
	case err != nil && pathMayLack:
		return models.RepoID(args[0]), "", nil
	case err != nil:
		return "", "", fault.Wrap(fault.PathNotFound, err, "there is no %s here; name the repository before the path", name)
	}
	folder := at
	if !info.IsDir() {
		folder = filepath.Dir(at)
	}
	root, err := workRoot(folder)
	if err != nil {
		return "", "", err
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	below, err := filepath.Rel(root, at)
	if root == "" || err != nil || !filepath.IsLocal(below) {
		return "", "", fault.New(fault.InvalidRequest, "%s is in no repository; name the repository before the path", name)
	}
	id, err = app.RepoIDOf(ctx, root)
	if below == "." {
		below = ""
	}
	return id, filepath.ToSlash(below) + suffix, err
}
