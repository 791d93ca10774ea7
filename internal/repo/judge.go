package repo

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A handle keeps the folder open that was last looked into, so that its files
// need one system call each.
type handle struct {
	tree *Tree
	path string
	dir  *os.Root
}

func (h *handle) lstat(p string) (fs.FileInfo, error) {
	if parent := parentOf(p); h.dir == nil || parent != h.path {
		h.close()
		dir, err := h.tree.dir.OpenRoot(orDot(parent))
		if err != nil {
			return nil, err
		}
		h.path, h.dir = parent, dir
	}
	return h.dir.Lstat(baseOf(p))
}

func (h *handle) close() {
	if h.dir != nil {
		_ = h.dir.Close()
		h.dir = nil
	}
}

// Details of records that StoredTree needs to know.
const (
	nestedRepository = "submodule or nested repository; index it on its own"
	unreadableFolder = "the folder can't be read"
)

func (t *Tree) judge(p string, info fs.FileInfo, limits Limits) (models.SkipReason, string) {
	most := limits.MaxFileSize
	if most == 0 {
		most = DefaultMaxFileSize
	}
	rule, secret := Secret(p)
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return models.SkipSymlink, t.linkKind(p)
	case mode.IsDir():
		return models.SkipIrregular, nestedRepository
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

func entryOf(p string, info fs.FileInfo) Entry {
	return Entry{Path: p, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Changed: changeTime(info)}
}

// What oddName says.
const (
	notUTF8     = "the name is not valid UTF-8"
	hasControls = "the name has control characters"
)

// oddName says why a path can't be a name in JSON and on a terminal; "" when it can.
func oddName(p string) string {
	if !utf8.ValidString(p) {
		return notUTF8
	}
	if strings.ContainsFunc(p, unicode.IsControl) {
		return hasControls
	}
	return ""
}

// printable is an odd name with its bytes written as escapes, one to one.
func printable(p string) string {
	q := strconv.Quote(p)
	return q[1 : len(q)-1]
}

func baseOf(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }
