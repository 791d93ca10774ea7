package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// MaxLinks is how many symlinks are followed, as by the kernel.
const MaxLinks = 40

// Where symlinks must not lead.
var (
	ErrLeaves = errors.New("the path leaves the repository")
	ErrLoop   = errors.New("too many symlinks")
	errGitDir = errors.New("the path is inside .git")
)

// resolve is Folder.Resolve.
func resolve(top *os.Root, p string) (string, error) {
	at := descent{here: top, top: top}
	defer at.close()
	done, todo := "", relpath.Segments(p)
	for links := 0; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if name == ".." {
			if done == "" {
				return "", ErrLeaves
			}
			done = relpath.Parent(done)
			if err := at.open(top, done); err != nil {
				return "", err
			}
			continue
		}
		if relpath.IsGitFolder(name) {
			return "", errGitDir
		}
		target, isLink, err := readLink(at.here, name)
		if err == nil && !isLink && len(todo) > 0 {
			err = at.open(at.here, name)
		}
		if err != nil {
			return "", err
		}
		if !isLink {
			done = path.Join(done, name)
			continue
		}
		if links++; links > MaxLinks {
			return "", ErrLoop
		}
		if filepath.IsAbs(target) || strings.HasPrefix(target, "/") {
			return "", ErrLeaves
		}
		todo = slices.Concat(relpath.Segments(filepath.ToSlash(target)), todo)
	}
	return done, nil
}

// A descent is a folder on the way down from the top.
type descent struct{ here, top *os.Root }

// open goes to a folder of from, which may be here.
func (d *descent) open(from *os.Root, name string) error {
	next, err := from.OpenRoot(relpath.OrDot(name))
	if err != nil {
		return err
	}
	d.close()
	d.here = next
	return nil
}

func (d *descent) close() {
	if d.here != d.top {
		_ = d.here.Close()
	}
}

func readLink(dir *os.Root, name string) (target string, isLink bool, err error) {
	info, err := dir.Lstat(name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return "", false, err
	}
	target, err = dir.Readlink(name)
	return target, true, err
}

// What linkKind says; the last two are followed by where the symlink leads.
const (
	LinkLeaves    = "symlink that leaves the repository"
	LinkLoop      = "symlink loop"
	linkToNothing = "symlink to nothing"
	LinkToSpecial = "symlink to a special file"
	LinkToFolder  = "symlink to the folder "
	LinkToFile    = "symlink to the file "
)

// LinkKind says where a symlink leads, for coverage and for StoredTree.
func LinkKind(t *Folder, p string) string {
	to, err := t.Resolve(p)
	switch {
	case errors.Is(err, ErrLeaves), errors.Is(err, errGitDir):
		return LinkLeaves
	case errors.Is(err, ErrLoop):
		return LinkLoop
	case err != nil:
		return linkToNothing
	}
	info, err := t.Lstat(to)
	switch {
	case err != nil:
		return linkToNothing
	case info.IsDir():
		return LinkToFolder + relpath.OrDot(to)
	case info.Mode().IsRegular():
		return LinkToFile + to
	}
	return LinkToSpecial
}
