package disk

import (
	"io/fs"

	"github.com/ragnav/ragnav/internal/filetime"
)

// A DirEntry is one file or folder in a folder.
type DirEntry struct {
	Entry

	Name  string
	IsDir bool
}

// EntryOf is a file as it is said to be.
func EntryOf(p string, info fs.FileInfo) Entry {
	return Entry{Path: p, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Changed: filetime.Changed(info)}
}

// An Entry is a file as it was when it was looked at.
type Entry struct {
	Path    string // relative to the root, slashes
	Size    int64
	ModTime int64 // nanoseconds since 1970
	// when content, name or permissions last changed, which no program can set; 0 where the system does not tell
	Changed int64
}
