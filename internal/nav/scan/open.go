package scan

import (
	"context"
	"errors"
	"strings"

	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// Why a file is not read. They are counted, never returned.
var (
	errGone       = errors.New("the file is gone")
	errUnreadable = errors.New("the file can't be read")
	errSubmodule  = errors.New("the file is a folder with a repository of its own")
	errTooLarge   = errors.New("the file is too large")
	errBinary     = errors.New("the file is not text")
)

// An Opener gives each goroutine that reads a repository's files a Reader.
type Opener interface {
	Reader() (Reader, error)
}

// A Reader reads files. It is used by one goroutine.
type Reader interface {
	// Read returns the content of a regular file of at most limit bytes, in
	// buffer when that is large enough. The path is relative to the repository's
	// root and has no symlinks. A file with a NUL near its beginning need not be
	// read to its end.
	Read(ctx context.Context, path string, buffer []byte, limit int64) ([]byte, error)
	Close() error
}

// A Folder is a repository's folder. Nothing outside of it is read, whatever
// its symlinks and the paths say: symlinks are not followed, and .git is not
// read.
type Folder struct{ root string }

// OpenFolder makes an Opener of the folder of a repository, as disk.Folder.Root
// gives it.
func OpenFolder(root string) *Folder { return &Folder{root: root} }

// outside reports whether a path may lead out of the folder or into .git. Most
// paths pass without a closer look.
func outside(path string) bool {
	start := 0
	for i := 0; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' {
			if c := path[i]; c == '\\' || c == ':' || c == 0 {
				return notClean(path)
			}
			continue
		}
		if suspicious(path[start:i]) {
			return notClean(path)
		}
		start = i + 1
	}
	return false
}

// suspicious reports whether a name may be more than a name: empty, "..", or
// what a file system may take for .git.
func suspicious(name string) bool {
	switch {
	case name == "":
		return true
	case name[0] == '.':
		return len(name) < 3 || strings.EqualFold(name[:min(4, len(name))], ".git")
	case name[0] == 'g', name[0] == 'G':
		return strings.EqualFold(name[:min(4, len(name))], "git~")
	}
	return false
}

func notClean(path string) bool {
	clean, err := relpath.Clean(path)
	return err != nil || clean == "" || clean != path
}
