package fresh

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/ragnav/ragnav/internal/repo/disk"
)

// racyWindow is how old a file must be when it is looked at for its times to
// tell it from a later version: file systems and clocks are that coarse.
const racyWindow = 2 * time.Second

// A kind is what stands at a path.
type kind uint8

const (
	nothing kind = iota
	regular
	folder
	other // symlink, FIFO, socket, device
)

// A stat is what one look at a path tells without reading it. Equal stats of
// a path, the first one not racy, mean equal content: every write sets both
// times, and what no program can set, the time of the last change of any kind,
// is among them where the system tells it (zero elsewhere).
type stat struct {
	size  int64
	mtime int64 // nanoseconds since 1970
	ctime int64
	inode uint64
	kind  kind
	// linked tells that the file has other names. Its last change of any kind is
	// when it got them, so that it decides nothing among equal times.
	linked bool
}

// racy reports that a change after the look may show the same times.
func (s stat) racy(at time.Time) bool {
	return s.kind != nothing && max(s.mtime, s.ctime) >= at.Add(-racyWindow).UnixNano()
}

// sameFolder compares what changes when a folder gets or loses an entry. Its
// size is left out: it says nothing that the times don't.
func (s stat) sameFolder(other stat) bool {
	s.size, other.size = 0, 0
	return s == other
}

// A place is an open folder, by which its entries are looked at. Symlinks are
// never followed, so that no way leads out of the tree.
type place interface {
	stat() (stat, error)
	// look returns the zero stat for what is not there or can't be looked at.
	look(name string) (stat, error)
	// differing looks at files and reports, by index, those that are racy or
	// look different. It leaves out what is not listed.
	differing(files []file, report func(i int, seen stat)) error
	// inner opens a folder in it; absent(err) when there is none to be opened.
	inner(name string) (place, error)
	names() ([]string, error)
	close()
}

// absent reports errors that mean that there is nothing at a path for List.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || notAFolder(err)
}

var errNotAFolder = errors.New("not a folder")

// A rootPlace is a place by means that every system has.
type rootPlace struct{ root *os.Root }

func openRootPlace(tree *disk.Folder) (place, error) {
	root, err := tree.Inner("")
	if err != nil {
		return nil, err
	}
	return rootPlace{root}, nil
}

func (p rootPlace) stat() (stat, error) {
	info, err := p.root.Stat(".")
	if err != nil {
		return stat{}, err
	}
	return statOf(info), nil
}

func (p rootPlace) look(name string) (stat, error) {
	info, err := p.root.Lstat(name)
	if err != nil {
		if absent(err) {
			err = nil
		}
		return stat{}, err
	}
	return statOf(info), nil
}

func (p rootPlace) differing(files []file, report func(int, stat)) error {
	return differing(files, p.look, report)
}

func (p rootPlace) inner(name string) (place, error) {
	info, err := p.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, errNotAFolder
	}
	root, err := p.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = errNotAFolder // it was replaced in between
	}
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return rootPlace{root}, nil
}

func (p rootPlace) names() ([]string, error) {
	dir, err := p.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	return dir.Readdirnames(-1)
}

func (p rootPlace) close() { _ = p.root.Close() }

// statOf is a stat without what only some systems tell.
func statOf(info fs.FileInfo) stat {
	return stat{size: info.Size(), mtime: info.ModTime().UnixNano(), kind: kindOf(info.Mode())}
}

func kindOf(mode fs.FileMode) kind {
	switch {
	case mode.IsRegular():
		return regular
	case mode.IsDir():
		return folder
	}
	return other
}
