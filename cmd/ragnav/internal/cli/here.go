package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
	"github.com/ragnav/ragnav/internal/valid"
)

// placeSuffix takes the lines or the symbol off a path.
var placeSuffix = pattern.NewLazy(`^(.+?)(:\d+(?:-\d+)?|#.*)?$`)

// Locate reads "[REPO_ID] [PATH]". A path without a repository is one of this
// machine, and the repository is the one around it: a single argument that is
// no such path is a repository, where the path may be left out. A REPO_ID that begins
// with a dot or a slash is the repository around that folder. A path that must be, and
// is not there, may be one from the root of the repository around the working folder,
// as replies print it.
func Locate(ctx context.Context, s *Session, args []string, pathMayLack bool) (id models.RepoID, path string,
	err error,
) {
	if len(args) == 2 && !WrittenAsPath(args[0]) {
		return models.RepoID(args[0]), args[1], nil
	} else if len(args) == 2 {
		root, err := rooted(ctx, s, args[0])
		return root, args[1], err
	}
	name, suffix := ".", ""
	if len(args) == 1 {
		m := placeSuffix().FindStringSubmatch(args[0])
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
	if err != nil && !pathMayLack {
		at, info, err = fromRoot(name, at, err)
	}
	switch {
	case err != nil && pathMayLack:
		return models.RepoID(args[0]), "", nil
	case err != nil:
		if id, below, ok := gone(ctx, s, at); ok { // whose reply says what may have been meant
			return id, below + suffix, nil
		}
		return "", "", fault.Wrap(fault.PathNotFound, err, "there is no %s here; name the repository before the path", name)
	}
	folder := at
	if !info.IsDir() {
		folder = filepath.Dir(at)
	}
	root, err := WorkRoot(folder)
	if err != nil {
		return "", "", err
	}
	if root == "" {
		return "", "", fault.New(fault.InvalidRequest, "%s is in no repository; name the repository before the path", name)
	}
	if id, root, err = repoAround(ctx, s, root); err != nil {
		return "", "", err
	}
	below, err := within(root, at)
	if below == "." {
		below = ""
	}
	return id, filepath.ToSlash(below) + suffix, err
}

// within is the path of a file or folder from a root, whose own path has no symlinks.
// One that is itself a symlink which leads elsewhere is named as such, so that the reply
// tells of it.
func within(root, at string) (string, error) {
	real, err := filepath.EvalSymlinks(at)
	if err != nil {
		return filepath.Rel(root, at)
	}
	below, err := filepath.Rel(root, real)
	if err == nil && filepath.IsLocal(below) {
		return below, nil
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(at))
	if err != nil {
		return "", err
	}
	return filepath.Rel(root, filepath.Join(folder, filepath.Base(at)))
}

// fromRoot is the file that a path names from the root of the repository around the
// working folder, if there is one; else what is known of it.
func fromRoot(name, at string, missing error) (path string, info os.FileInfo, err error) {
	if filepath.IsAbs(name) || strings.HasPrefix(name, ".") {
		return at, nil, missing
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return at, nil, missing
	}
	root, err := WorkRoot(here)
	if err != nil || root == "" {
		return at, nil, missing
	}
	path = filepath.Join(root, name)
	if info, err = os.Stat(path); err != nil {
		return at, nil, missing
	}
	return path, info, nil
}

// gone is where a path that is not there would be, if that is in a repository that
// is registered.
func gone(ctx context.Context, s *Session, at string) (id models.RepoID, below string, ok bool) {
	folder := filepath.Dir(at)
	for ; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if isFolder(folder) {
			break
		}
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", "", false
	}
	root, err := WorkRoot(real)
	if err != nil || root == "" {
		return "", "", false
	}
	if id, root, err = registeredAround(ctx, s, root); err != nil || id == "" {
		return "", "", false
	}
	rest, err := filepath.Rel(folder, at)
	if err != nil {
		return "", "", false
	}
	below, err = filepath.Rel(root, filepath.Join(real, rest))
	return id, filepath.ToSlash(below), err == nil
}

