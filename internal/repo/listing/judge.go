package listing

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A handle keeps the folder open that was last looked into, so that its files
// need one system call each.
type handle struct {
	tree *disk.Folder
	path string
	dir  *os.Root
}

func (h *handle) lstat(p string) (fs.FileInfo, error) {
	if parent := relpath.Parent(p); h.dir == nil || parent != h.path {
		h.close()
		dir, err := h.tree.Inner(parent)
		if err != nil {
			return nil, err
		}
		h.path, h.dir = parent, dir
	}
	return h.dir.Lstat(relpath.Base(p))
}

func (h *handle) close() {
	if h.dir != nil {
		_ = h.dir.Close()
		h.dir = nil
	}
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
		return models.SkipTooLarge, fmt.Sprintf("%d bytes, the limit is %d", info.Size(), most)
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
