package repo

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const maxLinks = 40 // as the kernel

var (
	errLeaves = errors.New("the path leaves the repository")
	errLoop   = errors.New("too many symlinks")
	errGitDir = errors.New("the path is inside .git")
)

// resolve follows the symlinks of a clean path as far as they stay inside the
// root, and returns the path that they lead to. Absolute links leave. A path
// that leads into .git is refused.
//
// It goes down one folder at a time: from the root each would cost as many steps
// as it is deep.
func (t *Tree) resolve(p string) (string, error) {
	at := descent{here: t.dir, top: t.dir}
	defer at.close()
	done, todo := "", segments(p)
	for links := 0; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if name == ".." {
			if done == "" {
				return "", errLeaves
			}
			done = parentOf(done)
			if err := at.open(t.dir, done); err != nil {
				return "", err
			}
			continue
		}
		if isGitFolder(name) {
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
		if links++; links > maxLinks {
			return "", errLoop
		}
		if filepath.IsAbs(target) || strings.HasPrefix(target, "/") {
			return "", errLeaves
		}
		todo = slices.Concat(segments(filepath.ToSlash(target)), todo)
	}
	return done, nil
}

// A descent is a folder on the way down from the top.
type descent struct{ here, top *os.Root }

// open goes to a folder of from, which may be here.
func (d *descent) open(from *os.Root, name string) error {
	next, err := from.OpenRoot(orDot(name))
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
	linkLeaves    = "symlink that leaves the repository"
	linkLoop      = "symlink loop"
	linkToNothing = "symlink to nothing"
	linkToSpecial = "symlink to a special file"
	linkToFolder  = "symlink to the folder "
	linkToFile    = "symlink to the file "
)

// linkKind says where a symlink leads, for coverage and for StoredTree.
func (t *Tree) linkKind(p string) string {
	to, err := t.resolve(p)
	switch {
	case errors.Is(err, errLeaves), errors.Is(err, errGitDir):
		return linkLeaves
	case errors.Is(err, errLoop):
		return linkLoop
	case err != nil:
		return linkToNothing
	}
	info, err := t.dir.Lstat(orDot(to))
	switch {
	case err != nil:
		return linkToNothing
	case info.IsDir():
		return linkToFolder + orDot(to)
	case info.Mode().IsRegular():
		return linkToFile + to
	}
	return linkToSpecial
}

// segments are the parts of a path that name something.
func segments(p string) []string {
	return slices.DeleteFunc(strings.Split(p, "/"), func(s string) bool { return s == "" || s == "." })
}

// parentOf is the folder of a path, "" for the root.
func parentOf(p string) string {
	return p[:max(0, strings.LastIndexByte(p, '/'))]
}

// orDot is the path in the form that os.Root takes.
func orDot(p string) string {
	if p == "" {
		return "."
	}
	return p
}