// repoAround is the repository of a folder, or the nearest around it, that is
// registered, whatever its id; else the id that the folder gets when it is indexed.
func repoAround(ctx context.Context, s *Session, folder string) (id models.RepoID, root string, err error) {
	if id, root, err = registeredAround(ctx, s, folder); err != nil || id != "" {
		return id, root, err
	}
	if id, err = app.RepoIDOf(ctx, folder); err == nil && !registered(ctx, s, id) {
		err = fault.New(fault.RepoNotFound, "%s is not indexed; `ragnav index %[1]s` adds it, `ragnav repos` lists what is",
			folder)
	}
	return id, folder, err
}

// registered reports whether a repository of that id is, wherever its folder is, or that
// can't be told.
func registered(ctx context.Context, s *Session, id models.RepoID) bool {
	b, err := s.Open(ctx)
	if err != nil {
		return true
	}
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	defer func() { s.lastReply = nil }() // it is no reply to what is asked
	_, err = op.Structure.By(limited, b, structure.Request{RepoID: id, Limit: new(1)})
	return fault.CodeOf(err) != fault.RepoNotFound
}

// registeredAround is the repository of a folder, or the nearest around it, that
// is registered; "" where none is.
func registeredAround(ctx context.Context, s *Session, folder string) (id models.RepoID, root string, err error) {
	b, err := s.Open(ctx)
	if err != nil {
		return "", "", err
	}
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	defer func() { s.lastReply = nil }() // it is no reply to what is asked
	for at := folder; ; at = filepath.Dir(at) {
		req := structure.Request{RepoID: models.RepoID(at), Limit: new(1)}
		if valid.Check(req) == nil {
			resp, err := op.Structure.By(limited, b, req)
			switch {
			case err == nil && resp.Meta.IndexStatus != nil:
				return resp.Meta.IndexStatus.Repo, at, nil
			case fault.CodeOf(err) != fault.RepoNotFound:
				return req.RepoID, at, nil // whose reply says what is the matter
			}
		}
		if at == filepath.Dir(at) {
			return "", "", nil
		}
	}
}

// Around is the registered repository that a folder is a part of: one that is registered
// itself, or is the top of a git work tree, is part of none.
func Around(ctx context.Context, s *Session, folder string) (id models.RepoID, root string) {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", ""
	}
	if _, err := os.Lstat(filepath.Join(real, ".git")); err == nil {
		return "", ""
	}
	id, root, err = registeredAround(ctx, s, real)
	if err != nil || root == real {
		return "", ""
	}
	return id, root
}

// namesAnother reports whether a name of a folder here is also the id of a repository
// that is registered and is elsewhere.
func namesAnother(ctx context.Context, s *Session, name string) bool {
	real, err := filepath.EvalSymlinks(name)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return false
	}
	if id, _, err := registeredAround(ctx, s, real); err != nil || string(id) == name {
		return false
	}
	b, err := s.Open(ctx)
	if err != nil {
		return false
	}
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	defer func() { s.lastReply = nil }() // it is no reply to what is asked
	req := structure.Request{RepoID: models.RepoID(name), Limit: new(1)}
	if valid.Check(req) != nil {
		return false
	}
	resp, err := op.Structure.By(limited, b, req)
	return err == nil && resp.Meta.IndexStatus != nil && resp.Meta.IndexStatus.Repo == req.RepoID
}

// AddRepoFilter adds the flag that chooses repositories. A path that begins with a
// dot or a slash means the repository around it.
func AddRepoFilter(cmd *cobra.Command, s *Session, into *string) {
	cmd.Flags().StringVarP(into, "repo-filter", "r", "",
		"only this repo_id (or its last segment), a glob such as 'owner/*', or . for the one here")
	CompleteRepos(cmd, s, "repo-filter")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if *into == "" {
			noteUnindexed(cmd.Context(), s)
			return nil
		}
		if !WrittenAsPath(*into) {
			return nil
		}
		id, err := rooted(cmd.Context(), s, *into)
		if id != "" {
			*into = string(id)
		}
		return err
	}
}

