package listing

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A handle keeps the folders open that lead to the last file it looked at, each
// opened by its name in the one before, so that files in path order need little
// more than one system call each.
type handle struct {
	tree *disk.Folder
	way  []opened
}

// An opened folder has a path, "" for the root.
type opened struct {
	path string
	dir  *os.Root
}

func (h *handle) lstat(p string) (fs.FileInfo, error) {
	if err := h.enter(relpath.Parent(p)); err != nil {
		return nil, err
	}
	return h.way[len(h.way)-1].dir.Lstat(relpath.Base(p))
}

// enter opens a folder, from the nearest one above it that is open.
func (h *handle) enter(dir string) error {
	if len(h.way) == 0 {
		root, err := h.tree.Inner("")
		if err != nil {
			return err
		}
		h.way = append(h.way, opened{dir: root})
	}
	last := h.way[len(h.way)-1]
	for !within(dir, last.path) {
		_ = last.dir.Close()
		h.way = h.way[:len(h.way)-1]
		last = h.way[len(h.way)-1]
	}
	for last.path != dir {
		name, _, _ := strings.Cut(strings.TrimPrefix(dir[len(last.path):], "/"), "/")
		inner, err := last.dir.OpenRoot(name)
		if err != nil {
			return err
		}
		last = opened{path.Join(last.path, name), inner}
		h.way = append(h.way, last)
	}
	return nil
}

// within reports whether a path is dir, or below it.
func within(p, dir string) bool {
	rest, ok := strings.CutPrefix(p, dir)
	return ok && (dir == "" || rest == "" || rest[0] == '/')
}

func (h *handle) close() {
	for _, o := range h.way {
		_ = o.dir.Close()
	}
	h.way = nil
}

// Details of records that StoredTree needs to know.
const (
	NestedRepository = "submodule or nested repository; index it on its own"
	UnreadableFolder = "the folder can't be read"
	DeepFolder       = "the folder is more than 128 folders deep; what is in it is left out"
)

func judge(t *disk.Folder, p string, info fs.FileInfo, limits Limits) (models.SkipReason, string) {
	most := limits.MaxFileSize
	if most == 0 {
		most = DefaultMaxFileSize
	}
	rule, secret := filekind.Secret(p)
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return models.SkipSymlink, disk.LinkKind(t, p)
	case mode.IsDir():
		return models.SkipIrregular, NestedRepository
	case !mode.IsRegular():
		return models.SkipIrregular, kindOf(mode)
	case secret:
		return models.SkipSecret, rule
	case info.Size() > most:
		return models.SkipTooLarge, fmt.Sprintf("%d bytes, the limit is %d bytes (RAGNAV_MAX_FILE_SIZE)", info.Size(), most)
	}
	return "", ""
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "FIFO"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}
