package app

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parse/worker"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/remote"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

// A Folder navigates in the repository that a folder is in, which need not be
// indexed. It needs no store.
type Folder struct {
	op.Table

	id      models.RepoID
	root    string
	below   string // the path of the folder in the repository, with slashes; "" for its root
	parsers *worker.Pool
}

// OpenFolder opens the repository that a folder of this machine is in: that of
// the nearest graph or git work tree, or else the folder by itself. Close it.
func OpenFolder(ctx context.Context, c config.Config, folder string) (*Folder, error) {
	root, err := worktrees.Enclosing(ctx, folder, path.Join(artifact.Dir, artifact.StatusFile))
	if err != nil {
		return nil, err
	}
	id, err := knownAs(ctx, root)
	if err != nil {
		return nil, err
	}
	f := &Folder{id: id, root: root, parsers: newParsers()}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		f.below = pathBelow(root, real)
	}
	bindNav(&f.Table, newNav(c, oneFolder{f.id, root}, f.parsers, nil)) // it is mostly asked once
	return f, nil
}

// knownAs is the id under which a repository was indexed, as its status file says;
// without one the id that it would get.
func knownAs(ctx context.Context, root string) (models.RepoID, error) {
	tree, err := disk.Open(ctx, root)
	if err != nil {
		return "", err
	}
	defer func() { _ = tree.Close() }() // was read only
	if status := artifact.RouteAt(tree, "").Status; status != nil && status.Repo.Valid() {
		return status.Repo, nil
	}
	return remote.InferID(ctx, root)
}

// pathBelow is the path of a folder from root, with slashes; "" for root itself.
func pathBelow(root, folder string) string {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	below, err := filepath.Rel(root, folder)
	if below = filepath.ToSlash(below); err != nil || below == "." || below == ".." || strings.HasPrefix(below, "../") {
		return ""
	}
	return below
}

// RepoID is the id that the repository has in an index, or would have.
func (f *Folder) RepoID() models.RepoID { return f.id }

// Where is the root of the repository, and the path of the folder in it: "" when
// that is the root.
func (f *Folder) Where() (root, below string) { return f.root, f.below }

// Path is a path, or a glob, as it was typed in the folder, from the root of the
// repository: one that begins with "./" or "../", or whose beginning is in the
// folder. Others are taken for paths from the root already.
func (f *Folder) Path(typed string) string {
	slashed := filepath.ToSlash(typed)
	if f.below == "" || slashed == "" || strings.HasPrefix(slashed, "/") {
		return typed
	}
	if first, _, _ := strings.Cut(slashed, "/"); first != "." && first != ".." {
		fixed, isGlob := startOf(slashed)
		if fixed == "" && isGlob {
			return typed
		}
		if _, err := os.Lstat(filepath.Join(f.root, filepath.FromSlash(f.below), filepath.FromSlash(fixed))); err != nil {
			return typed
		}
	}
	return path.Join(f.below, slashed)
}

// startOf is what a glob begins with: folders, or all of what is no glob.
func startOf(glob string) (folders string, isGlob bool) {
	i := strings.IndexAny(glob, `*?[{\`)
	if i < 0 {
		return glob, false
	}
	return glob[:strings.LastIndexByte(glob[:i], '/')+1], true
}

// Close stops the workers.
func (f *Folder) Close() error {
	if f.parsers == nil {
		return nil
	}
	return f.parsers.Close()
}

// oneFolder implements nav.Repositories for one folder.
type oneFolder struct {
	id   models.RepoID
	root string
}

func (o oneFolder) Repository(context.Context, models.RepoID) (models.Repository, error) {
	return models.Repository{RepoID: o.id, Root: o.root}, nil
}

func (o oneFolder) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	return repo.Open(ctx, known.Root)
}