// rooted is the repository around a folder, "" if that is one that nobody means to index.
func rooted(ctx context.Context, s *Session, folder string) (models.RepoID, error) {
	root, err := WorkRoot(folder)
	if err != nil || root == "" {
		return "", err
	}
	id, _, err := repoAround(ctx, s, root)
	return id, err
}

// WrittenAsPath reports whether nothing but a path of this machine is written so.
func WrittenAsPath(arg string) bool {
	first, _, _ := strings.Cut(arg, "/")
	return first == "." || first == ".." || filepath.IsAbs(arg)
}

// cloneOf is the repository that is indexed as the clone of a bare one, which has no files
// itself; "" of other folders.
func cloneOf(ctx context.Context, s *Session, folder string) models.RepoID {
	path, err := filepath.Abs(folder)
	if err != nil || !isFolder(path) || worktrees.NoWorkTree(path) == nil {
		return ""
	}
	id, root, err := registeredAround(ctx, s, path)
	if err != nil || root != path {
		return ""
	}
	return id
}

// IsPath reports whether the repository of the session is named by a path. That of a bare
// repository names its clone, where it is indexed. A name that
// a folder here and another repository have is that repository's id, if it is
// registered, and a note says so; "./" and "/" are always paths.
func IsPath(ctx context.Context, s *Session) bool {
	if id := cloneOf(ctx, s, s.Repo); id != "" {
		s.Repo = string(id)
		return false
	}
	switch {
	case WrittenAsPath(s.Repo), strings.HasPrefix(s.Repo, `.\`):
		return true
	case !isFolder(s.Repo):
		return false
	case !namesAnother(ctx, s, s.Repo):
		return true
	}
	if !s.Quiet {
		s.Screen.Note("%[1]s is the repository that is registered as that; ./%[1]s is the folder here", s.Repo)
	}
	return false
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// noteUnindexed says that the repository of the working directory is not among
// those that are searched: what is found elsewhere is no answer about it.
func noteUnindexed(ctx context.Context, s *Session) {
	if s.Quiet || s.Server != "" {
		return
	}
	root, err := WorkRoot(".")
	if err != nil || root == "" {
		return
	}
	if _, err := os.Lstat(filepath.Join(root, ".git")); err != nil {
		return
	}
	if id, _, err := registeredAround(ctx, s, root); err != nil || id != "" {
		return
	}
	b, err := s.Open(ctx)
	if err != nil {
		return
	}
	defer func() { s.lastReply = nil }() // it is no reply to what is asked
	if known, err := op.Repos.By(ctx, b, repos.Request{Limit: new(1)}); err == nil && known.Shown() > 0 {
		s.Screen.Note("%s is not indexed: what follows is from other repositories; `ragnav index %[1]s` adds it", root)
	}
}

// WorkRoot is the root of the git work tree that a folder is in, else the
// folder itself; "" for folders that nobody means to index whole: of all temporary
// files, the home directory, and what is around them.
func WorkRoot(folder string) (string, error) {
	dir, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return "", fault.Wrap(fault.PathNotFound, err,
			"%s is no folder; name one that is there, or none for the working directory", folder)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if home, err := os.UserHomeDir(); err == nil && holds(dir, home) || holds(dir, os.TempDir()) {
		return "", nil
	}
	return dir, nil
}

// holds reports whether a folder is another one, or around it.
func holds(dir, other string) bool {
	if real, err := filepath.EvalSymlinks(other); err == nil {
		other = real
	}
	below, err := filepath.Rel(dir, other)
	return err == nil && filepath.IsLocal(below)
}

// Holds is how many git work trees are directly in a folder that is none: it is
// where somebody keeps them, and not a repository itself.
func Holds(folder string) int {
	if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
		return 0
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return 0
	}
	n := 0
	for _, e := range entries {
		if _, err := os.Lstat(filepath.Join(folder, e.Name(), ".git")); err == nil && e.IsDir() {
			n++
		}
	}
	return n
}
